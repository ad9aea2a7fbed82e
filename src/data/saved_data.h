// Reads a file or folder of saved inputs or outputs array by array, whichever of the two it holds: only the array that
// was requested last is in memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "data/inputs_file.h"
#include "data/iteration_arrays.h"
#include "data/results_reader.h"

namespace assay::data {

// Returns the Polygraphy class of a file, or of the first file of a folder: "RunResults" for outputs,
// "AccuracyResults" for judged comparisons. Empty for inputs, for an archive, for an empty folder and for one of ONNX's
// data sets, unless it has nothing but expected outputs. Errors: not_found; invalid_input if the file isn't JSON.
base::Expected<std::string> saved_class(const std::filesystem::path& path);

class SavedData {
 public:
  // Errors: not_found; invalid_input if a file holds neither inputs nor outputs.
  static base::Expected<SavedData> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] bool holds_outputs() const { return results_ != nullptr; }
  // Inputs count as the data of one runner, which has no name.
  [[nodiscard]] std::size_t runner_count() const { return results_ == nullptr ? 1 : results_->runner_count(); }
  [[nodiscard]] std::string_view runner_name(std::size_t runner) const;
  [[nodiscard]] std::size_t iteration_count(std::size_t runner) const;

  // Returns an iteration's arrays, which are read on demand; valid until an iteration is requested again. Errors:
  // invalid_input if the iteration isn't an object of arrays. Indices must be in range. Not thread-safe: files stay
  // open.
  base::Expected<IterationArrays> arrays(std::size_t runner, std::size_t iteration);
  // Returns how long the engine took; absent for inputs and if the file doesn't say.
  base::Expected<std::optional<double>> runtime_s(std::size_t runner, std::size_t iteration);

 private:
  struct Place {
    std::size_t file = 0;
    std::size_t iteration = 0;  // in the file
  };
  base::Expected<const InputsFile*> inputs(std::size_t file);

  std::filesystem::path path_;
  std::shared_ptr<ResultsReader> results_;  // null: inputs, in the members below
  std::vector<std::filesystem::path> files_;
  std::vector<Place> places_;  // by iteration
  std::optional<InputsFile> opened_;
  std::size_t opened_file_ = 0;
};

}  // namespace assay::data
