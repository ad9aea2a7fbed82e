#include "lint/check_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/at.h"
#include "edit/visit_graphs.h"
#include "lint/find_cycles.h"
#include "model/graph_view.h"

namespace assay::lint {
namespace {

using base::at;
using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

// Checks the edges of one graph: the model's or a body. Findings in a body are about `owner`, the node of the model's
// graph that contains it (kNone: this is the model's graph).
class EdgeRules {
 public:
  // `outer`: the graph around this one, which has been checked; null for the model's. `at`: the node there that has
  // this body.
  EdgeRules(const onnx::GraphProto& graph, const EdgeRules* outer, NodeId at, NodeId owner, Report& report)
      : graph_(graph), outer_(outer), at_(at), owner_(owner), report_(report), view_(graph) {}

  void check() {
    check_definitions();
    check_hidden();
    check_reads();
    check_outputs();
    check_order();
  }

 private:
  void report(std::string message, std::vector<NodeId> nodes) {
    if (owner_ != kNone) {
      message = fmt::format("In a body, the graph '{}': {}", graph_.name(), message);
      nodes = {owner_};
    }
    report_.add(Severity::exception, Source::checker, std::move(message), std::move(nodes));
  }

  // Returns true if the name stands for a tensor here or in a graph around this one.
  [[nodiscard]] bool is_defined(std::string_view name) const {
    for (const EdgeRules* scope = this; scope != nullptr; scope = scope->outer_) {
      if (scope->defined_.contains(name)) return true;
    }
    return false;
  }

  static constexpr std::string_view kAsInput = "as an input";
  struct Definition {
    std::string_view how = {};  // "as an input"; empty if a node computes it
    NodeId node = kNone;
  };

  // Every tensor may be defined once: as an input, a weight or by a node. An input may also be a weight, its default.
  void check_definitions() {
    std::set<std::string_view> inputs, defaults;
    const auto define = [&](std::string_view name, const Definition& again) {
      if (name.empty()) return;
      const auto [before, is_new] = defined_.emplace(name, again);
      if (!is_new) report_second(name, before->second, again);
    };
    for (const onnx::ValueInfoProto& input : graph_.input()) {
      define(input.name(), {kAsInput});
      inputs.insert(input.name());
    }
    const auto define_weight = [&](std::string_view name, std::string_view how) {
      const bool is_default = inputs.contains(name) && defaults.insert(name).second;
      if (!is_default) define(name, {how});
    };
    for (const onnx::TensorProto& weight : graph_.initializer()) define_weight(weight.name(), "as an initializer");
    for (const onnx::SparseTensorProto& weight : graph_.sparse_initializer()) {
      define_weight(weight.values().name(), "as a sparse initializer");
    }
    for (NodeId id = 0; id < graph_.node_size(); ++id) {
      for (const std::string& output : graph_.node(id).output()) define(output, {.node = id});
    }
  }

  // Returns whether the name stands for a tensor in the graphs around this body, before the nodes that have it.
  [[nodiscard]] bool is_visible_outside(std::string_view name) const {
    NodeId before = at_;
    for (const EdgeRules* scope = outer_; scope != nullptr; before = scope->at_, scope = scope->outer_) {
      const auto found = scope->defined_.find(name);
      if (found != scope->defined_.end() && found->second.node < before) return true;
    }
    return false;
  }

  // The names of weights in a body have to differ from those around it. For results of nodes, the checker says so;
  // inputs of bodies are often named after what is passed to them.
  void check_hidden() {
    for (const auto& [name, definition] : defined_) {
      const bool is_weight = definition.node == kNone && definition.how != kAsInput;
      if (!is_weight || !is_visible_outside(name)) continue;
      report_.add(Severity::warning, Source::graph,
                  fmt::format("In a body, the graph '{}': The weight '{}' hides a tensor of the same name around the "
                              "body. Engines may take either",
                              graph_.name(), name),
                  {owner_});
    }
  }

  void report_second(std::string_view name, const Definition& first, const Definition& second) {
    std::vector<NodeId> nodes;
    for (const NodeId id : {first.node, second.node}) {
      if (id != kNone && std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
    }
    const auto describe = [&](const Definition& definition) {
      if (definition.node == kNone) return std::string(definition.how);
      return "by " + model::describe_node(graph_.node(definition.node), definition.node);
    };
    report(fmt::format("The tensor '{}' is defined {} and again {}", name, describe(first), describe(second)),
           std::move(nodes));
  }

  void check_reads() {
    for (NodeId id = 0; id < graph_.node_size(); ++id) {
      std::set<std::string_view> reported;
      for (const std::string& input : graph_.node(id).input()) {
        if (input.empty() || is_defined(input)) continue;
        if (!reported.insert(input).second) continue;
        const std::string who = owner_ == kNone ? "It" : model::describe_node(graph_.node(id), id);
        report(fmt::format("{} reads the tensor '{}', which nothing defines", who, input), {id});
      }
    }
  }

  void check_outputs() {
    for (const onnx::ValueInfoProto& output : graph_.output()) {
      if (is_defined(output.name())) continue;
      report(fmt::format("The output '{}' is not defined by anything", output.name()), {});
    }
  }

  // Reports each cycle, and each node that comes before the producer of one of its inputs.
  void check_order() {
    const std::vector<std::vector<NodeId>> cycles = find_cycles(view_);
    std::vector<bool> on_cycle(at(view_.node_count()));
    for (const std::vector<NodeId>& cycle : cycles) {
      for (const NodeId id : cycle) on_cycle[at(id)] = true;
      report(fmt::format("{} depend{} on {} own output: the graph has a cycle",
                         cycle.size() == 1 ? "A node" : fmt::format("{} nodes", cycle.size()),
                         cycle.size() == 1 ? "s" : "", cycle.size() == 1 ? "its" : "their"),
             cycle);
    }
    for (NodeId id = 0; id < view_.node_count(); ++id) {
      for (const TensorId input : view_.inputs(id)) {
        const NodeId from = view_.producer(input);
        if (from == kNone || from <= id || (on_cycle[at(id)] && on_cycle[at(from)])) continue;
        const std::string who = owner_ == kNone ? "It" : model::describe_node(graph_.node(id), id);
        report(fmt::format("{} comes before {}, which computes its input '{}': the nodes are not sorted", who,
                           model::describe_node(graph_.node(from), from), view_.name(input)),
               {id});
        break;
      }
    }
  }

  const onnx::GraphProto& graph_;
  const EdgeRules* outer_;
  NodeId at_;
  NodeId owner_;
  Report& report_;
  GraphView view_;
  std::map<std::string_view, Definition> defined_;  // the first definition of each tensor
};

void check_with_bodies(const onnx::GraphProto& graph, const EdgeRules* outer, NodeId at, NodeId owner, Report& report) {
  EdgeRules rules(graph, outer, at, owner, report);
  rules.check();
  for (NodeId id = 0; id < graph.node_size(); ++id) {
    edit::visit_bodies(graph.node(id), [&](const onnx::GraphProto& body) {
      check_with_bodies(body, &rules, id, owner == kNone ? id : owner, report);
    });
  }
}

}  // namespace

void check_edges(const onnx::GraphProto& graph, Report& report) {
  check_with_bodies(graph, nullptr, kNone, kNone, report);
}

}  // namespace assay::lint
