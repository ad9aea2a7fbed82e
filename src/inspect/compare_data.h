// `inspect data --compare`: how two files of saved arrays differ, array by array. It measures and doesn't judge:
// `assay run` and `assay check accuracy` apply tolerances.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "stats/measure.h"
#include "tensor/tensor.h"

namespace assay::inspect {

// One array of one iteration in both files.
struct ArrayPair {
  std::string first_runner;  // empty: a file of inputs
  std::string second_runner;
  std::size_t iteration = 0;
  std::string name;
  std::optional<tensor::Tensor> first;  // absent: the file lacks the array, or it can't be read
  std::optional<tensor::Tensor> second;
  std::optional<stats::ErrorSummary> difference;  // absent: one is missing, or shapes or types don't allow it
  std::string problem;                            // why one of the arrays can't be read

  // Returns true if type, shape and all values are equal; NaN equals NaN.
  [[nodiscard]] bool equal() const;
};

struct DataDifference {
  std::size_t pairs = 0;
  std::size_t different = 0;
};

// Compares two files or folders. Runners are paired in order, whatever their names; iterations by their number; arrays
// by name, in the order of the first file, then those that only the second one has. At most two arrays are in memory.
// Errors: those of data::SavedData.
base::Expected<DataDifference> compare_data(const std::filesystem::path& first, const std::filesystem::path& second,
                                            const std::function<void(const ArrayPair&)>& visit);

}  // namespace assay::inspect
