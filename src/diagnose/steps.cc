#include "diagnose/steps.h"

#include <array>
#include <utility>

namespace assay::diagnose {
namespace {

constexpr std::array kSteps = {
    StepRow{"inputs", "What goes in?", 0.01, describe_inputs},
    StepRow{"model", "Is the model valid?", 0.04, check_model},
    StepRow{"run", "Does it run?", 0.05, run_engines},
    StepRow{"repeat", "Is it deterministic?", 0.05, repeat_runs},
    StepRow{"finite", "NaN or infinity?", 0.05, find_not_finite},
    StepRow{"compare", "Does it agree?", 0.10, compare_sides},
    StepRow{"settings", "Which setting matters?", 0.15, flip_settings},
    StepRow{"locate", "Which layer is first?", 0.15, locate_place},
    StepRow{"reduce", "What is the minimal case?", 0.39, reduce_model},
    StepRow{"known", "Is it known?", 0.01, look_up_issue},
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
