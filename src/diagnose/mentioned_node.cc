#include "diagnose/mentioned_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace assay::diagnose {
namespace {

constexpr std::size_t kTellingName = 3;

// Names are often paths, so that '/' continues a name.
bool continues_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' || character == '/';
}

// ONNX Runtime appends these to the name of a node that it replaces.
constexpr std::array<std::string_view, 11> kAppended = {"_nchwc",
                                                        "_bn_nchwc",
                                                        "_FusedActivation",
                                                        "_transformed",
                                                        "/MatMulAddFusion",
                                                        "/GemmSumFusion/",
                                                        "/GemmTransposeFusion/",
                                                        "/LayerNormFusion/",
                                                        "/SimplifiedLayerNormFusion/",
                                                        "/QuickGeluFusion/",
                                                        "/MatmulTransposeFusion/"};

// Returns true if the name of a node may end before `rest`.
bool ends_name(std::string_view rest) {
  if (rest.empty() || !continues_name(rest.front())) return true;
  return std::ranges::any_of(kAppended, [&](std::string_view appended) {
    return rest.starts_with(appended) && ends_name(rest.substr(appended.size()));
  });
}

bool mentions(std::string_view message, std::string_view name) {
  for (std::size_t at = message.find(name); at != std::string_view::npos; at = message.find(name, at + 1)) {
    const bool begins = at == 0 || !continues_name(message[at - 1]);
    if (begins && ends_name(message.substr(at + name.size()))) return true;
  }
  return false;
}

// Returns true if the message names the node by its first output, as OpenVINO does, and ONNX Runtime for nodes without
// a name: "<Node(Conv): y>", `-> ("y"`.
bool names_by_output(std::string_view message, const onnx::NodeProto& node) {
  if (node.output_size() == 0 || node.output(0).empty()) return false;
  const std::string openvino = fmt::format("<Node({}): {}>", node.op_type(), node.output(0));
  const std::string onnxruntime = fmt::format("-> (\"{}\"", node.output(0));
  return message.find(openvino) != std::string_view::npos || message.find(onnxruntime) != std::string_view::npos;
}

}  // namespace

NodeLabel mentioned_node(const model::Model& model, const std::string& message) {
  NodeLabel found;
  std::size_t longest = kTellingName - 1;
  for (int i = 0; i < model.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model.graph().node(i);
    if (names_by_output(message, node)) return label_of(node, i);
    if (node.name().size() > longest && mentions(message, node.name())) {
      longest = node.name().size();
      found = label_of(node, i);
    }
  }
  return found;
}

}  // namespace assay::diagnose
