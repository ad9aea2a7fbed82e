#include "diagnose/steps/note_refusal.h"

#include <fmt/format.h>

#include "diagnose/commands.h"

namespace assay::diagnose {
namespace {

constexpr std::size_t kKeptMessage = 10'000;  // characters

}  // namespace

void note_refusal(const Case& task, int side, const Trial& failed, Facts& facts) {
  const std::string& runner = task.sides.at(static_cast<std::size_t>(side)).setup.runner;
  facts.is_intermittent = facts.versions.contains(runner);
  facts.versions[runner] = failed.version;
  facts.failure = Failure::refused;
  facts.place = {};  // of a NaN that was seen before
  facts.faulty_side = side;
  facts.phase = failed.phase;
  facts.hung_s = failed.hung_s;
  facts.message = in_few_words(failed);
  facts.details = failed.failure.substr(0, kKeptMessage);
}

std::string describe_refusal(const Case& task, const Facts& facts) {
  return fmt::format("{} {}: {}{}", name_of(task, facts, facts.faulty_side),
                     facts.hung_s > 0 ? "hangs" : "fails in phase " + facts.phase, facts.message,
                     facts.is_intermittent ? "; it has run the model before, so it fails only sometimes" : "");
}

}  // namespace assay::diagnose
