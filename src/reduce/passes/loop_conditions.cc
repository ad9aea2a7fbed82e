// Goes back from the conditions that bodies return, through nodes, through the states of the loops, and into bodies.
// Names are taken to mean the same tensor everywhere. At worst, that finds a few tensors too many.
#include "reduce/passes/loop_conditions.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "edit/node_places.h"
#include "edit/visit_graphs.h"
#include "reduce/candidates/bound_loops.h"
#include "reduce/candidates/loop_parts.h"

namespace assay::reduce {
namespace {

class Walk {
 public:
  explicit Walk(const onnx::GraphProto& graph) : places_(edit::node_places(graph)) {
    for (const edit::NodePlace& place : places_) {
      const onnx::NodeProto& node = *place.node;
      for (const std::string& output : node.output()) {
        add_sources(output, {node.input().begin(), node.input().end()});
        edit::visit_bodies(node, [&](const onnx::GraphProto& body) { add_sources(output, names_of(body.output())); });
      }
      if (const auto loop = read_loop(node)) add_inputs(node, *loop->body, kBeforeStates, 1);
      if (const auto scan = read_scan(node)) add_inputs(node, *scan->body, 0, 0);
    }
  }

  std::set<std::string> run() && {
    for (const edit::NodePlace& place : places_) {
      const auto loop = read_loop(*place.node);
      if (loop && !has_few_rounds(*place.graph, *place.node)) reach(loop->body->output(0).name());
    }
    while (!waiting_.empty()) {
      const std::string name = std::move(waiting_.back());
      waiting_.pop_back();
      for (const std::string& source : sources_[name]) reach(source);
    }
    return std::move(reached_);
  }

 private:
  using Names = std::vector<std::string>;

  template <class Values>
  static Names names_of(const Values& values) {
    Names names;
    for (const auto& value : values) names.push_back(value.name());
    return names;
  }

  void add_sources(const std::string& of, const Names& names) {
    Names& sources = sources_[of];
    sources.insert(sources.end(), names.begin(), names.end());
  }

  // A body reads what its node reads and, as states in later iterations, what it has returned itself. `input` and
  // `output`: where the states begin among the body's inputs and outputs.
  void add_inputs(const onnx::NodeProto& node, const onnx::GraphProto& body, int input, int output) {
    for (int i = 0; i < body.input_size(); ++i) {
      const std::string& name = body.input(i).name();
      add_sources(name, {node.input(i)});
      const int returned = i - input + output;
      if (i >= input && returned < body.output_size()) add_sources(name, {body.output(returned).name()});
    }
  }

  void reach(const std::string& name) {
    if (!name.empty() && reached_.insert(name).second) waiting_.push_back(name);
  }

  std::vector<edit::NodePlace> places_;
  std::unordered_map<std::string, Names> sources_;  // by tensor: from which others it is computed
  std::set<std::string> reached_;
  Names waiting_;
};

}  // namespace

std::set<std::string> tensors_of_conditions(const onnx::GraphProto& graph) {
  return Walk(graph).run();
}

}  // namespace assay::reduce
