// Saves the inputs and outputs of `assay run` while it runs. Files get their final names when they are complete.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "data/inputs_file.h"
#include "data/results_saver.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class RunSavers {
 public:
  // Creates the files. An empty path is not saved.
  base::Status open(const std::string& inputs, const std::string& outputs);
  // Makes the plan save what it runs. The plan must not outlive this object. `blob_folder`: where the raw bytes of
  // inputs go, or empty.
  void connect(run::RunPlan& plan, const std::string& blob_folder);

  [[nodiscard]] bool any_inputs() const { return any_inputs_; }
  // Complete the files, and log where they are.
  base::Status finish_inputs(base::Log& log);
  base::Status finish_outputs(base::Log& log);

 private:
  std::string inputs_path_, outputs_path_;
  std::unique_ptr<data::InputsSaver> inputs_;
  std::unique_ptr<data::RunResultsSaver> outputs_;
  bool any_inputs_ = false;
};

}  // namespace assay::cli
