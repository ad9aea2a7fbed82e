#include "lint/report_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "base/json_text.h"

namespace assay::lint {
namespace {

using Json = nlohmann::ordered_json;

std::string_view source_name(Source source) {
  constexpr std::array names = {"onnx_loader", "onnx_checker", "onnx_graphsurgeon", "onnxruntime"};
  return names.at(static_cast<std::size_t>(source));
}

// Returns the names, each once: nodes may share one.
Json unique_names(const std::vector<std::string>& names) {
  Json unique = Json::array();
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) unique.push_back(name);
  }
  return unique;
}

Json to_json(const Report& report, const Finding& finding) {
  Json entry = {{"level", finding.severity == Severity::exception ? "exception" : "warning"},
                {"source", source_name(finding.source)},
                {"message", finding.message}};
  if (finding.nodes.empty()) return entry;
  std::vector<std::string> names;
  for (const model::NodeId id : finding.nodes) names.push_back(report.nodes[static_cast<std::size_t>(id)].name);
  entry["nodes"] = unique_names(names);
  return entry;
}

}  // namespace

std::string to_json(const Report& report) {
  std::vector<bool> failing(report.nodes.size());
  Json entries = Json::array();
  for (const Finding& finding : report.findings) {
    entries.push_back(to_json(report, finding));
    if (finding.severity != Severity::exception) continue;
    for (const model::NodeId id : finding.nodes) failing[static_cast<std::size_t>(id)] = true;
  }
  std::vector<std::string> passes, fails;
  for (std::size_t i = 0; i < report.nodes.size(); ++i) {
    const NodeResults& node = report.nodes[i];
    if (failing[i]) {
      fails.push_back(node.name);
    } else if (node.engine != CheckResult::unknown) {
      passes.push_back(node.name);
    }
  }
  const Json json = {{"summary", {{"passing", unique_names(passes)}, {"failing", unique_names(fails)}}},
                     {"lint_entries", std::move(entries)}};
  return base::json_text(json, 4);
}

}  // namespace assay::lint
