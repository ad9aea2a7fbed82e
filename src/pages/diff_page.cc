#include "pages/diff_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "diff/change_kinds.h"
#include "diff/diff_text.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

constexpr std::size_t kMostRows = 500;  // of one kind of change; JSON has all

std::vector<std::string> row_of(const diff::Change& change) {
  std::string after = change.after;
  if (change.values) {
    after += (after.empty() ? "" : "; ") + diff::values_text(change);
  } else if (change.aspect == diff::Aspect::weight && change.kind == diff::Kind::changed && after.empty()) {
    after = "other values";
  }
  return {diff::subject_text(change), change.detail, change.before, after, change.graph};
}

// Most changes have no detail, and most models only one graph.
void remove_empty_columns(report::PageTable& table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    if (!std::ranges::all_of(table.rows, [&](const auto& row) { return row[column].empty(); })) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

report::PageTable table_of(const diff::ChangeGroup& group, const std::vector<const diff::Change*>& changes) {
  report::PageTable table{.title = diff::count_text(group, changes.size()),
                          .columns = {"Subject", "Detail", "Before", "After", "Graph"}};
  const std::size_t shown = std::min(changes.size(), kMostRows);
  if (shown < changes.size()) table.title += fmt::format(" (the first {}; --format json has all)", shown);
  for (std::size_t i = 0; i < shown; ++i) table.rows.push_back(row_of(*changes[i]));
  remove_empty_columns(table);
  return table;
}

// Returns the tensor that a changed weight is, or, if it is an attribute of a node, the first one that the node
// computes.
std::string tensor_of(const diff::Item& item, const onnx::GraphProto& graph) {
  if (item.index < 0) return item.name;
  const onnx::NodeProto& node = graph.node(item.index);
  return node.output_size() > 0 ? node.output(0) : std::string();
}

// Shows the changes of weights as errors of the first model's tensors.
void add_changes(report::PageGraph& graph, const diff::ModelDiff& diff, const onnx::GraphProto& first) {
  GraphTensors tensors(graph);
  for (const diff::Change& change : diff.changes) {
    if (change.aspect != diff::Aspect::weight || !change.first || !change.graph.empty()) continue;
    report::PageTensor* tensor = tensors.find(tensor_of(*change.first, first));
    if (tensor == nullptr) continue;
    tensor->agrees = false;
    if (!change.values) continue;
    tensor->absolute = change.values->largest;
    tensor->norm = change.values->relative_norm;
  }
}

}  // namespace

report::Page diff_page(const diff::ModelDiff& diff, const model::Model& first) {
  report::Page page;
  page.mark = diff.equal() ? report::Mark::good : report::Mark::bad;
  page.verdict = diff::summary(diff) + (diff.weights_ignored ? "; weights in external files were not compared." : ".");
  for (const diff::ChangeGroup& group : diff::change_groups()) {
    const std::vector<const diff::Change*> changes = diff::changes_of(diff, group);
    if (!changes.empty()) page.tables.push_back(table_of(group, changes));
  }
  page.graph = graph_of(first);
  add_weight_statistics(page.graph, first);
  add_changes(page.graph, diff, first.graph());
  return page;
}

}  // namespace assay::pages
