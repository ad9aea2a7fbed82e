#include "cli/commands/debug/reduce/unresolved_notice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/shorten_middle.h"

namespace assay::cli {
namespace {

using Cause = reduce::Verdict::Cause;

constexpr int kEnough = 20;
constexpr std::size_t kLongest = 200;  // characters of a reason

struct AdviceRow {
  reduce::Verdict::Cause cause;
  std::string_view advice;
};
// Causes for which nothing can be done have no row.
constexpr std::array kAdvice = {
    AdviceRow{Cause::rule, "The check says so: see --unresolved-code and --unresolved-regex"},
    AdviceRow{Cause::limit, "Allow a check more time or memory (--check-timeout, --check-memory)"},
    AdviceRow{Cause::engine, "Another choice of --values may lead to candidates that it runs"},
    AdviceRow{Cause::saved_outputs, "A check that compares with another engine instead can judge more candidates"},
    AdviceRow{Cause::other_error,
              "If these are the failure that you are after, too, count them with --same-failure any"},
    AdviceRow{Cause::other_ending,
              "The check ends differently than for the whole model, so these are probably errors about what was cut. "
              "Another choice of --values, such as freeze, may avoid them"},
};

}  // namespace

std::optional<std::string> UnresolvedNotice::update(const reduce::Progress& progress) {
  if (!progress.ended || progress.ended->known || told_) return std::nullopt;
  const reduce::Progress::Ended& ended = *progress.ended;
  ++judged_;
  if (ended.kind == reduce::Verdict::Kind::unresolved) {
    ++unresolved_;
    Reason& reason = reasons_[ended.cause];
    ++reason.times;
    reason.text = ended.text;
  }
  if (judged_ < kEnough || 2 * unresolved_ <= judged_) return std::nullopt;
  told_ = true;
  const auto& [cause, most] = *std::ranges::max_element(reasons_, {}, [](const auto& row) { return row.second.times; });
  std::string text = fmt::format(
      "{} of {} candidates so far can't be judged, so the search needs more checks and may leave more nodes. The most "
      "frequent reason ({} times): {}",
      unresolved_, judged_, most.times, base::shorten_middle(most.text, kLongest));
  const auto row = std::ranges::find(kAdvice, cause, &AdviceRow::cause);
  if (row != kAdvice.end()) text += fmt::format(". {}", row->advice);
  return text;
}

}  // namespace assay::cli
