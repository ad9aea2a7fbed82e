// How many checks run at once, and what candidates do with their weights.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/command.h"
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

 private:
  int jobs_ = 1;
  std::string weights_ = "auto";
};

// Judges of the check command with as many slots as were asked for; with one, and a line in the log that says why,
// where the check can look at one file only, or leaves files that have to be told apart (--artifacts, --iter-info).
// `original`: what all candidates come from. All arguments but the options must outlive the result.
// Errors: invalid_input where there is no check command (a person is asked by judge_iteration), and those of
// CheckCommand::make and SlotJudges::make.
base::Expected<std::unique_ptr<reduce::SlotJudges>> make_judges(const CheckOptions& check,
                                                                const IterationOptions& iterations,
                                                                const SlotOptions& slots, const model::Model& original,
                                                                Context& context);

}  // namespace assay::cli
