#include "profile.h"

#include <utility>

#include "dims.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::OptProfileSelector;

std::size_t position(OptProfileSelector select) {
  return static_cast<std::size_t>(select);
}

bool is_ascending(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper) {
  if (lower.size() != upper.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (lower[i] > upper[i]) return false;
  }
  return true;
}

}  // namespace

bool Profile::setDimensions(char const* input, OptProfileSelector select, Dims const& dims) noexcept {
  auto& all = row_.shapes[input];
  // Like TensorRT, refuses a rank that differs from that of the others.
  for (const auto& other : all) {
    if (other && other->nbDims != dims.nbDims) return false;
  }
  if (!is_known(dims)) return false;
  all.at(position(select)) = dims;
  return true;
}

Dims Profile::getDimensions(char const* input, OptProfileSelector select) const noexcept {
  const auto found = row_.shapes.find(input);
  return found == row_.shapes.end() ? no_dims() : found->second.at(position(select)).value_or(no_dims());
}

bool Profile::set_values(const std::string& input, OptProfileSelector select, std::vector<std::int64_t> values) {
  auto& all = row_.values[input];
  for (const auto& other : all) {
    if (!other.empty() && other.size() != values.size()) return false;
  }
  all.at(position(select)) = std::move(values);
  return true;
}

#if NV_TENSORRT_MAJOR < 11
bool Profile::setShapeValues(char const* input, OptProfileSelector select, int32_t const* values,
                             int32_t count) noexcept {
  row_.has_wide_values = false;
  return set_values(input, select, {values, values + count});
}
#endif

int32_t Profile::getNbShapeValues(char const* input) const noexcept {
  const auto found = row_.values.find(input);
  return found == row_.values.end() ? -1 : static_cast<int32_t>(found->second.at(0).size());
}

#ifdef FAKE_HAS_VOptimizationProfile_setShapeValuesV2
bool Profile::setShapeValuesV2(char const* input, OptProfileSelector select, int64_t const* values,
                               int32_t count) noexcept {
  row_.has_wide_values = true;
  return set_values(input, select, {values, values + count});
}

int64_t const* Profile::getShapeValuesV2(char const* input, OptProfileSelector select) const noexcept {
  const auto found = row_.values.find(input);
  return found == row_.values.end() ? nullptr : found->second.at(position(select)).data();
}
#endif

bool Profile::isValid() const noexcept {
  for (const auto& [input, dims] : row_.shapes) {
    if (!dims[0] || !dims[1] || !dims[2]) return false;
    if (!is_ascending(sizes_of(*dims[0]), sizes_of(*dims[1]))) return false;
    if (!is_ascending(sizes_of(*dims[1]), sizes_of(*dims[2]))) return false;
  }
  for (const auto& [input, values] : row_.values) {
    if (!is_ascending(values[0], values[1]) || !is_ascending(values[1], values[2])) return false;
  }
  return true;
}

}  // namespace fake_tensorrt
