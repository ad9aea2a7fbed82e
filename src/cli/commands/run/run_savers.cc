#include "cli/commands/run/run_savers.h"

#include <utility>

namespace assay::cli {

base::Status RunSavers::open(const std::string& inputs, const std::string& outputs) {
  inputs_path_ = inputs;
  outputs_path_ = outputs;
  if (!inputs.empty()) {
    ASSAY_ASSIGN(auto saver, data::InputsSaver::create(inputs));
    inputs_ = std::make_unique<data::InputsSaver>(std::move(saver));
  }
  if (!outputs.empty()) {
    ASSAY_ASSIGN(auto saver, data::RunResultsSaver::create(outputs));
    outputs_ = std::make_unique<data::RunResultsSaver>(std::move(saver));
  }
  return {};
}

void RunSavers::connect(run::RunPlan& plan, const std::string& blob_folder) {
  if (inputs_ != nullptr || !blob_folder.empty()) {
    plan.save_inputs = [this, blob_folder](std::int64_t index, const tensor::NamedTensors& inputs) -> base::Status {
      if (!blob_folder.empty()) ASSAY_TRY(data::save_input_blobs(blob_folder, index, inputs));
      if (inputs_ != nullptr) ASSAY_TRY(inputs_->add(inputs));
      any_inputs_ = true;
      return {};
    };
  }
  if (outputs_ == nullptr) return;
  plan.save_outputs = [this](std::int64_t index, const std::vector<data::IterationResult>& results,
                             bool part) -> base::Status {
    if (!part) return outputs_->add(results);
    for (const data::IterationResult& result : results) ASSAY_TRY(outputs_->add_part(index, result));
    return {};
  };
}

base::Status RunSavers::finish_inputs(base::Log& log) {
  if (inputs_ == nullptr) return {};
  ASSAY_TRY(inputs_->finish());
  log.info("Saved the inputs to {}", inputs_path_);
  return {};
}

base::Status RunSavers::finish_outputs(base::Log& log) {
  if (outputs_ == nullptr) return {};
  ASSAY_TRY(outputs_->finish());
  log.info("Saved the outputs to {}", outputs_path_);
  return {};
}

}  // namespace assay::cli
