// An open file of results (RunResults). Knows its runners and their iterations; arrays are read on demand. The expected
// outputs of one of ONNX's data sets (onnx_data_set.h) are those of one runner, in one iteration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "data/iteration_arrays.h"
#include "data/run_results.h"
#include "tensor/json.h"

namespace assay::data {

class ResultsDocument {
 public:
  struct Runner {
    std::string name;
    std::vector<const nlohmann::ordered_json*> iterations;  // owned by the document; null in a data set
  };
  // Describes an array without reading it. `bytes` is approximate.
  struct StoredOutput {
    std::string name;
    std::uint64_t bytes = 0;
  };

  // Errors: not_found; invalid_input if the file holds something else.
  static base::Expected<ResultsDocument> open(const std::filesystem::path& path);

  // In the order of the file. Names are unique: of runners that have the same name in the file, as Polygraphy's Python
  // API allows, the second is called "NAME (2)".
  [[nodiscard]] const std::vector<Runner>& runners() const { return runners_; }
  [[nodiscard]] base::Expected<std::vector<StoredOutput>> outputs(const Runner& runner, std::size_t iteration) const;
  // Returns an iteration's outputs, which are read on demand. `path`: of the file, for errors. Errors: invalid_input if
  // the iteration has no outputs.
  [[nodiscard]] base::Expected<IterationArrays> arrays(const Runner& runner, std::size_t iteration,
                                                       const std::filesystem::path& path) const;
  // Reads the `wanted` outputs in the order of the file (null: all of them). Names that don't exist are ignored.
  [[nodiscard]] base::Expected<IterationResult> read(const Runner& runner, std::size_t iteration,
                                                     const std::unordered_set<std::string>* wanted = nullptr) const;

 private:
  explicit ResultsDocument(std::variant<tensor::JsonDocument, tensor::NamedTensors> data) : data_(std::move(data)) {}
  // `document` is the one in data_.
  base::Status add_runners(const tensor::JsonDocument& document);

  std::variant<tensor::JsonDocument, tensor::NamedTensors> data_;
  std::vector<Runner> runners_;
};

}  // namespace assay::data
