// stats::measure() takes whole tensors, whose pages would stay in memory. So it gets slices, and the pages of each are
// released after it was measured.
#include "diff/weight_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/external_data.h"
#include "model/weights.h"
#include "stats/equal_specials.h"
#include "stats/measure.h"
#include "stats/read_block.h"
#include "stats/summary_text.h"
#include "tensor/convert.h"

namespace assay::diff {
namespace {

using tensor::Tensor;

// Elements; multiples of 8, so that slices of packed types begin at a byte.
constexpr std::uint64_t kSlice = 4 << 20;
constexpr std::uint64_t kBlock = 4096;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool is_complex(tensor::ElementType type) {
  return tensor::info(type).kind == tensor::ElementKind::complex;
}

bool has_loaded_values(const model::Model& model, const onnx::TensorProto& tensor) {
  if (model::has_no_values(tensor)) return false;
  return !(model.weights_ignored && model::is_external(tensor) && !model::was_inline(tensor));
}

bool can_be_measured(const Tensor& first, const Tensor& second) {
  if (first.shape() != second.shape()) return false;
  if (!stats::is_numeric(first.type()) || !stats::is_numeric(second.type())) return false;
  return stats::is_floating(first.type()) == stats::is_floating(second.type());
}

// One of the two tensors, with its file if it is stored in one.
struct Side {
  Tensor values;
  std::optional<model::FileRange> range;

  [[nodiscard]] base::Expected<Tensor> slice(std::uint64_t begin, std::uint64_t count) const {
    const std::uint64_t from = tensor::byte_size(values.type(), begin).value_or(0);
    const std::uint64_t length = tensor::byte_size(values.type(), count).value_or(0);
    return Tensor::make(values.type(), {static_cast<std::int64_t>(count)},
                        tensor::Buffer(values.bytes().subspan(from, length), range ? range->file : nullptr));
  }
  void release(std::uint64_t end) const {
    if (range) range->file->release(range->offset + tensor::byte_size(values.type(), end).value_or(0));
  }
};

base::Expected<Side> open_side(const model::Model& model, const onnx::TensorProto& tensor) {
  Side side;
  ASSAY_ASSIGN(side.values, model::read_weight(model, tensor));
  if (is_complex(side.values.type())) side.values = stats::as_pairs(side.values);
  if (!model::is_external(tensor)) return side;
  ASSAY_ASSIGN(const model::ExternalData data, model::external_data(tensor));
  ASSAY_ASSIGN(side.range, model::find_range(*model.files, data, tensor));
  return side;
}

// Returns the first of these elements that is NaN in only one of the tensors, of which there is one.
base::Expected<std::uint64_t> find_nan(const Side& a, const Side& b, std::uint64_t begin, std::uint64_t end) {
  for (; begin < end; begin += kBlock) {
    const std::uint64_t count = std::min(kBlock, end - begin);
    ASSAY_ASSIGN(const Tensor first, a.slice(begin, count));
    ASSAY_ASSIGN(const Tensor second, b.slice(begin, count));
    const std::vector<double> x = tensor::to_doubles(first);
    const std::vector<double> y = tensor::to_doubles(second);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(x[i]) != std::isnan(y[i])) return begin + i;
    }
  }
  return end;
}

}  // namespace

base::Expected<std::optional<WeightChange>> measure_change(const model::Model& first_model,
                                                           const onnx::TensorProto& first,
                                                           const model::Model& second_model,
                                                           const onnx::TensorProto& second) {
  if (!has_loaded_values(first_model, first) || !has_loaded_values(second_model, second)) return std::nullopt;
  ASSAY_ASSIGN(const Side a, open_side(first_model, first));
  ASSAY_ASSIGN(const Side b, open_side(second_model, second));
  if (!can_be_measured(a.values, b.values)) return std::nullopt;

  WeightChange change;
  change.elements = a.values.size();
  double squared = 0, first_squared = 0;
  std::uint64_t largest_at = 0;
  const stats::MeasureOptions exact{
      .absolute_tolerance = 0, .relative_tolerance = 0, .equal = stats::EqualSpecials::both()};
  for (std::uint64_t begin = 0; begin < change.elements; begin += kSlice) {
    const std::uint64_t count = std::min(kSlice, change.elements - begin);
    ASSAY_ASSIGN(const Tensor first_slice, a.slice(begin, count));
    ASSAY_ASSIGN(const Tensor second_slice, b.slice(begin, count));
    ASSAY_ASSIGN(const stats::ErrorSummary measured, stats::measure(first_slice, second_slice, exact));
    change.different += measured.beyond;
    if (measured.undefined > 0 && change.nan_in_one == 0) {
      change.largest = kInfinite;
      ASSAY_ASSIGN(largest_at, find_nan(a, b, begin, begin + count));
    }
    change.nan_in_one += measured.undefined;
    if (measured.absolute.max > change.largest) {
      change.largest = measured.absolute.max;
      largest_at = begin + measured.absolute.max_at;
    }
    squared += measured.difference_squared;
    first_squared += measured.first_squared;
    a.release(begin + count);
    b.release(begin + count);
  }
  change.at = stats::position_of(largest_at, a.values.shape());
  const bool is_finite = std::isfinite(change.largest);
  change.norm = is_finite ? std::sqrt(squared) : kInfinite;
  const double base = std::sqrt(first_squared);
  change.relative_norm = is_finite && base > 0 ? change.norm / base : change.norm == 0 ? 0 : kInfinite;
  return change;
}

}  // namespace assay::diff
