#include "inspect/array_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "inspect/tensor_json.h"
#include "stats/parallel.h"
#include "stats/read_block.h"
#include "stats/summary_text.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;

struct NonFinite {
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
  // The extremes of the finite elements. If there are none, `least` is greater than `most`.
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value) {
    nan += std::isnan(value) ? 1 : 0;
    infinite += std::isinf(value) ? 1 : 0;
    if (!std::isfinite(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  void add(const NonFinite& other) {
    nan += other.nan;
    infinite += other.infinite;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

// NaN and infinities are counted in the first pass of summarize(), so they cost no pass of their own.
template <class Real>
void measure(const tensor::Tensor& tensor, bool histogram, ArrayDescription& result) {
  const stats::TensorSeries<Real> series(tensor);
  const stats::OneColumn<Real> column(series);
  const std::array arithmetics = {stats::arithmetic_of(tensor.type())};
  std::vector<NonFinite> by_thread(static_cast<std::size_t>(stats::threads_for(tensor.size(), 0)));
  const stats::VisitBlock<Real> count_non_finite = [&](int thread, std::uint64_t, std::size_t count,
                                                       const Real* const* blocks) {
    NonFinite& counts = by_thread[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < count; ++i) counts.add(static_cast<double>(blocks[0][i]));
  };
  const bool floating = stats::is_floating(tensor.type());
  auto summaries =
      stats::summarize<Real>(column, arithmetics, 0, floating ? count_non_finite : stats::VisitBlock<Real>());
  result.summary = summaries.front();
  NonFinite all;
  for (const NonFinite& counts : by_thread) all.add(counts);
  result.nan = all.nan;
  result.infinite = all.infinite;
  if (!histogram || arithmetics[0] == stats::Arithmetic::boolean) return;
  if (all.nan + all.infinite > 0) {
    if (all.least > all.most) return;
    summaries.front().min = all.least;
    summaries.front().max = all.most;
  }
  const stats::Summary& extremes = summaries.front();
  if (!std::isfinite(extremes.max - extremes.min)) return;
  result.histogram = stats::histograms_of<Real>(column, summaries).front();
}

std::string non_finite_text(const ArrayDescription& array) {
  std::vector<std::string> parts;
  if (array.nan > 0) parts.push_back(fmt::format("{} NaN", array.nan));
  if (array.infinite > 0) parts.push_back(fmt::format("{} infinite", array.infinite));
  return parts.empty() ? "" : base::join(parts, " and ") + ", ";
}

std::string statistics_text(const ArrayDescription& array) {
  if (array.summary) return non_finite_text(array) + stats::describe(*array.summary, array.shape);
  return tensor::element_count(array.shape) == 0 ? "no elements"
                                                 : fmt::format("no statistics for {}", tensor::name(array.type));
}

std::string indent(const std::string& text) {
  return "\n    " + base::join(base::split(text, '\n'), "\n    ");
}

// Returns what to say above the histogram, or instead of it.
std::string histogram_heading(const ArrayDescription& array) {
  const std::uint64_t others = array.nan + array.infinite;
  if (others > 0 && others == tensor::element_count(array.shape)) return indent("No histogram: no element is finite");
  const bool can_have_one = array.summary && array.type != tensor::ElementType::boolean;
  if (can_have_one && !array.histogram) return indent("No histogram: the range of the elements isn't finite");
  if (others == 0) return {};
  return indent(fmt::format("Histogram without the {} that {} finite:", base::counted(others, "element"),
                            others == 1 ? "isn't" : "aren't"));
}

Json statistics_json(const stats::Summary& summary, const tensor::Shape& shape) {
  Json object = {{"mean", number_json(summary.mean)},
                 {"std_dev", number_json(summary.std_dev)},
                 {"variance", number_json(summary.variance)},
                 {"median", number_json(summary.median)},
                 {"min", number_json(summary.min)},
                 {"min_at", stats::position_of(summary.min_at, shape)},
                 {"max", number_json(summary.max)},
                 {"max_at", stats::position_of(summary.max_at, shape)},
                 {"mean_magnitude", number_json(summary.mean_magnitude)}};
  if (!summary.has_percentiles) return object;
  object["p90"] = number_json(summary.p90);
  object["p95"] = number_json(summary.p95);
  object["p99"] = number_json(summary.p99);
  return object;
}

Json histogram_json(const stats::Histogram& histogram) {
  Json edges = Json::array();
  for (std::size_t i = 0; i <= stats::kHistogramBins; ++i) edges.push_back(stats::edge(histogram, i));
  return {{"edges", std::move(edges)}, {"counts", histogram.counts}};
}

}  // namespace

ArrayDescription describe_array(std::string name, const base::Expected<tensor::Tensor>& array,
                                const ArrayOptions& options) {
  ArrayDescription result;
  result.name = std::move(name);
  if (!array) {
    result.missing = array.error().message();
    return result;
  }
  result.type = array->type();
  result.shape = array->shape();
  result.bytes = array->bytes().size();
  if (options.values) result.values = *array;
  if (array->size() == 0 || !stats::is_numeric(array->type())) return result;
  const stats::Arithmetic arithmetic = stats::arithmetic_of(array->type());
  if (arithmetic == stats::Arithmetic::float16 || arithmetic == stats::Arithmetic::float32) {
    measure<float>(*array, options.histogram, result);
  } else {
    measure<double>(*array, options.histogram, result);
  }
  return result;
}

std::string array_text(const ArrayDescription& array, const ArrayOptions& options) {
  if (!array.missing.empty()) return fmt::format("{} | cannot be read: {}", array.name, array.missing);
  std::string text = fmt::format("{} [dtype={}, shape={}] | {}", array.name, tensor::name(array.type),
                                 tensor::format_shape(array.shape), statistics_text(array));
  if (options.histogram) text += histogram_heading(array);
  if (array.histogram) text += indent(stats::draw(*array.histogram));
  if (array.values) text += indent(tensor::format_array(*array.values, options.layout));
  return text;
}

Json array_json(const ArrayDescription& array) {
  if (!array.missing.empty()) return {{"name", array.name}, {"error", array.missing}};
  Json object = {
      {"name", array.name}, {"dtype", tensor::name(array.type)}, {"shape", array.shape}, {"bytes", array.bytes}};
  if (!array.summary) return object;
  object["statistics"] = statistics_json(*array.summary, array.shape);
  object["nan"] = array.nan;
  object["infinite"] = array.infinite;
  if (array.histogram) object["histogram"] = histogram_json(*array.histogram);
  return object;
}

}  // namespace assay::inspect
