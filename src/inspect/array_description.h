// The description of a saved array that `inspect data` prints: type, shape, statistics, histogram, values.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "stats/histogram.h"
#include "stats/summary.h"
#include "tensor/format_array.h"
#include "tensor/tensor.h"

namespace assay::inspect {

struct ArrayOptions {
  bool histogram = false;
  bool values = false;
  tensor::ArrayLayout layout;  // of values, as text
};

struct ArrayDescription {
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  tensor::Shape shape;
  std::uint64_t bytes = 0;                // 0 for strings
  std::optional<stats::Summary> summary;  // absent for strings, complex numbers and empty arrays
  std::uint64_t nan = 0;                  // count of elements
  std::uint64_t infinite = 0;             // count of elements
  std::optional<stats::Histogram>
      histogram;                         // of the finite elements; absent for booleans and if their range isn't finite
  std::optional<tensor::Tensor> values;  // shares the array's memory
  std::string missing;                   // why the array can't be read; the other members are then empty
};

// Reads the array two or three times, in blocks. An array that couldn't be read is described by its error.
ArrayDescription describe_array(std::string name, const base::Expected<tensor::Tensor>& array,
                                const ArrayOptions& options);

// Returns lines: "NAME [dtype=float32, shape=(2,)] | mean=..., std-dev=...", and indented below it the histogram and
// the values.
std::string array_text(const ArrayDescription& array, const ArrayOptions& options);

// Returns {"name", "dtype", "shape", "bytes", "statistics": {...}, "nan", "infinite", "histogram": {"edges",
// "counts"}}, or {"name", "error"}. Members that are absent are left out, and so are the values.
nlohmann::ordered_json array_json(const ArrayDescription& array);

}  // namespace assay::inspect
