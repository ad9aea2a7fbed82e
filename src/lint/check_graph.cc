// ONNX's checker stops at the first of these defects, and Polygraphy reports only that one. Here each rule is applied
// to the whole graph.
#include "lint/check_graph.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/at.h"
#include "edit/visit_graphs.h"
#include "model/graph_view.h"
#include "model/onnx_facts.h"

namespace assay::lint {
namespace {

using base::at;
using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

void check_header(const model::Model& model, Report& report) {
  const auto wrong = [&](std::string message) { report.add(Severity::exception, Source::checker, std::move(message)); };
  if (model.proto.ir_version() == 0) wrong("The model states no IR version");
  if (model.graph().name().empty()) wrong("The graph has no name, which the standard requires");
  if (model.graph().node_size() == 0) report.add(Severity::warning, Source::loader, "The model has no nodes");

  std::set<std::string> imported;
  for (const onnx::OperatorSetIdProto& opset : model.proto.opset_import()) {
    const std::string domain = model::domain_name(opset.domain());
    if (imported.insert(domain).second) continue;
    // The standard allows it, and the highest version counts.
    report.add(Severity::warning, Source::graph, fmt::format("The operator set '{}' is imported twice", domain));
  }
  std::map<std::string, std::vector<NodeId>> missing;
  for (int i = 0; i < model.graph().node_size(); ++i) {
    for (const std::string& domain : domains_of(model.graph().node(i))) {
      if (!imported.contains(domain)) missing[domain].push_back(i);
    }
  }
  for (auto& [domain, nodes] : missing) {
    // Like Polygraphy, only warns of domains that aren't ONNX's: an engine may know them all the same.
    const Severity severity = is_standard_domain(domain) ? Severity::exception : Severity::warning;
    for (const NodeId id : nodes) report.nodes[at(id)].checker = CheckResult::fails;
    report.add(severity, Source::checker, fmt::format("The model imports no operator set for the domain '{}'", domain),
               std::move(nodes));
  }
}

void check_node_names(const model::Model& model, Report& report) {
  std::map<std::string, std::vector<NodeId>> names;
  for (int i = 0; i < model.graph().node_size(); ++i) names[model.graph().node(i).name()].push_back(i);
  for (auto& [name, nodes] : names) {
    if (name.empty() || nodes.size() == 1) continue;
    std::string message = fmt::format("{} nodes have the name '{}'", nodes.size(), name);
    report.add(Severity::exception, Source::graph, std::move(message), std::move(nodes));
  }
}

// Checks the edges of one graph: the model's or a body. Findings in a body are about `owner`, the node of the model's
// graph that contains it (kNone: this is the model's graph).
class EdgeRules {
 public:
  // `outer`: the graph around this one, which has been checked; null for the model's.
  EdgeRules(const onnx::GraphProto& graph, const EdgeRules* outer, NodeId owner, Report& report)
      : graph_(graph), outer_(outer), owner_(owner), report_(report), view_(graph) {}

