#include "pages/layer_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pages/graph.h"
#include "pages/statistics.h"

namespace assay::pages {
namespace {

using report::Origin;

Origin origin_of(const compare::ComparedLayer& layer) {
  if (layer.errors.agrees || layer.node < 0 || layer.only_specials()) return Origin::none;
  if (layer.is_birthplace()) return Origin::born;
  return layer.grew() ? Origin::grew : Origin::passed_on;
}

}  // namespace

void add_errors(report::PageGraph& graph, const std::vector<compare::ComparedLayer>& layers) {
  GraphTensors tensors(graph);
  for (const compare::ComparedLayer& layer : layers) {
    report::PageTensor& tensor = tensors.find_or_add(layer.tensor);
    tensor.absolute = layer.errors.absolute;
    tensor.relative = layer.errors.relative;
    tensor.norm = layer.errors.norm;
    tensor.agrees = layer.errors.agrees;
    tensor.origin = origin_of(layer);
  }
}

void WorstTensors::add(std::string_view tensor, const tensor::Tensor& first, const tensor::Tensor& second,
                       double error) {
  std::string name(tensor);
  const auto known = kept_.find(name);
  if (known != kept_.end() && known->second.error >= error) return;
  if (known == kept_.end() && kept_.size() >= most_) {
    if (by_error_.empty() || by_error_.begin()->first >= error) return;
    kept_.erase(by_error_.begin()->second);
    by_error_.erase(by_error_.begin());
  }
  if (known != kept_.end()) by_error_.erase({known->second.error, name});
  by_error_.emplace(error, name);
  kept_[std::move(name)] = {error, std::string(tensor::name(first.type())),
                            fmt::format("[{}]", fmt::join(first.shape(), ", ")),
                            statistics_of({{.side = {}, .values = first}, {.side = {}, .values = second}})};
}

void WorstTensors::add_to(report::Page& page) const {
  GraphTensors tensors(page.graph);
  for (const auto& [name, kept] : kept_) {
    report::PageTensor* tensor = tensors.find(name);
    if (tensor == nullptr) continue;
    tensor->statistics = kept.statistics;
    for (std::size_t i = 0; i < tensor->statistics.size(); ++i) {
      tensor->statistics[i].side = i == 0 ? page.first_side : page.second_side;
    }
    if (tensor->type.empty()) tensor->type = kept.type;
    if (tensor->shape.empty()) tensor->shape = kept.shape;
  }
}

}  // namespace assay::pages
