#include "locate/good_values.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::locate {
namespace {

std::uint64_t bytes_of(const tensor::NamedTensors& values) {
  std::uint64_t bytes = 0;
  for (const auto& [name, value] : values) bytes += value.bytes().size();
  return bytes;
}

}  // namespace

GoodValues::GoodValues(tensor::NamedTensors given, std::uint64_t budget)
    : given_(std::move(given)), values_(given_), budget_(budget) {}

bool GoodValues::drops_others(const tensor::NamedTensors& values) const {
  return bytes_ + bytes_of(values) > budget_;
}

void GoodValues::keep(const tensor::NamedTensors& values) {
  if (drops_others(values)) {
    values_ = given_;
    bytes_ = 0;
  }
  for (const auto& [name, value] : values) values_.set(name, value);
  bytes_ += bytes_of(values);
}

std::vector<std::string> GoodValues::missing(const std::vector<std::string>& names) const {
  std::vector<std::string> missing;
  std::ranges::copy_if(names, std::back_inserter(missing), [&](const auto& name) { return !values_.contains(name); });
  return missing;
}

}  // namespace assay::locate
