#include "locate/sides/golden.h"

#include <unordered_set>
#include <utility>

namespace assay::locate {

base::Expected<Golden> Golden::make(std::shared_ptr<data::ResultsReader> results) {
  if (results->runner_count() == 0 || results->iteration_count(0) == 0) {
    return base::fail(base::ErrorKind::invalid_input, "the saved results hold no iteration",
                      results->runner_count() == 0 ? std::string() : results->runner_name(0));
  }
  Golden golden(std::move(results));
  ASSAY_TRY(golden.go_to(0));
  return golden;
}

base::Status Golden::go_to(std::size_t iteration) {
  iteration_ = iteration;
  names_.clear();
  ASSAY_ASSIGN(const auto outputs, results_->outputs(0, iteration));
  for (const data::ResultsDocument::StoredOutput& output : outputs) names_.insert(output.name);
  return {};
}

base::Expected<tensor::NamedTensors> Golden::read(const std::vector<std::string>& names) const {
  const std::unordered_set<std::string> wanted(names.begin(), names.end());
  ASSAY_ASSIGN(data::IterationResult result, results_->read(0, iteration_, &wanted));
  return std::move(result.outputs);
}

}  // namespace assay::locate
