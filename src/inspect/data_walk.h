// Walks files of saved data in the order in which they are shown. Text and JSON are printed by two visitors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "compare/accuracy_results.h"
#include "data/saved_data.h"
#include "inspect/show_data.h"

namespace assay::inspect {

// One iteration that is shown.
struct ShownIteration {
  std::size_t index = 0;
  std::optional<double> runtime_s;
};

class DataVisitor {
 public:
  virtual ~DataVisitor() = default;
  virtual void begin_file(const data::SavedData& data) = 0;
  virtual void begin_runner(std::string_view name, std::size_t iterations) = 0;
  virtual void begin_iteration(const ShownIteration& iteration) = 0;
  virtual void array(const ArrayDescription& array) = 0;
  virtual void end_iteration() {}
  virtual void end_runner() {}
  virtual void end_file() {}
  // A file of judged comparisons, which is small and shown at once.
  virtual void accuracy(const std::filesystem::path& path, const compare::AccuracyResults& results) = 0;
};

// As show_data().
base::Expected<bool> walk_data(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                               DataVisitor& visitor);

// Returns how many of `count` iterations are shown.
inline std::size_t shown_iterations(std::size_t count, const DataOptions& options) {
  return options.all_iterations || count == 0 ? count : 1;
}

// Returns the number of iterations in which all outputs pass.
std::size_t passed_iterations(const compare::PairAccuracy& pair);

}  // namespace assay::inspect
