#include "cli/commands/debug/reduce/unresolved_notice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/shorten_middle.h"

namespace assay::cli {
namespace {

constexpr int kEnough = 20;
constexpr std::size_t kLongest = 200;  // characters of a reason

// The text tells who set the candidate aside: the failure filter, the check itself, or an engine.
std::string_view advice_on(std::string_view text) {
  if (text.ends_with("it is a different failure")) {
    return "If these are the failure that you are after, too, count them with --same-failure any";
  }
  if (text.starts_with("exit status ")) return "The check says so: see --unresolved-code and --unresolved-regex";
  if (text.find("saved outputs") != std::string_view::npos) {
    return "A check that compares with another engine instead can judge more candidates";
  }
  if (text.find("can't load or run it") != std::string_view::npos) {
    return "Another choice of --values may lead to candidates that it runs";
  }
  return "";
}

}  // namespace

std::optional<std::string> UnresolvedNotice::update(const reduce::Progress& progress) {
  if (!progress.ended || progress.ended->known || told_) return std::nullopt;
  const reduce::Progress::Ended& ended = *progress.ended;
  ++judged_;
  if (ended.kind == reduce::Verdict::Kind::unresolved) {
    ++unresolved_;
    Reason& reason = reasons_[std::string(ended.text.substr(0, ended.text.find(": ")))];
    ++reason.times;
    reason.text = ended.text;
  }
  if (judged_ < kEnough || 2 * unresolved_ <= judged_) return std::nullopt;
  told_ = true;
  const auto& [key, most] = *std::ranges::max_element(reasons_, {}, [](const auto& row) { return row.second.times; });
  std::string text = fmt::format(
      "{} of {} candidates so far can't be judged, so the search needs more checks and may leave more nodes. The most "
      "frequent reason ({} times): {}",
      unresolved_, judged_, most.times, base::shorten_middle(most.text, kLongest));
  if (const std::string_view advice = advice_on(most.text); !advice.empty()) text += fmt::format(". {}", advice);
  return text;
}

}  // namespace assay::cli
