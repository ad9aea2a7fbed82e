#include "locate/sides/golden.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "data/onnx_data_set.h"
#include "model/graph_view.h"

namespace assay::locate {
namespace {

// Returns the model's outputs with the names that a data set gives them if its tensors have none. A tensor of the model
// that really has such a name keeps it.
std::vector<std::pair<std::string, std::string>> numbered_outputs(const model::Model& model) {
  const model::GraphView view(model.graph());
  std::vector<std::pair<std::string, std::string>> numbered;
  for (int i = 0; i < model.graph().output_size(); ++i) {
    std::string name = fmt::format("output_{}", i);
    if (view.find(name) == model::kNone) numbered.emplace_back(model.graph().output(i).name(), std::move(name));
  }
  return numbered;
}

}  // namespace

base::Expected<Golden> Golden::make(std::shared_ptr<data::ResultsReader> results, const model::Model& model) {
  if (results->runner_count() == 0 || results->iteration_count(0) == 0) {
    return base::fail(base::ErrorKind::invalid_input, "the saved results hold no iteration",
                      results->runner_count() == 0 ? std::string() : results->runner_name(0));
  }
  Golden golden(std::move(results));
  if (data::is_data_set(golden.path()) || !data::data_sets_in(golden.path()).empty()) {
    golden.numbered_ = numbered_outputs(model);
  }
  ASSAY_TRY(golden.go_to(0));
  return golden;
}

base::Status Golden::go_to(std::size_t iteration) {
  iteration_ = iteration;
  stored_.clear();
  ASSAY_ASSIGN(const auto outputs, results_->outputs(0, iteration));
  for (const data::ResultsDocument::StoredOutput& output : outputs) stored_.emplace(output.name, output.name);
  for (const auto& [output, name] : numbered_) {
    if (stored_.contains(name)) stored_.emplace(output, name);
  }
  return {};
}

base::Expected<tensor::NamedTensors> Golden::read(const std::vector<std::string>& names) const {
  std::unordered_set<std::string> wanted;
  for (const std::string& name : names) {
    if (const auto found = stored_.find(name); found != stored_.end()) wanted.insert(found->second);
  }
  ASSAY_ASSIGN(const data::IterationResult result, results_->read(0, iteration_, &wanted));
  tensor::NamedTensors values;
  for (const std::string& name : names) {
    if (const auto found = stored_.find(name); found != stored_.end()) {
      values.set(name, *result.outputs.find(found->second));
    }
  }
  return values;
}

}  // namespace assay::locate
