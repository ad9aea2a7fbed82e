// The iteration number varies from one iteration to the next. So does a state, unless it is returned unchanged or
// depends on nothing that varies. A state is assumed to vary until the opposite is shown. The condition that a body
// receives doesn't vary: it is true, or the iteration wouldn't run.
#include "reduce/candidates/bound_loops.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/visit_graphs.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/constants.h"
#include "reduce/candidates/loop_parts.h"

namespace assay::reduce {
namespace {

using Names = std::unordered_set<std::string>;

// Returns the tensor of which `tensor` is a copy, made by Identity nodes.
std::string original_of(const std::unordered_map<std::string, std::string>& copies, std::string tensor) {
  for (std::size_t steps = 0; steps <= copies.size(); ++steps) {
    const auto at = copies.find(tensor);
    if (at == copies.end()) break;
    tensor = at->second;
  }
  return tensor;
}

// Adds what the nodes compute from tensors that vary. The nodes are in topological order.
void spread(const onnx::GraphProto& body, Names& varying) {
  for (const onnx::NodeProto& node : body.node()) {
    const auto varies = [&](const std::string& name) { return varying.contains(name); };
    if (std::ranges::any_of(edit::names_read(node), varies)) varying.insert(node.output().begin(), node.output().end());
  }
}

}  // namespace

bool condition_varies(const onnx::GraphProto& body) {
  if (body.input_size() < kBeforeStates || body.output_size() == 0) return false;
  std::unordered_map<std::string, std::string> copies;
  for (const onnx::NodeProto& node : body.node()) {
    const bool is_copy = is_operator(node, "Identity") && node.input_size() == 1 && node.output_size() == 1;
    if (is_copy) copies.emplace(node.output(0), node.input(0));
  }
  std::vector<std::pair<std::string, std::string>> states;  // as an input and as an output
  for (int i = kBeforeStates; i < body.input_size() && i - 1 < body.output_size(); ++i) {
    const std::string& in = body.input(i).name();
    const std::string& out = body.output(i - 1).name();
    if (original_of(copies, out) != in) states.emplace_back(in, out);
  }
  for (;;) {
    Names varying{body.input(0).name()};
    for (const auto& [in, out] : states) varying.insert(in);
    spread(body, varying);
    const auto is_steady = [&](const auto& state) { return !varying.contains(state.second); };
    if (std::erase_if(states, is_steady) == 0) return varying.contains(body.output(0).name());
  }
}

bool has_few_rounds(const onnx::GraphProto& graph, const onnx::NodeProto& loop) {
  const auto rounds = loop.input_size() == 0 ? std::nullopt : find_integers(graph, loop.input(0));
  return rounds && rounds->size() == 1 && rounds->front() <= kRoundsIfUnknown;
}

void bound_loops(const model::Model& before, const edit::ValueInfos& known, model::Model& after) {
  Names could_end;  // outputs of Loops
  for (const Place& place : graphs_of(before.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      const auto loop = read_loop(node);
      if (loop && condition_varies(*loop->body)) could_end.insert(node.output().begin(), node.output().end());
    }
  }
  could_end.erase("");
  if (could_end.empty()) return;
  const auto is_meant = [&](const std::string& output) { return could_end.contains(output); };
  std::vector<edit::ModelChange> changes;
  FreshNames names(after.graph());
  for (const Place& place : graphs_of(after.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      const auto loop = read_loop(node);
      if (!loop || std::ranges::none_of(node.output(), is_meant)) continue;
      if (condition_varies(*loop->body) || has_few_rounds(*place.graph, node)) continue;
      const std::string name = names.make("rounds");
      changes.push_back({{},
                         {edit::SetInitializer{place.path, int64_scalar(name, kRoundsIfUnknown)},
                          edit::SetNodeInput{reference_to(place, node), 0, name}}});
    }
  }
  std::vector<const edit::ModelChange*> all;
  for (const edit::ModelChange& change : changes) all.push_back(&change);
  if (!all.empty()) after = edit::apply(after, all, known).model;
}

}  // namespace assay::reduce
