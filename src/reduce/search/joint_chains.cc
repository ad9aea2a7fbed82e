#include "reduce/search/joint_chains.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {
namespace {

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

// Returns the chain that begins where `first` reads `from`; nothing if there is none.
std::optional<PathSegment> chain_from(edit::NodeId first, edit::TensorId from, const edit::Subject& subject,
                                      const edit::ValueInfos& known) {
  const model::GraphView& view = subject.view();
  PathSegment chain{.from = std::string(view.name(from)), .to = {}, .nodes = {}};
  edit::TensorId read = from;
  for (edit::NodeId node = first; chain.nodes.size() < kLongest;) {
    const bool is_in_chain = std::ranges::find(chain.nodes, node) != chain.nodes.end();  // the graph has a cycle
    const edit::TensorId made = only_used_output(view, node);
    if (is_in_chain || made == edit::kNone) return std::nullopt;
    if (same_type(view.name(read), view.name(made), known)) return std::nullopt;  // this node can be bypassed alone
    chain.nodes.push_back(node);
    if (same_type(chain.from, view.name(made), known)) {
      chain.to = view.name(made);
      std::ranges::sort(chain.nodes);
      return chain;
    }
    if (view.is_graph_output(made) || view.consumers(made).size() != 1) return std::nullopt;
    read = made;
    node = view.consumers(made).front();
  }
  return std::nullopt;
}

}  // namespace

std::vector<JointChain> joint_chains(const edit::Subject& subject, const edit::ValueInfos& known) {
  std::vector<JointChain> chains;
  for (std::size_t i = 0; i < subject.nodes().size(); ++i) {
    const edit::NodeId first = subject.nodes()[i];
    const auto inputs = subject.view().inputs(first);
    for (auto input = inputs.begin(); input != inputs.end(); ++input) {
      const bool is_repeated = std::find(inputs.begin(), input, *input) != input;
      if (is_repeated || !subject.varies(*input)) continue;
      if (auto chain = chain_from(first, *input, subject, known)) chains.push_back({i, *std::move(chain)});
    }
  }
  return chains;
}

}  // namespace assay::reduce
