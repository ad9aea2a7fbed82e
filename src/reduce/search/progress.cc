#include "reduce/search/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"

namespace assay::reduce {

void Progress::begin(const Proposal& proposal, std::int64_t nodes) {
  log_.info("{}: {} ({})", proposal.pass, proposal.what, base::counted(nodes, "node"));
}

void Progress::end(const Proposal& proposal, const Verdict& verdict, std::int64_t removed, const Judged& best) {
  PassCounts& pass = counts_of(proposal.pass);
  pass.nodes_removed += removed;
  if (verdict.known) {
    ++counts_.known;
    return;
  }
  counts_.add(verdict);
  ++pass.checks;
  pass.failing += verdict.kind == Verdict::Kind::fails ? 1 : 0;
  log_.info("    {}{}{} ({:.2f} s); {} left after {}", describe(verdict.kind), verdict.text.empty() ? "" : ": ",
            verdict.text, verdict.seconds, best.model ? base::counted(best.nodes, "node") : "all nodes", so_far());
}

PassCounts& Progress::counts_of(std::string_view pass) {
  const auto at = std::ranges::find(passes_, pass, &PassCounts::pass);
  return at != passes_.end() ? *at : passes_.emplace_back(PassCounts{.pass = std::string(pass)});
}

// Verdicts of an earlier run cost no time, so they don't count in the rate.
std::string Progress::so_far() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  std::string text = base::counted(counts_.checks, "check");
  if (counts_.replayed > 0) text += " and " + base::counted(counts_.replayed, "earlier verdict");
  if (counts_.checks > 0) text += fmt::format(", {:.1f} a second", counts_.checks / elapsed.count());
  return text;
}

}  // namespace assay::reduce
