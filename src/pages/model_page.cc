#include "pages/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "inspect/model_description.h"
#include "model/onnx_facts.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

report::PageTable fact_table(const inspect::ModelDescription& model) {
  report::PageTable table{.title = model.is_network ? "Network" : "Model", .columns = {"Fact", "Value"}};
  table.rows.push_back({"Name", model.graph.name});
  if (model.is_network) {
    table.rows.push_back({"Strongly typed", model.is_strongly_typed ? "yes" : "no"});
    return table;
  }
  table.rows.push_back({"IR version", fmt::format("{}", model.ir_version)});
  table.rows.push_back({"Operator set", model.opset > 0 ? fmt::format("{}", model.opset) : "none"});
  for (const inspect::OpsetDescription& opset : model.other_opsets) {
    table.rows.push_back({"Operator set " + opset.domain, fmt::format("{}", opset.version)});
  }
  if (!model.producer.empty()) table.rows.push_back({"Producer", model.producer});
  if (!model.doc.empty()) table.rows.push_back({"Description", model.doc});
  for (const auto& [key, value] : model.metadata) table.rows.push_back({"Metadata: " + key, value});
  for (const inspect::FunctionDescription& function : model.functions) {
    table.rows.push_back({"Function " + model::domain_name(function.domain) + "." + function.name,
                          base::counted(function.body.node_count, "node")});
  }
  return table;
}

// The types and shapes are those of the page's graph, which has what ONNX infers.
report::PageTable value_table(const inspect::GraphDescription& graph, report::PageGraph& shown) {
  GraphTensors tensors(shown);
  report::PageTable table{.title = "Inputs and outputs", .columns = {"Kind", "Name", "Type", "Shape"}};
  const auto add = [&](const char* kind, const inspect::ValueDescription& value) {
    const report::PageTensor* tensor = tensors.find(value.name);
    table.rows.push_back({kind, value.name, tensor == nullptr ? value.type : tensor->type,
                          tensor == nullptr ? std::string() : tensor->shape});
  };
  for (const inspect::ValueDescription& input : graph.inputs) add("input", input);
  for (const inspect::ValueDescription& output : graph.outputs) add("output", output);
  return table;
}

// Counts the operators, or the kinds of a network's layers, the most frequent first.
report::PageTable operator_table(const report::PageGraph& graph, bool is_network) {
  std::map<std::string, std::int64_t> counts;
  for (const report::PageNode& node : graph.nodes) {
    ++counts[model::is_default_domain(node.domain) ? node.op_type : node.domain + "." + node.op_type];
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::int64_t>::second);
  report::PageTable table{.title = is_network ? "Layers" : "Operators",
                          .columns = {is_network ? "Kind" : "Operator", is_network ? "Layers" : "Nodes"}};
  for (const auto& [name, count] : sorted) table.rows.push_back({name, fmt::format("{}", count)});
  return table;
}

std::string verdict(const inspect::ModelDescription& model, std::size_t all_nodes) {
  const inspect::GraphDescription& graph = model.graph;
  if (model.is_network) return "The network of TensorRT has " + base::counted(graph.node_count, "layer") + ".";
  const std::string in_bodies =
      all_nodes > graph.node_count ? fmt::format(" ({} with those in bodies)", all_nodes) : std::string();
  const std::string weights = graph.initializer_count == 0
                                  ? "no weights"
                                  : fmt::format("{} of {}", base::counted(graph.initializer_count, "weight"),
                                                base::format_bytes(graph.initializer_bytes));
  return fmt::format("The model has {}{} and {}.", base::counted(graph.node_count, "node"), in_bodies, weights);
}

}  // namespace

base::Expected<report::Page> model_page(const model::Model& model) {
  ASSAY_ASSIGN(const inspect::ModelDescription description, inspect::describe(model, {}));
  report::Page page;
  page.graph = graph_of(model);
  add_weight_statistics(page.graph, model);
  page.mark = report::Mark::note;
  page.verdict = verdict(description, page.graph.nodes.size());
  page.tables.push_back(fact_table(description));
  page.tables.push_back(value_table(description.graph, page.graph));
  page.tables.push_back(operator_table(page.graph, description.is_network));
  return page;
}

}  // namespace assay::pages
