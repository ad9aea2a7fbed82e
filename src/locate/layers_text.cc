#include "locate/layers_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "base/shorten_middle.h"
#include "base/strings.h"

namespace assay::locate {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kWidestName = 48;

std::string short_size(const Divergence& divergence) {
  if (!divergence.measured) return "?";
  if (divergence.error.equal()) return "0";
  if (divergence.error.nan.mismatched > 0) return "NaN";
  return fmt::format("{:.2g}", divergence.error.absolute.max);
}

std::string short_share(const Divergence& divergence) {
  return std::isfinite(divergence.size) ? fmt::format("{:.2g}", divergence.size) : "inf";
}

// Returns the rows worth reading: tensors at which a difference is born, or might be, without those that only pass it
// on.
std::vector<const Layer*> rows_of(const Location& location) {
  std::vector<const Layer*> rows;
  for (const Layer& layer : location.layers) {
    const bool passed_on = layer.alone && !layer.alone->differs;
    const bool named = layer.tensor == location.first_tensor.tensor || layer.tensor == location.worst_tensor.tensor;
    if (layer.in_model.differs && (named || !passed_on)) rows.push_back(&layer);
  }
  return rows;
}

std::string count_layers(const Location& location) {
  std::size_t differing = 0;
  std::size_t born = 0;
  std::size_t passed_on = 0;
  for (const Layer& layer : location.layers) {
    if (!layer.in_model.differs) continue;
    ++differing;
    if (layer.alone) ++(layer.alone->differs ? born : passed_on);
  }
  if (differing == 0) return {};
  std::string text = fmt::format("{} of {} differ{}", differing, base::counted(std::ssize(location.layers), "tensor"),
                                 differing == 1 ? "s" : "");
  if (location.finding.disturbed) text += " with all of them marked, which is not how the model runs";
  text += fmt::format("; a difference is born at {}, passed on at {}", born, passed_on);
  const std::size_t untried = differing - born - passed_on;
  return untried == 0 ? text : text + fmt::format(", not tried at {}", untried);
}

// Returns the description of the node without its name if that is the tensor's, as exporters often have it.
std::string node_in_table(const Layer& layer) {
  return base::shorten_middle(base::replace_all(layer.node, fmt::format(" '{}'", layer.tensor), ""), kWidestName);
}

std::string tensor_in_table(const Layer& layer) {
  return base::shorten_middle(layer.tensor, kWidestName);
}

std::string list_rows(std::span<const Layer* const> rows) {
  std::size_t width = std::string_view("tensor").size();
  for (const Layer* row : rows) width = std::max(width, base::count_characters(tensor_in_table(*row)));
  std::string text =
      fmt::format("\n  {:>10} {:>10} {:>10}  {:<{}}  {}", "in model", "rel. norm", "alone", "tensor", width, "node");
  for (const Layer* row : rows) {
    text += fmt::format("\n  {:>10} {:>10} {:>10}  {:<{}}  {}", short_size(row->in_model), short_share(row->in_model),
                        row->alone ? short_size(*row->alone) : "-", tensor_in_table(*row), width, node_in_table(*row));
  }
  return text;
}

// Names the tensor whose node has the largest error by itself, unless the headline names it.
std::string describe_largest_birth(const Location& location, const std::vector<const Layer*>& rows) {
  const auto born_size = [](const Layer* layer) {
    return layer->alone && layer->alone->differs ? layer->alone->size : -1;
  };
  const auto largest = std::ranges::max_element(rows, {}, born_size);
  if (largest == rows.end() || born_size(*largest) <= 0) return {};
  const Layer& layer = **largest;
  if (layer.tensor == location.worst_tensor.tensor) return {};
  return fmt::format("\n  Largest by itself: {} | {}, relative norm {:.2g}", layer.tensor, layer.node,
                     layer.alone->size);
}

}  // namespace

std::string layers_text(const Location& location) {
  const std::string counts = count_layers(location);
  if (counts.empty()) return {};
  const std::vector<const Layer*> rows = rows_of(location);
  const std::span<const Layer* const> shown = std::span(rows).first(std::min(rows.size(), kMostRows));
  std::string text = counts + list_rows(shown);
  if (rows.size() > shown.size()) {
    text += fmt::format("\n  and {} more, which `--format json` lists", rows.size() - shown.size());
  }
  return text + describe_largest_birth(location, rows);
}

}  // namespace assay::locate
