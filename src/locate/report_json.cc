#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json_text.h"
#include "locate/report.h"
#include "run/layer_precisions.h"

namespace assay::locate {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = Location::Outcome;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

Json json(const Divergence& divergence) {
  Json object = {{"differs", divergence.differs}, {"size", number(divergence.size)}};
  if (!divergence.measured) {
    object["why"] = divergence.why;
    return object;
  }
  const stats::ErrorSummary& error = divergence.error;
  object["elements"] = error.elements;
  object["beyond"] = error.beyond;
  object["max_absolute"] = number(error.absolute.max);
  object["max_absolute_at"] = error.absolute.max_at;
  object["mean_absolute"] = number(error.absolute.mean);
  object["max_relative"] = number(error.relative.max);
  object["max_ulp"] = error.max_ulp;
  object["nan_mismatched"] = error.nan.mismatched;
  object["infinite_mismatched"] = error.infinite.mismatched;
  return object;
}

Json json(const Layer& layer) {
  Json object = {{"tensor", layer.tensor},
                 {"node_index", layer.node_index},
                 {"node", layer.node},
                 {"value", layer.description},
                 {"in_model", json(layer.in_model)}};
  if (!layer.source.empty()) object["source"] = layer.source;
  if (!layer.weights.empty()) {
    Json weights = Json::array();
    for (const WeightBeyondFloat16& weight : layer.weights) {
      weights.push_back(
          {{"name", weight.name}, {"too_large", weight.changes.too_large}, {"too_small", weight.changes.too_small}});
    }
    object["weights_beyond_float16"] = std::move(weights);
  }
  object["alone"] = layer.alone ? json(*layer.alone) : Json(nullptr);
  object["born"] = layer.alone ? Json(layer.alone->differs) : Json(nullptr);
  return object;
}

Json list(const std::vector<Layer>& layers) {
  Json array = Json::array();
  for (const Layer& layer : layers) array.push_back(json(layer));
  return array;
}

Json list(const std::vector<FusedLayer>& layers) {
  Json array = Json::array();
  for (const FusedLayer& layer : layers) {
    array.push_back({{"side", layer.runner}, {"layer", layer.name}, {"nodes", layer.nodes}});
  }
  return array;
}

const char* name(Outcome outcome) {
  if (outcome == Outcome::agree) return "agree";
  return outcome == Outcome::differ ? "differ" : "random";
}

const char* name(Way way) {
  if (way == Way::some) return "some";
  if (way == Way::all_at_once) return "all_at_once";
  return way == Way::windows ? "windows" : "bisection";
}

// The first difference, or the one that matters most.
Json json(const Layer& layer, const std::optional<Divergence>& in_piece) {
  Json object = json(layer);
  object["in_piece"] = in_piece ? json(*in_piece) : Json(nullptr);
  object["share_of_outputs_error"] = layer.share ? number(*layer.share) : Json(nullptr);
  return object;
}

Json json(const NextCommand& next) {
  return {
      {"checks", next.cost.checks}, {"seconds", next.cost.seconds()}, {"seconds_per_check", next.cost.check_seconds}};
}

void add_finding(const Location& location, const std::optional<NextCommand>& next, Json& object) {
  const Finding& finding = location.finding;
  if (!location.misplacing.empty()) object["misplaces_outputs"] = location.misplacing;
  object["way"] = name(finding.way);
  object["marking_changes_outputs"] = finding.disturbed;
  if (!location.refusal.empty()) object["refusal"] = location.refusal;
  object["first"] = json(location.first_tensor, location.in_piece);
  object["worst"] = json(location.worst_tensor, location.in_piece);
  if (!location.grew_earlier.empty()) object["earlier_tensor_that_grew"] = location.grew_earlier;
  object["piece"] = {
      {"nodes", location.piece}, {"confirmed", finding.confirmed}, {"runs_exhausted", finding.exhausted}};
  if (!location.fused.empty()) {
    object["fused"] = list(location.fused);
    object["only_fused"] = location.only_fused ? Json(*location.only_fused) : Json(nullptr);
  }
  if (!location.float32_layers.empty()) {
    object["layer_precisions"] = run::layer_precision_words(location.float32_layers, "float32");
    object["layer_precisions_agree"] = location.float32_agrees ? Json(*location.float32_agrees) : Json(nullptr);
  }
  object["only_place"] = location.only_place ? Json(*location.only_place) : Json(nullptr);
  object["layers"] = list(location.layers);
  if (next) {
    object["next"] = next->command;
    object["next_cost"] = json(*next);
  }
  if (location.model_file.empty()) return;
  Json files = {{"model", location.model_file.string()}, {"inputs", location.inputs_file.string()}};
  if (!location.against_file.empty()) files["against"] = location.against_file.string();
  if (!location.golden_file.empty()) files["golden"] = location.golden_file.string();
  object["files"] = std::move(files);
  object["verified"] = location.verified ? Json(*location.verified) : Json(nullptr);
}

}  // namespace

std::string to_json(const Location& location, const std::optional<NextCommand>& next) {
  Json object = {{"verdict", name(location.outcome)},       {"first_side", location.first},
                 {"second_side", location.second},          {"good_side", location.good},
                 {"good_is_known", location.good_is_known}, {"nodes", location.nodes},
                 {"compared_nodes", location.cells},        {"iteration", location.iteration},
                 {"outputs", list(location.outputs)}};
  if (location.outcome != Outcome::agree) add_finding(location, next, object);
  object["stopped"] = location.ledger.stopped;
  object["notes"] = location.notes;
  object["runs"] = location.ledger.runs;
  object["runs_limit"] = location.ledger.limit;
  object["sessions"] = location.ledger.sessions;
  object["seconds"] = location.seconds;
  return base::json_text(object, 2);
}

}  // namespace assay::locate
