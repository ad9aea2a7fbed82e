#include "compare/layer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/shorten_middle.h"
#include "compare/equal_specials_text.h"
#include "data/run_results.h"

namespace assay::compare {
namespace {

constexpr std::size_t kMostRows = 10;
constexpr std::size_t kWidestName = 40;

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "inf";
}

// "Conv 'conv_1' (#3)"
std::string node_text(const ComparedLayer& layer) {
  if (layer.node < 0) return layer.op_type.empty() ? "-" : layer.op_type;
  return layer.node_name.empty() ? fmt::format("{} (#{})", layer.op_type, layer.node)
                                 : fmt::format("{} '{}' (#{})", layer.op_type, layer.node_name, layer.node);
}

std::string verdict(const ComparedLayer& layer) {
  if (layer.errors.agrees) return "agrees";
  if (layer.only_specials()) return fmt::format("{} on both sides", layer.specials());
  if (layer.node < 0) return "differs";
  if (layer.is_birthplace()) return "BORN HERE";
  return layer.grew() ? "grew here" : "passed on";
}

std::string error_text(const ComparedLayer& layer) {
  if (!layer.only_specials()) return "error " + number(layer.errors.norm);
  return describe_equal_specials({.infinities = layer.errors.infinities > 0, .nans = layer.errors.nans > 0});
}

std::string shortened(const std::string& text) {
  return base::shorten_middle(text, kWidestName);
}

std::string table(const std::vector<const ComparedLayer*>& layers) {
  std::size_t tensor_width = 6;
  std::size_t node_width = 4;
  for (const ComparedLayer* layer : layers) {
    tensor_width = std::max(tensor_width, base::count_characters(shortened(layer->tensor)));
    node_width = std::max(node_width, base::count_characters(shortened(node_text(*layer))));
  }
  std::string text = fmt::format("\n{:<{}}  {:<{}}  {:>9}  {:>9}  {:>9}  {:>9}  {:>10}  {}", "tensor", tensor_width,
                                 "node", node_width, "error", "of inputs", "max abs", "max rel", "max ULP", "verdict");
  for (const ComparedLayer* layer : layers) {
    text +=
        fmt::format("\n{:<{}}  {:<{}}  {:>9}  {:>9}  {:>9}  {:>9}  {:>10}  {}", shortened(layer->tensor), tensor_width,
                    shortened(node_text(*layer)), node_width, number(layer->errors.norm), number(layer->passed_on),
                    number(layer->errors.absolute), number(layer->errors.relative), layer->errors.ulp, verdict(*layer));
  }
  return text;
}

std::vector<const ComparedLayer*> chosen_layers(const LayerPair& pair, LayerRows rows) {
  std::vector<const ComparedLayer*> layers;
  for (const ComparedLayer& layer : pair.layers) {
    if (rows == LayerRows::all || (rows == LayerRows::born && !layer.errors.agrees)) layers.push_back(&layer);
  }
  if (rows != LayerRows::born) return layers;
  std::ranges::stable_sort(layers, std::ranges::greater(), [](const ComparedLayer* layer) {
    return std::pair(layer->is_birthplace(), layer->growth());
  });
  if (layers.size() > kMostRows) layers.resize(kMostRows);
  return layers;
}

void write_finite(tensor::JsonWriter& json, const char* key, double value) {
  json.key(key);
  if (std::isfinite(value)) {
    json.number(value);
  } else {
    json.null();
  }
}

void write_layer(tensor::JsonWriter& json, const ComparedLayer& layer) {
  json.begin_object();
  json.string("tensor", layer.tensor);
  json.key("node");
  if (layer.node >= 0) {
    json.integer(layer.node);
  } else {
    json.null();
  }
  json.string("node_name", layer.node_name);
  json.string("op_type", layer.op_type);
  json.key("agrees");
  json.boolean(layer.errors.agrees);
  write_finite(json, "max_absolute", layer.errors.absolute);
  write_finite(json, "max_relative", layer.errors.relative);
  json.key("max_ulp");
  json.integer(
      static_cast<std::int64_t>(std::min<std::uint64_t>(layer.errors.ulp, std::numeric_limits<std::int64_t>::max())));
  write_finite(json, "error", layer.errors.norm);
  write_finite(json, "error_of_inputs", layer.passed_on);
  json.key("nan_on_both_sides");
  json.integer(static_cast<std::int64_t>(layer.errors.nans));
  json.key("infinity_on_both_sides");
  json.integer(static_cast<std::int64_t>(layer.errors.infinities));
  json.key("born_here");
  json.boolean(layer.is_birthplace());
  json.key("grew_here");
  json.boolean(layer.grew());
  json.end_object();
}

}  // namespace

std::string describe_layers(const LayerPair& pair, LayerRows rows, const std::string& next) {
  const auto differs = [](const ComparedLayer& layer) { return !layer.errors.agrees; };
  const auto count = std::ranges::count_if(pair.layers, differs);
  std::string text =
      fmt::format("Layers of {} and {}", data::short_runner_name(pair.first), data::short_runner_name(pair.second));
  if (count == 0) {
    const auto worst =
        std::ranges::max_element(pair.layers, {}, [](const ComparedLayer& layer) { return layer.errors.norm; });
    text += pair.layers.size() == 1 ? " | the only one agrees" : fmt::format(" | all {} agree", pair.layers.size());
    if (worst != pair.layers.end() && worst->errors.norm > 0) {
      text += fmt::format("; the largest error is {} at '{}', {}", number(worst->errors.norm), worst->tensor,
                          node_text(*worst));
    }
  } else {
    const auto first = std::ranges::find_if(pair.layers, differs);
    text += fmt::format(" | {} of {} {}\nThe first is '{}', {}: {}", count, pair.layers.size(),
                        count == 1 ? "differs" : "differ", first->tensor, node_text(*first), error_text(*first));
    if (first->node >= 0 && !first->only_specials()) {
      text += first->is_birthplace()
                  ? "; born there, its inputs are equal"
                  : fmt::format("; {}, its inputs have {}", first->grew() ? "grew there" : "passed on",
                                number(first->passed_on));
    }
    const bool has_difference = std::ranges::any_of(
        pair.layers, [&](const ComparedLayer& layer) { return differs(layer) && !layer.only_specials(); });
    if (!next.empty() && has_difference) text += "\nNext: " + next;  // equal NaNs are no difference to look for
  }
  const std::vector<const ComparedLayer*> layers = chosen_layers(pair, rows);
  if (!layers.empty()) {
    if (rows == LayerRows::born) text += "\nWhere errors are born, then where they grow most:";
    text += table(layers);
  }
  return text;
}

void write_layers(tensor::JsonWriter& json, const std::vector<LayerPair>& pairs) {
  json.key("layers");
  json.begin_array();
  for (const LayerPair& pair : pairs) {
    json.begin_object();
    json.string("first", pair.first);
    json.string("second", pair.second);
    json.key("tensors");
    json.begin_array();
    for (const ComparedLayer& layer : pair.layers) write_layer(json, layer);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace assay::compare
