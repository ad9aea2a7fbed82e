// Options for the number of parallel checks and for how candidates store their weights.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"
#include "model/model.h"
#include "reduce/judge/slot_judges.h"

namespace assay::cli {

class SlotOptions {
 public:
  void add_to(CLI::App& app);
  [[nodiscard]] int jobs() const { return jobs_; }
  [[nodiscard]] reduce::IterWeights weights() const;
  // Returns the word that was given for weights().
  [[nodiscard]] const std::string& weights_word() const { return weights_; }

 private:
  int jobs_ = 1;
  std::string weights_ = "auto";
};

// Creates the judges that run the check command, with as many slots as requested. Uses one slot, with a warning that
// says why, if the check can only test one fixed file or uses --artifacts or --iter-info. `original` is the model that
// all candidates come from, and `is_as_in_file` says whether it is what its file contains. It and `context` must
// outlive the result. `is_first`: see CheckSetup::is_first. Errors: invalid_input if there is no check command
// (judge_iteration asks the user instead), and those of CheckCommand::make and SlotJudges::make.
base::Expected<std::unique_ptr<reduce::SlotJudges>> make_judges(const CheckOptions& check,
                                                                const IterationOptions& iterations,
                                                                const SlotOptions& slots, const model::Model& original,
                                                                bool is_as_in_file, std::function<bool()> is_first,
                                                                Context& context);

}  // namespace assay::cli
