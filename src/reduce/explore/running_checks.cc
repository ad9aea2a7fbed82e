#include "reduce/explore/running_checks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay::reduce {

bool RunningChecks::has(const std::string& hash) const {
  return std::ranges::any_of(running_, [&](const auto& entry) { return entry.second.run.hash == hash; });
}

std::vector<RunningChecks::Ended> RunningChecks::start(const std::vector<WantedCheck>& wanted, int search) {
  const auto is_running = [&](const CandidateRun& run) {
    return std::ranges::any_of(running_, [&](const auto& entry) { return entry.second.run == run; });
  };
  const auto is_unwanted = [&](const auto& entry) {
    return std::ranges::find(wanted, entry.second.run, &WantedCheck::run) == wanted.end();
  };
  std::vector<Ended> ended;
  for (const WantedCheck& check : wanted) {
    if (is_running(check.run)) continue;
    if (running_.size() == slots()) {
      const auto unwanted = std::ranges::find_if(running_, is_unwanted);
      if (unwanted == running_.end()) break;
      cancel(unwanted->first, ended);
    }
    ++started_[check.run.hash];
    running_.emplace(judges_.start(check.model), Running{check.run, check.draft, search});
  }
  return ended;
}

std::vector<RunningChecks::Ended> RunningChecks::wait() {
  std::vector<Ended> all;
  all.push_back(take(judges_.wait()));
  while (all.back().verdict) {
    std::optional<Judges::Ended> ended = judges_.poll();
    if (!ended) break;
    all.push_back(take(*std::move(ended)));
  }
  return all;
}

std::vector<RunningChecks::Ended> RunningChecks::cancel_all() {
  std::vector<Ended> ended;
  while (!running_.empty()) cancel(running_.begin()->first, ended);
  return ended;
}

void RunningChecks::cancel(Judges::Ticket ticket, std::vector<Ended>& ended) {
  if (std::optional<Judges::Ended> one = judges_.cancel(ticket)) {
    ended.push_back(take(*std::move(one)));
    return;
  }
  running_.erase(ticket);
}

RunningChecks::Ended RunningChecks::take(Judges::Ended ended) {
  const auto entry = running_.extract(ended.ticket);
  auto& [run, draft, search] = entry.mapped();
  return {std::move(run), std::move(draft), search, std::move(ended.verdict)};
}

}  // namespace assay::reduce
