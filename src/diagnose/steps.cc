#include "diagnose/steps.h"

#include <array>
#include <utility>

namespace assay::diagnose {
namespace {

// Time that a step doesn't use is left for the next ones, so the shares of quick steps are generous.
constexpr std::array kSteps = {
    StepRow{"inputs", "What are the inputs?", 0.2, describe_inputs},
    StepRow{"model", "Is the model valid?", 0.2, check_model},
    StepRow{"run", "Does it run?", 1.5, run_engines},
    StepRow{"repeat", "Is it deterministic?", 0.6, repeat_runs},
    StepRow{"finite", "NaN or infinity?", 0.6, find_not_finite},
    StepRow{"compare", "Does it agree?", 1.5, compare_sides},
    StepRow{"settings", "Which setting matters?", 0.5, flip_settings},
    StepRow{"locate", "Which layer is first?", 0.5, locate_place},
    StepRow{"reduce", "What is the minimal case?", 1.5, reduce_model},
    StepRow{"known", "Is it known?", 0.05, look_up_issue},
};

}  // namespace

std::span<const StepRow> steps() {
  return kSteps;
}

report::PageStep make_answer(report::Mark mark, std::string text) {
  report::PageStep answer;
  answer.mark = mark;
  answer.answer = std::move(text);
  return answer;
}

}  // namespace assay::diagnose
