// ONNX's checker stops at the first of these defects, and Polygraphy reports only that one. Here each rule is applied
// to the whole graph.
#include "lint/check_graph.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/at.h"
#include "base/list_first.h"
#include "edit/visit_graphs.h"
#include "lint/check_edges.h"
#include "model/dependencies.h"
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

// Reports the nodes, inputs and initializers on which no output depends.
void check_use(const GraphView& view, Report& report) {
  const std::vector<bool> needed = model::needed_nodes(view);
  std::vector<bool> read(at(view.tensor_count()));
  for (NodeId id = 0; id < view.node_count(); ++id) {
    if (!needed[at(id)]) continue;
    for (const TensorId input : view.inputs(id)) read[at(input)] = true;
  }
  for (TensorId id = 0; id < view.tensor_count(); ++id) {
    if (read[at(id)] || view.is_graph_output(id) || view.producer(id) != kNone) continue;
    if (!view.is_graph_input(id) && !view.is_initializer(id)) continue;
    report.add(Severity::warning, Source::graph,
               fmt::format("No output depends on the {} '{}'", view.is_initializer(id) ? "initializer" : "input",
                           view.name(id)));
  }
  for (NodeId id = 0; id < view.node_count(); ++id) {
    if (!needed[at(id)]) report.add(Severity::warning, Source::graph, "No output depends on this node", {id});
  }
}

// Since IR version 4, the value of an initializer that is an input, too, is only a default.
void check_default_values(const model::Model& model, const GraphView& view, Report& report) {
  if (model::initializers_are_inputs(model.proto)) return;
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (view.is_initializer(view.find(input.name()))) names.push_back("'" + input.name() + "'");
  }
  if (names.empty()) return;
  report.add(Severity::warning, Source::graph,
             fmt::format("These initializers are also inputs, so engines can't treat them as constants: {}",
                         base::list_first(std::move(names), 5, ", ")));
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
  check_edges(model.graph(), report);
  const GraphView view(model.graph());
  check_default_values(model, view, report);
  // Without outputs, nothing is used, and one finding says so.
  if (model.graph().output_size() > 0 || model.graph().node_size() == 0) check_use(view, report);
}

}  // namespace assay::lint
