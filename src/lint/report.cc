#include "lint/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace assay::lint {

void Report::add(Severity severity, Source source, std::string message, std::vector<model::NodeId> about) {
  if (severity == Severity::exception && source == Source::checker) {
    for (const model::NodeId id : about) nodes[static_cast<std::size_t>(id)].checker = CheckResult::fails;
  }
  findings.push_back({severity, source, std::move(message), std::move(about)});
}

void Report::reject_node(model::NodeId node, std::string message) {
  add(Severity::exception, Source::checker, std::move(message), {node});
  findings.back().engine_decides = true;
}

void Report::apply_engine_results() {
  const auto passes = [&](model::NodeId id) {
    return nodes[static_cast<std::size_t>(id)].engine == CheckResult::passes;
  };
  for (Finding& finding : findings) {
    if (finding.engine_decides && std::ranges::all_of(finding.nodes, passes)) finding.severity = Severity::warning;
  }
}

std::size_t Report::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

Report make_report(const model::Model& model) {
  Report report;
  std::set<std::string> taken;
  for (const onnx::NodeProto& node : model.graph().node()) taken.insert(node.name());
  for (int i = 0; i < model.graph().node_size(); ++i) {
    std::string name = model.graph().node(i).name();
    if (name.empty()) {
      const std::string stem = fmt::format("polygraphy_unnamed_node_{}", i);
      name = stem;
      for (int k = 0; !taken.insert(name).second; ++k) name = fmt::format("{}_{}", stem, k);
    }
    report.nodes.push_back({std::move(name), model::describe_node(model.graph().node(i), i)});
  }
  return report;
}

}  // namespace assay::lint
