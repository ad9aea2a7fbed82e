// One file of results (RunResults), opened: who answered and how often is known, the arrays are read when asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "data/run_results.h"
#include "tensor/json.h"

namespace assay::data {

class ResultsDocument {
 public:
  struct Runner {
    std::string name;
    std::vector<const nlohmann::ordered_json*> iterations;  // of the document
  };
  // In place of an array: how large it is, about.
  struct StoredOutput {
    std::string name;
    std::uint64_t bytes = 0;
  };

  // Errors: not_found; invalid_input where it holds something else.
  static base::Expected<ResultsDocument> open(const std::filesystem::path& path);

  // In the order of the file; entries of the same name are one.
  [[nodiscard]] const std::vector<Runner>& runners() const { return runners_; }
  [[nodiscard]] base::Expected<std::vector<StoredOutput>> outputs(const Runner& runner, std::size_t iteration) const;
  // `wanted`: null for all outputs; those that are not there are left out. In the order of the file.
  [[nodiscard]] base::Expected<IterationResult> read(const Runner& runner, std::size_t iteration,
                                                     const std::unordered_set<std::string>* wanted = nullptr) const;

 private:
  explicit ResultsDocument(tensor::JsonDocument document) : document_(std::move(document)) {}
  tensor::JsonDocument document_;
  std::vector<Runner> runners_;
};

}  // namespace assay::data
