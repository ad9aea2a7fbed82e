#include "diagnose/steps/blame_random.h"

#include <fmt/format.h>

#include "diagnose/commands.h"
#include "diagnose/steps.h"

namespace assay::diagnose {
namespace {

using report::Mark;

void withdraw_difference(const std::string& why, Facts& facts) {
  facts.failure = Failure::none;
  facts.faulty_side = facts.good_side = kNoSide;
  facts.output = facts.message = facts.note = facts.no_floor = {};
  facts.is_moved = false;
  facts.setting = {};
  facts.floor = why;
}

}  // namespace

std::optional<report::PageStep> blame_random(const Case& task, bool is_good_side, Facts& facts) {
  // Otherwise, the good side is the engine at fault itself, with other settings.
  const bool is_another = facts.setting.plain.empty() && facts.good_side >= 0;
  if (is_good_side && is_another) {
    const std::string name = name_of(task, facts, facts.good_side);
    const bool is_given = task.sides.at(static_cast<std::size_t>(facts.good_side)).is_given;
    if (!is_given && facts.good_is_sure) {
      return make_answer(Mark::unknown,
                         fmt::format("don't know: {}, with which it is compared, isn't deterministic", name));
    }
    if (!is_given) {
      withdraw_difference(fmt::format("the outputs differ only from those of {}, which ran only for comparison and "
                                      "isn't deterministic",
                                      name),
                          facts);
      return make_answer(Mark::note, "no place: " + facts.floor);
    }
    facts.faulty_side = facts.good_side;
  }
  facts.failure = Failure::random;
  facts.good_side = facts.faulty_side;
  facts.setting = {};
  return std::nullopt;
}

}  // namespace assay::diagnose
