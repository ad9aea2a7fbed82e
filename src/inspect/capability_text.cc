#include "inspect/capability_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace assay::inspect {
namespace {

template <std::size_t kColumns>
using Row = std::array<std::string, kColumns>;

// Pads all columns to their longest cell; the first row is the head.
template <std::size_t kColumns>
std::string table(const std::vector<Row<kColumns>>& rows) {
  std::array<std::size_t, kColumns> widths = {};
  for (const Row<kColumns>& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = "===== Summary =====\n";
  for (const Row<kColumns>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < kColumns; ++i) line += fmt::format("{}{:{}}", i == 0 ? "" : " | ", row[i], widths[i]);
    text += line + "\n";
    if (&row == rows.data()) text += std::string(line.size(), '-') + "\n";
  }
  return text;
}

}  // namespace

std::string errors_table(const std::vector<tensorrt::CapabilityError>& errors) {
  std::vector<Row<4>> rows = {{"Stack trace", "Operator", "Node", "Reason"}};
  for (const tensorrt::CapabilityError& error : errors) {
    rows.push_back({error.stack_trace, error.op_type, error.node, error.reason});
  }
  return table(rows);
}

std::string refused_table(std::span<const RefusedNodes> refused) {
  struct Entry {
    std::string op_type, reason;
    std::vector<std::string> nodes;
  };
  std::vector<Entry> entries;  // in order of first appearance
  for (const RefusedNodes& nodes : refused) {
    auto at = std::ranges::find_if(
        entries, [&](const Entry& entry) { return entry.op_type == nodes.op_type && entry.reason == nodes.reason; });
    if (at == entries.end()) at = entries.insert(at, {nodes.op_type, nodes.reason, {}});
    at->nodes.push_back(fmt::format("[{}, {}]", nodes.begin, nodes.end));
  }
  std::vector<Row<4>> rows = {{"Operator", "Count", "Reason", "Nodes"}};
  for (const Entry& entry : entries) {
    rows.push_back({entry.op_type, fmt::format("{}", entry.nodes.size()), entry.reason,
                    "[" + base::join(entry.nodes, ", ") + "]"});
  }
  return table(rows);
}

}  // namespace assay::inspect
