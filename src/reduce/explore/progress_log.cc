#include "reduce/explore/progress_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/counted.h"
#include "base/seconds.h"

namespace assay::reduce {

void ProgressLog::begin(const Proposal& proposal, std::int64_t nodes, const Judged& best) {
  log_.verbose("{}: {} ({})", proposal.pass, proposal.what, base::counted(nodes, "node"));
  show(proposal.pass, false, best, std::nullopt);
}

void ProgressLog::end(const Proposal& proposal, const Judged& judged, Gain gain, const Judged& best) {
  const Verdict& verdict = judged.verdict;
  const Progress::Ended ended{.nodes = judged.nodes,
                              .kind = verdict.kind,
                              .cause = verdict.cause,
                              .what = proposal.what,
                              .text = verdict.text,
                              .seconds = verdict.seconds,
                              .known = verdict.known};
  counts_of(proposal.pass).nodes_removed += gain.nodes_removed;
  if (verdict.known) {
    ++counts_.known;
    show(proposal.pass, false, best, ended);
    return;
  }
  count(proposal.pass, verdict);
  show(proposal.pass, gain.is_smaller, best, ended);
  const std::string result = fmt::format("{}{}{} ({:.2f} s)", describe(verdict.kind), verdict.text.empty() ? "" : ": ",
                                         verdict.text, verdict.seconds);
  const std::string left = best.model ? base::counted(best.nodes, "node") : "all nodes";
  if (gain.is_smaller) {
    log_.info("{} left after {} ({}: {}). {}", left, so_far(), proposal.pass, proposal.what, result);
  } else {
    log_.verbose("    {}; {} left after {}", result, left, so_far());
  }
}

void ProgressLog::count(std::string_view pass, const Verdict& verdict) {
  count(verdict);
  PassCounts& counts = counts_of(pass);
  ++counts.checks;
  counts.failing += verdict.kind == Verdict::Kind::fails ? 1 : 0;
}

void ProgressLog::show(std::string_view pass, bool is_smaller, const Judged& best,
                       const std::optional<Progress::Ended>& ended) const {
  if (!show_) return;
  show_({.pass = pass,
         .nodes_left = best.model ? std::optional(best.nodes) : std::nullopt,
         .checks = counts_.checks,
         .earlier = counts_.replayed,
         .is_smaller = is_smaller,
         .ended = ended});
}

PassCounts& ProgressLog::counts_of(std::string_view pass) {
  const auto at = std::ranges::find(passes_, pass, &PassCounts::pass);
  return at != passes_.end() ? *at : passes_.emplace_back(PassCounts{.pass = std::string(pass)});
}

// Verdicts of an earlier run cost no time, so they don't count in the rate.
std::string ProgressLog::so_far() const {
  const double seconds = base::seconds_since(started_);
  std::string text = base::counted(counts_.checks, "check");
  if (counts_.replayed > 0) text += " and " + base::counted(counts_.replayed, "earlier verdict");
  if (counts_.checks > 0) text += fmt::format(", {:.1f} a second", counts_.checks / seconds);
  return text;
}

}  // namespace assay::reduce
