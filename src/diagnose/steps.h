// The steps of a diagnosis, one row each, in the order in which they run.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

// Answers a step's question, and changes the facts. Errors: interrupted; any other error becomes the answer "don't
// know".
using StepFunction = base::Expected<report::PageStep> (*)(const Case& task, Facts& facts, StepContext& context);

struct StepRow {
  std::string_view name;      // for --skip
  std::string_view question;  // "Does it run?"
  double share;               // of the budget that is left when it starts, relative to the steps after it
  StepFunction answer;
};

std::span<const StepRow> steps();

// The functions of the rows, in files of the same names in steps/.
report::PageStep make_answer(report::Mark mark, std::string text);
base::Expected<report::PageStep> describe_inputs(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> check_model(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> run_engines(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> repeat_runs(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> find_not_finite(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> compare_sides(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> flip_settings(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> locate_place(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> reduce_model(const Case& task, Facts& facts, StepContext& context);
base::Expected<report::PageStep> look_up_issue(const Case& task, Facts& facts, StepContext& context);

}  // namespace assay::diagnose
