#include "diff/diff_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"
#include "diff/change_kinds.h"
#include "inspect/tensor_json.h"

namespace assay::diff {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ModelSize& size, const std::string& path) {
  return {{"path", path}, {"nodes", size.nodes}, {"weights", size.weights}, {"weight_bytes", size.weight_bytes}};
}

Json to_json(const std::optional<Item>& item) {
  if (!item) return nullptr;
  Json json = {{"type", item->type}, {"name", item->name}};
  if (item->index >= 0) json["index"] = item->index;
  return json;
}

Json to_json(const WeightChange& values) {
  return {{"elements", values.elements},
          {"different", values.different},
          {"nan_in_one", values.nan_in_one},
          {"max_abs_diff", inspect::number_json(values.largest)},
          {"max_abs_diff_at", values.at},
          {"norm", inspect::number_json(values.norm)},
          {"relative_norm", inspect::number_json(values.relative_norm)}};
}

Json to_json(const Change& change) {
  Json json = {{"aspect", name(change.aspect)},
               {"kind", name(change.kind)},
               {"graph", change.graph},
               {"first", to_json(change.first)},
               {"second", to_json(change.second)},
               {"detail", change.detail},
               {"before", change.before},
               {"after", change.after}};
  if (change.values) json["values"] = to_json(*change.values);
  return json;
}

}  // namespace

std::string to_json(const ModelDiff& diff, const std::string& first, const std::string& second) {
  Json changes = Json::array();
  for (const Change& change : diff.changes) changes.push_back(to_json(change));
  Json operators = Json::object();
  for (const model::OperatorChange& change : diff.operators) {
    operators[change.name] = {{"first", change.before}, {"second", change.after}};
  }
  const Json json = {{"equal", diff.equal()},
                     {"first", to_json(diff.first, first)},
                     {"second", to_json(diff.second, second)},
                     {"weights_ignored", diff.weights_ignored},
                     {"operators", std::move(operators)},
                     {"changes", std::move(changes)}};
  return base::json_text(json, 2);
}

}  // namespace assay::diff