  void check() {
    check_definitions();
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
      define(input.name(), {"as an input"});
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
    const std::vector<std::vector<NodeId>> cycles = find_cycles();
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

  // Returns the strongly connected components with an edge, by Tarjan's algorithm, without recursion.
  [[nodiscard]] std::vector<std::vector<NodeId>> find_cycles() const {
    struct Visit {
      NodeId node;
      std::size_t next;  // input to look at
    };
    const auto count = at(view_.node_count());
    std::vector<int> index(count, kNone), low(count);
    std::vector<bool> open(count);
    std::vector<NodeId> stack;
    std::vector<std::vector<NodeId>> cycles;
    int counter = 0;
    for (NodeId root = 0; root < view_.node_count(); ++root) {
      if (index[at(root)] != kNone) continue;
      std::vector<Visit> path;
      const auto enter = [&](NodeId id) {
        index[at(id)] = low[at(id)] = counter++;
        open[at(id)] = true;
        stack.push_back(id);
        path.push_back({id, 0});
      };
      enter(root);
      while (!path.empty()) {
        const NodeId id = path.back().node;
        const auto inputs = view_.inputs(id);
        if (path.back().next < inputs.size()) {
          const NodeId from = view_.producer(inputs[path.back().next++]);
          if (from == kNone) continue;
          if (index[at(from)] == kNone) {
            enter(from);
          } else if (open[at(from)]) {
            low[at(id)] = std::min(low[at(id)], index[at(from)]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[at(path.back().node)] = std::min(low[at(path.back().node)], low[at(id)]);
        if (low[at(id)] == index[at(id)]) close_component(id, stack, open, cycles);
      }
    }
    std::ranges::sort(cycles);
    return cycles;
  }

  void close_component(NodeId root, std::vector<NodeId>& stack, std::vector<bool>& open,
                       std::vector<std::vector<NodeId>>& cycles) const {
    std::vector<NodeId> component;
    do {
      component.push_back(stack.back());
      open[at(stack.back())] = false;
      stack.pop_back();
    } while (component.back() != root);
    const auto reads_itself = [&](TensorId input) { return view_.producer(input) == root; };
    if (component.size() == 1 && std::ranges::none_of(view_.inputs(root), reads_itself)) return;
    std::ranges::sort(component);
    cycles.push_back(std::move(component));
  }

  const onnx::GraphProto& graph_;
  const EdgeRules* outer_;
  NodeId owner_;
  Report& report_;
  GraphView view_;
  std::map<std::string_view, Definition> defined_;  // the first definition of each tensor
};

void check_edges(const onnx::GraphProto& graph, const EdgeRules* outer, NodeId owner, Report& report) {
  EdgeRules rules(graph, outer, owner, report);
  rules.check();
  for (NodeId id = 0; id < graph.node_size(); ++id) {
    edit::visit_bodies(graph.node(id), [&](const onnx::GraphProto& body) {
      check_edges(body, &rules, owner == kNone ? id : owner, report);
    });
  }
}

// Reports the nodes, inputs and initializers on which no output depends.
void check_use(const model::Model& model, Report& report) {
  const GraphView view(model.graph());
  std::vector<bool> needed(at(view.node_count())), read(at(view.tensor_count()));
  std::vector<NodeId> todo;
  const auto need = [&](TensorId tensor) {
    read[at(tensor)] = true;
    const NodeId from = view.producer(tensor);
    if (from == kNone || needed[at(from)]) return;
    needed[at(from)] = true;
    todo.push_back(from);
  };
  for (const onnx::ValueInfoProto& output : model.graph().output()) need(view.find(output.name()));
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    for (const TensorId input : view.inputs(id)) need(input);
  }
  for (TensorId id = 0; id < view.tensor_count(); ++id) {
    if (read[at(id)] || view.producer(id) != kNone) continue;
    if (!view.is_graph_input(id) && !view.is_initializer(id)) continue;
    report.add(Severity::warning, Source::graph,
               fmt::format("No output depends on the {} '{}'", view.is_initializer(id) ? "initializer" : "input",
                           view.name(id)));
  }
  for (NodeId id = 0; id < view.node_count(); ++id) {
    if (!needed[at(id)]) report.add(Severity::warning, Source::graph, "No output depends on this node", {id});
  }
}

}  // namespace

std::set<std::string> domains_of(const onnx::NodeProto& node) {
  std::set<std::string> domains = {model::domain_name(node.domain())};
  edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
    edit::visit_nodes(body.node(),
                      [&](const onnx::NodeProto& inner) { domains.insert(model::domain_name(inner.domain())); });
  });
  return domains;
}

bool is_standard_domain(std::string_view domain) {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().contains(model::domain_key(domain));
}

void check_graph(const model::Model& model, Report& report) {
  check_header(model, report);
  check_node_names(model, report);
  check_edges(model.graph(), nullptr, kNone, report);
  // Without outputs, nothing is used, and one finding says so.
  if (model.graph().output_size() > 0 || model.graph().node_size() == 0) check_use(model, report);
}

}  // namespace assay::lint
