// Saved results as one of the two sides ("golden" values).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/results_reader.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::locate {

// The results of the first runner of a file or folder, one iteration at a time. Tensors are read on demand and not
// cached.
class Golden {
 public:
  // Starts with iteration 0. In ONNX's data sets, "output_N" without a name of its own is the model's output N. Errors:
  // invalid_input if there is no iteration; those of reading.
  static base::Expected<Golden> make(std::shared_ptr<data::ResultsReader> results, const model::Model& model);

  [[nodiscard]] const std::string& name() const { return results_->runner_name(0); }
  [[nodiscard]] const std::filesystem::path& path() const { return results_->path(); }
  [[nodiscard]] std::size_t iteration_count() const { return results_->iteration_count(0); }
  // Switches to another iteration.
  base::Status go_to(std::size_t iteration);
  [[nodiscard]] bool has(std::string_view name) const { return stored_.contains(name); }
  // Returns those of these tensors that the results have.
  [[nodiscard]] base::Expected<tensor::NamedTensors> read(const std::vector<std::string>& names) const;

 private:
  explicit Golden(std::shared_ptr<data::ResultsReader> results) : results_(std::move(results)) {}

  std::shared_ptr<data::ResultsReader> results_;
  std::size_t iteration_ = 0;
  std::vector<std::pair<std::string, std::string>> numbered_;  // outputs of the model and their names in a data set
  std::map<std::string, std::string, std::less<>> stored_;     // by tensor: its name in the results
};

}  // namespace assay::locate
