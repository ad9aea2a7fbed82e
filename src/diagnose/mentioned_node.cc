#include "diagnose/mentioned_node.h"

#include <cctype>
#include <string_view>

namespace assay::diagnose {
namespace {

constexpr std::size_t kTellingName = 3;

// Names are often paths, so that '/' continues a name.
bool continues_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' || character == '/';
}

bool mentions(std::string_view message, std::string_view name) {
  for (std::size_t at = message.find(name); at != std::string_view::npos; at = message.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !continues_name(message[at - 1]);
    if (begins && (end == message.size() || !continues_name(message[end]))) return true;
  }
  return false;
}

}  // namespace

NodeLabel mentioned_node(const model::Model& model, const std::string& message) {
  NodeLabel found;
  std::size_t longest = kTellingName - 1;
  for (int i = 0; i < model.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model.graph().node(i);
    if (node.name().size() > longest && mentions(message, node.name())) {
      longest = node.name().size();
      found = label_of(node, i);
    }
  }
  return found;
}

}  // namespace assay::diagnose
