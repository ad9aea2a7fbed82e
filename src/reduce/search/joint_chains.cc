#include "reduce/search/joint_chains.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/at.h"
#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {
namespace {

using base::at;

constexpr std::size_t kLongest = 64;  // nodes

// Returns the output that is read or is an output of the graph; kNone if several are.
edit::TensorId only_used_output(const model::GraphView& view, edit::NodeId node) {
  edit::TensorId used = edit::kNone;
  for (const edit::TensorId output : view.outputs(node)) {
    if (view.consumers(output).empty() && !view.is_graph_output(output)) continue;
    if (used != edit::kNone) return edit::kNone;
    used = output;
  }
  return used;
}

// Returns whether the node's output has the type of one of its inputs.
bool has_type_of_input(const onnx::NodeProto& node, const edit::ValueInfos& known) {
  const auto fits = [&](const std::string& input) { return same_type(input, node.output(0), known); };
  return node.output_size() == 1 && std::ranges::any_of(node.input(), fits);
}

// Returns the chain from `first` on; nothing if there is none, or if it contains nodes that are `taken`.
std::optional<PathSegment> chain_from(edit::NodeId first, const edit::Subject& subject, const edit::ValueInfos& known,
                                      const std::vector<bool>& taken) {
  const model::GraphView& view = subject.view();
  const auto inputs = view.inputs(first);
  const auto data = std::ranges::find_if(inputs, [&](edit::TensorId id) { return subject.varies(id); });
  if (data == inputs.end()) return std::nullopt;
  PathSegment chain{.from = std::string(view.name(*data)), .to = {}, .nodes = {}};
  for (edit::NodeId node = first; chain.nodes.size() < kLongest;) {
    const bool is_in_chain = std::ranges::find(chain.nodes, node) != chain.nodes.end();  // the graph has a cycle
    if (taken[at(node)] || is_in_chain || has_type_of_input(view.node(node), known)) return std::nullopt;
    chain.nodes.push_back(node);
    const edit::TensorId made = only_used_output(view, node);
    if (made != edit::kNone && same_type(chain.from, view.name(made), known)) {
      if (chain.nodes.size() == 1) return std::nullopt;  // bypass_nodes() has it
      chain.to = view.name(made);
      std::ranges::sort(chain.nodes);
      return chain;
    }
    if (made == edit::kNone || view.is_graph_output(made) || view.consumers(made).size() != 1) return std::nullopt;
    node = view.consumers(made).front();
  }
  return std::nullopt;
}

}  // namespace

std::vector<JointChain> joint_chains(const edit::Subject& subject, const edit::ValueInfos& known) {
  std::vector<JointChain> chains;
  std::vector<bool> taken(at(subject.view().node_count()), false);
  for (std::size_t i = 0; i < subject.nodes().size(); ++i) {
    std::optional<PathSegment> chain = chain_from(subject.nodes()[i], subject, known, taken);
    if (!chain) continue;
    for (const edit::NodeId node : chain->nodes) taken[at(node)] = true;
    chains.push_back({.first = i, .segment = *std::move(chain)});
  }
  return chains;
}

}  // namespace assay::reduce
