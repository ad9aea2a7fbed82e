#include "reduce/judge/repeat_judge.h"

#include <fmt/format.h>

#include <utility>

namespace assay::reduce {

void Runs::add(Verdict verdict) {
  counts_.add(verdict.kind);
  seconds_ += verdict.seconds;
  Verdict& last = last_.at(static_cast<std::size_t>(verdict.kind));
  last = std::move(verdict);
}

std::optional<Verdict> Runs::verdict() const {
  const std::optional<Verdict::Kind> kind = rule_.decide(counts_);
  if (!kind) return std::nullopt;
  Verdict verdict = last_.at(static_cast<std::size_t>(*kind));  // a rule only decides for a kind that occurred
  verdict.seconds = seconds_;
  if (counts_.all() > 1) verdict.text += fmt::format(": {} of {} runs failed", counts_.fails, counts_.all());
  return verdict;
}

FileJudge repeat_judge(FileJudge judge, RepeatRule rule) {
  if (rule.repeat <= 1) return judge;
  return [judge = std::move(judge), rule]() -> base::Expected<Verdict> {
    Runs runs(rule);
    for (;;) {
      ASSAY_ASSIGN(Verdict verdict, judge());
      runs.add(std::move(verdict));
      if (std::optional<Verdict> decided = runs.verdict()) return *std::move(decided);
    }
  };
}

}  // namespace assay::reduce
