// Helpers of this room's tests: models from ONNX's text format, and changes as short lines.
#pragma once

#include <string>
#include <vector>

#include "diff/change_kinds.h"
#include "diff/diff_models.h"
#include "model/load.h"

namespace assay::diff {

inline model::Model parse(const std::string& body) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]>\n" + body).value();
}

inline ModelDiff compare(const model::Model& first, const model::Model& second, const Ignore& ignore = {}) {
  return diff_models(first, second, ignore).value();
}

// Returns a line for each change: "node added: Relu r", "wiring changed: Add a: input 0: ...".
inline std::vector<std::string> lines(const ModelDiff& diff) {
  std::vector<std::string> all;
  for (const Change& change : diff.changes) {
    const Item& item = change.first ? *change.first : *change.second;
    std::string line = std::string(name(change.aspect)) + " " + std::string(name(change.kind)) + ": " + item.type;
    if (!item.name.empty()) line += " " + item.name;
    if (!change.detail.empty()) line += ", " + change.detail;
    if (!change.before.empty() || !change.after.empty()) line += ": " + change.before + " -> " + change.after;
    if (!change.graph.empty()) line += " [" + change.graph + "]";
    all.push_back(line);
  }
  return all;
}

}  // namespace assay::diff
