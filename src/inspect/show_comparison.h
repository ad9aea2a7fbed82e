// `inspect data --compare` as text and as JSON.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "inspect/show_data.h"
#include "tensor/byte_sink.h"

namespace assay::inspect {

// Shows how two files or folders differ, a message per array: "y [dtype=float32, shape=(1, 10)] | 3 of 10 elements
// differ: largest absolute error 1.2e-07 at (0, 3), where 0.25 became 0.25000012, ...". Returns true if they are equal.
// Errors: those of compare_data().
base::Expected<bool> show_comparison(const std::filesystem::path& first, const std::filesystem::path& second,
                                     const Message& message);

// The same as a JSON object: {"first": path, "second": path, "arrays": [PAIR], "equal"}
//   PAIR: {"first_runner", "second_runner", "iteration", "name", "equal", "first": {"dtype", "shape"} or null if the
//     file lacks it, "second": same, "difference": DIFFERENCE if values differ, "error" if one can't be read}
//   DIFFERENCE: {"elements", "different", "first_different", "absolute": ERROR, "relative": ERROR, "max_ulp",
//     "nan_mismatches", "infinity_mismatches"}; ERROR: {"max", "max_at", "mean"}; positions are lists of indices.
//     Parts of complex numbers count as elements, and their positions have one more index: 0 or 1.
base::Expected<bool> show_comparison_json(const std::filesystem::path& first, const std::filesystem::path& second,
                                          const tensor::ByteSink& sink);

}  // namespace assay::inspect
