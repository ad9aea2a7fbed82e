#include "pages/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "data/run_results.h"
#include "pages/all_agree.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

using compare::ComparedLayer;
using compare::LayerPair;
using Layers = std::vector<const ComparedLayer*>;

constexpr std::size_t kMostRows = 20;

Layers differing(const LayerPair& pair) {
  Layers layers;
  for (const ComparedLayer& layer : pair.layers) {
    if (!layer.errors.agrees) layers.push_back(&layer);
  }
  return layers;
}

std::string sides(const LayerPair& pair) {
  return data::short_runner_name(pair.first) + " and " + data::short_runner_name(pair.second);
}

// "Conv 'conv_1' (node #3)", or nothing if the tensor isn't the result of a node.
std::string node_text(const ComparedLayer& layer) {
  if (layer.node < 0) return {};
  return fmt::format("{} '{}' (node #{})", layer.op_type, layer.node_name.empty() ? layer.tensor : layer.node_name,
                     layer.node);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "infinite";
}

// Names the tensor with the largest error, if any has one.
std::string worst_text(const LayerPair& pair) {
  const auto worst =
      std::ranges::max_element(pair.layers, {}, [](const ComparedLayer& layer) { return layer.errors.norm; });
  if (worst == pair.layers.end() || worst->errors.norm == 0) return {};
  return fmt::format("; the largest error is {} at '{}'", number(worst->errors.norm), worst->tensor);
}

std::string describe(const LayerPair& pair) {
  const Layers layers = differing(pair);
  const auto count = std::ssize(pair.layers);
  if (layers.empty()) return all_agree(count, "tensor", sides(pair)) + worst_text(pair);
  const ComparedLayer& first = *layers.front();
  const std::string node = node_text(first);
  return fmt::format("{} of {} differ{} between {}; the first is '{}'{}", layers.size(), base::counted(count, "tensor"),
                     layers.size() == 1 ? "s" : "", sides(pair), first.tensor,
                     (node.empty() ? "" : ", computed by " + node) +
                         (first.only_specials() ? fmt::format(", with {} on both sides", first.specials()) : ""));
}

std::string verdict(const LayerPair* shown, const ComparisonPage::Outcome& outcome) {
  if (shown == nullptr && outcome.passed) return "The model ran, and nothing was compared.";
  std::string text = shown == nullptr ? "The run failed" : describe(*shown);
  const bool agrees = shown == nullptr || differing(*shown).empty();
  if (!outcome.without.empty()) {
    text += fmt::format("; {} no value", outcome.without.size() == 1
                                             ? "1 tensor has"
                                             : fmt::format("{} tensors have", outcome.without.size()));
  } else if (!outcome.passed && agrees && outcome.validated) {
    text += "; an output holds NaN or infinity";
  } else if (!outcome.passed && agrees) {
    text += "; the run failed for another reason, see the log";
  }
  return text + ".";
}

// Lists the tensors at which an error is born or grows or, if there are none, all that differ.
report::PageTable worst_table(const LayerPair& pair) {
  Layers layers = differing(pair);
  const auto only_passes = [](const ComparedLayer* layer) { return !layer->is_birthplace() && !layer->grew(); };
  if (!std::ranges::all_of(layers, only_passes)) std::erase_if(layers, only_passes);
  const std::size_t shown = std::min(layers.size(), kMostRows);
  report::PageTable table{.title = "Tensors at which differences arise",
                          .columns = {"Tensor", "Node", "Error", "Error of its inputs", "Largest absolute error",
                                      "Largest relative error", "Origin"}};
  if (shown < layers.size()) table.title += fmt::format(" (the first {} of {})", shown, layers.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const ComparedLayer& layer = *layers[i];
    std::string origin = layer.node < 0 ? "unknown" : "passed on";
    if (layer.grew()) origin = "grew here";
    if (layer.is_birthplace()) origin = "born here";
    if (layer.only_specials()) origin = fmt::format("{} on both sides", layer.specials());
    table.rows.push_back({layer.tensor, node_text(layer), number(layer.errors.norm), number(layer.passed_on),
                          number(layer.errors.absolute), number(layer.errors.relative), origin});
  }
  return table;
}

report::PageTable pair_table(const std::vector<LayerPair>& pairs) {
  report::PageTable table{.title = "All comparisons", .columns = {"First", "Second", "Tensors", "Differing"}};
  for (const LayerPair& pair : pairs) {
    table.rows.push_back({data::short_runner_name(pair.first), data::short_runner_name(pair.second),
                          fmt::format("{}", pair.layers.size()), fmt::format("{}", differing(pair).size())});
  }
  return table;
}

report::PageTable time_table(const ComparisonPage::Outcome& outcome) {
  report::PageTable table{.title = "Time of an iteration", .columns = {"Runner", "Iterations", "Mean", "Median"}};
  for (const auto& [runner, timings] : outcome.timings) {
    table.rows.push_back({data::short_runner_name(runner), fmt::format("{}", timings.iterations),
                          fmt::format("{:.4g} s", timings.mean), fmt::format("{:.4g} s", timings.median)});
  }
  return table;
}

report::PageTable missing_table(const std::vector<std::string>& tensors) {
  report::PageTable table{.title = "Tensors without a value", .columns = {"Tensor"}};
  for (const std::string& tensor : tensors) table.rows.push_back({tensor});
  return table;
}

}  // namespace

void ComparisonPage::watch(compare::LayerTable& table) {
  table.watch([this](const compare::LayerTable::Compared& compared, const compare::LayerErrors& errors) {
    worst_[compared.pair].add(compared.name, compared.first, compared.second, errors.norm);
  });
}

report::Page ComparisonPage::page(const model::Model* model, const compare::LayerTable& table,
                                  const Outcome& outcome) const {
  const std::vector<LayerPair> pairs = table.layers(model);
  report::Page page;
  if (model != nullptr) {
    page.graph = graph_of(*model);
    add_weight_statistics(page.graph, *model);
  }
  const LayerPair* shown = nullptr;
  if (!pairs.empty()) {
    const auto bad = std::ranges::find_if(pairs, [](const LayerPair& pair) { return !differing(pair).empty(); });
    shown = bad == pairs.end() ? &pairs.front() : &*bad;
    page.first_side = data::short_runner_name(shown->first);
    page.second_side = data::short_runner_name(shown->second);
    add_errors(page.graph, shown->layers);
    if (const auto worst = worst_.find(shown->index); worst != worst_.end()) worst->second.add_to(page);
    if (!differing(*shown).empty()) page.tables.push_back(worst_table(*shown));
    if (pairs.size() > 1) page.tables.push_back(pair_table(pairs));
  }
  if (!outcome.without.empty()) page.tables.push_back(missing_table(outcome.without));
  if (!outcome.timings.empty()) page.tables.push_back(time_table(outcome));
  page.mark = outcome.passed ? report::Mark::good : report::Mark::bad;
  page.verdict = verdict(shown, outcome);
  return page;
}

}  // namespace assay::pages
