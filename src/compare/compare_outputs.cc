// Functions judge one after another, each all outputs. Measurements of a pair are cached in its PairFacts, so that what
// one function has measured, such as the statistics for the log, is not computed again for the next.
#include "compare/compare_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <source_location>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/list_first.h"
#include "compare/align_shapes.h"
#include "compare/error_pictures.h"
#include "compare/match_outputs.h"
#include "compare/moved_rows.h"
#include "stats/read_block.h"
#include "stats/summary.h"
#include "stats/summary_text.h"

namespace assay::compare {
namespace {

using tensor::ElementKind;
using tensor::Tensor;

ElementKind kind(const Tensor& tensor) {
  return tensor::info(tensor.type()).kind;
}

bool compare_strings(const Tensor& first, const Tensor& second, base::Log& log) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < first.size(); ++i) {
    if (first.strings()[i] == second.strings()[i]) continue;
    if (wrong++ == 0) {
      log.error("        Strings differ, first at {}: '{}' and '{}'", stats::format_position(i, first.shape()),
                first.strings()[i], second.strings()[i]);
    }
  }
  if (wrong != 0) log.error("        {} of {} strings differ", wrong, first.size());
  return wrong == 0;
}

// An output of both runs, with the measurements made so far.
class MatchedOutput {
 public:
  MatchedOutput(const OutputMatch& match, const Tensor& first, const Tensor& second)
      : match_(match), first_(first), second_(second) {}

  Judgement judge(const CompareFunction& function, const CompareOptions& options, base::Log& log);
  void draw(const CompareFunction& function, const ComparePlan& plan) const;
  // Returns the second tensor if its shape was converted.
  [[nodiscard]] const std::optional<Tensor>& aligned() const { return aligned_; }
  // Returns the facts of the tensors in their original shapes, or null if none were computed.
  [[nodiscard]] PairFacts* facts() { return aligned_ || !facts_ ? nullptr : &*facts_; }

 private:
  // Converts the second tensor to the shape of the first. Returns false if that isn't possible.
  bool align(const CompareOptions& options, base::Log& log);
  bool make_facts(const CompareOptions& options, base::Log& log);
  // Says so if the tensors differ because their rows are in another order.
  void report_moved_rows(const CompareFunction& function, const CompareOptions& options, base::Log& log) const;

  const OutputMatch& match_;
  const Tensor& first_;
  const Tensor& second_;
  std::optional<Tensor> aligned_;
  std::optional<PairFacts> facts_;
};

bool MatchedOutput::align(const CompareOptions& options, base::Log& log) {
  if (first_.shape() == second_.shape()) return true;
  if (options.check_shapes) {
    log.error(
        "        Shapes differ: {} and {}. With --no-shape-check, the second output is transposed or reshaped if "
        "possible",
        tensor::format_shape(first_.shape()), tensor::format_shape(second_.shape()));
    return false;
  }
  if (!aligned_) aligned_ = align_to(second_, first_.shape());
  if (!aligned_) {
    log.error("        Shapes differ: {} and {}. Neither transposing nor reshaping makes them equal",
              tensor::format_shape(first_.shape()), tensor::format_shape(second_.shape()));
    return false;
  }
  log.info("        Shape {} of the second run is converted to {}", tensor::format_shape(second_.shape()),
           tensor::format_shape(first_.shape()));
  return true;
}

bool MatchedOutput::make_facts(const CompareOptions& options, base::Log& log) {
  if (facts_) return true;
  const Tensor& second = aligned_ ? *aligned_ : second_;
  if (kind(first_) == ElementKind::complex && kind(second) == ElementKind::complex) {
    facts_.emplace(stats::as_pairs(first_), stats::as_pairs(second), options.equal);
  } else if (stats::is_numeric(first_.type()) && stats::is_numeric(second.type())) {
    facts_.emplace(first_, second, options.equal);
  } else {
    log.error("        {} and {} cannot be compared", tensor::name(first_.type()), tensor::name(second.type()));
  }
  return facts_.has_value();
}

Judgement MatchedOutput::judge(const CompareFunction& function, const CompareOptions& options, base::Log& log) {
  log.info("    {} | '{}' ({}) and '{}' ({})", function.name, match_.first, first_.describe(), match_.second,
           second_.describe());
  if (!align(options, log)) {
    report_moved_rows(function, options, log);
    return {false};
  }
  if (kind(first_) == ElementKind::string && kind(second_) == ElementKind::string) {
    return {compare_strings(first_, aligned_ ? *aligned_ : second_, log)};
  }
  if (!make_facts(options, log)) return {false};
  Judgement judgement = compare_pair(function, {match_.first, *facts_}, options, log);
  if (!judgement.passed) report_moved_rows(function, options, log);
  return judgement;
}

void MatchedOutput::report_moved_rows(const CompareFunction& function, const CompareOptions& options,
                                      base::Log& log) const {
  if (function.name != "simple" || !log.shows(base::Level::info)) return;
  const std::string moved = describe_moved_rows(first_, second_, tolerances_of(match_.first, options), options.equal);
  if (!moved.empty()) log.info("        {}", moved);
}

void MatchedOutput::draw(const CompareFunction& function, const ComparePlan& plan) const {
  if (plan.pictures == nullptr || function.name != "simple" || !facts_) return;
  plan.pictures->draw(match_.first, *facts_, tolerances_of(match_.first, plan.options));
}

std::vector<std::string> unmatched(const std::vector<std::string>& names, const std::vector<OutputMatch>& matches,
                                   std::string OutputMatch::*side) {
  std::unordered_set<std::string_view> matched;
  for (const OutputMatch& match : matches) matched.insert(match.*side);
  std::vector<std::string> alone;
  std::ranges::copy_if(names, std::back_inserter(alone),
                       [&](const std::string& name) { return !matched.contains(name); });
  return alone;
}

std::string list_names(std::vector<std::string> names) {
  constexpr std::size_t kMostListed = 16;
  return names.empty() ? "none" : base::list_first(std::move(names), kMostListed, ", ");
}

void report_matches(const RunOutputs& first, const RunOutputs& second, const std::vector<OutputMatch>& matches,
                    base::Log& log) {
  for (const OutputMatch& match : matches) {
    if (match.same_name) continue;
    log.warning("    '{}' of {} has no output of the same name and is compared with '{}' of {}", match.first,
                first.runner, match.second, second.runner);
  }
  if (!log.shows(base::Level::info)) return;
  const auto alone_first = unmatched(first.outputs.names(), matches, &OutputMatch::first);
  const auto alone_second = unmatched(second.outputs.names(), matches, &OutputMatch::second);
  if (!alone_first.empty()) log.info("    Only in {}: {}", first.runner, list_names(alone_first));
  if (!alone_second.empty()) log.info("    Only in {}: {}", second.runner, list_names(alone_second));
}

void report_summaries(const RunOutputs& first, const RunOutputs& second, const std::vector<OutputMatch>& matches,
                      std::vector<MatchedOutput>& outputs, base::Log& log) {
  if (!log.shows(base::Level::info)) return;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Tensor& one = *first.outputs.find(matches[i].first);
    const Tensor& other = *second.outputs.find(matches[i].second);
    PairFacts* facts = stats::is_numeric(one.type()) && stats::is_numeric(other.type()) ? outputs[i].facts() : nullptr;
    if (stats::is_numeric(one.type())) {
      const stats::Summary summary = facts != nullptr ? facts->summaries().first : stats::summarize(one);
      log.info("    {}: {} | {}", first.runner, matches[i].first, stats::describe(summary, one.shape()));
    }
    if (stats::is_numeric(other.type())) {
      const stats::Summary summary = facts != nullptr ? facts->summaries().second : stats::summarize(other);
      log.info("    {}: {} | {}", second.runner, matches[i].second, stats::describe(summary, other.shape()));
    }
  }
}

// So many outputs are described one by one. With more, such as all tensors of a model, only what differs is.
constexpr std::size_t kDescribed = 20;

// Passes on what is worth a warning or more.
class WarningsOnly final : public base::Log {
 public:
  explicit WarningsOnly(base::Log& log) : log_(log) {}
  [[nodiscard]] bool shows(base::Level level) const override {
    return level >= base::Level::warning && log_.shows(level);
  }
  void write(base::Level level, std::string_view message) override { log_.write(level, message); }
  void write_from(const std::source_location& where, base::Level level, std::string_view message) override {
    log_.write_from(where, level, message);
  }

 private:
  base::Log& log_;
};

// Chooses the log for each output of a comparison.
class OutputLogs {
 public:
  OutputLogs(std::size_t outputs, base::Log& log)
      : log_(log), warnings_(log), is_short_(outputs > kDescribed && !log.shows(base::Level::verbose)) {}

  [[nodiscard]] bool is_short() const { return is_short_; }
  // Returns the log for the next output, of which `failed` differed before.
  base::Log& next(std::size_t failed) {
    if (!is_short_) return log_;
    return failed < kDescribed ? static_cast<base::Log&>(warnings_) : silent_;
  }

 private:
  base::Log& log_;
  WarningsOnly warnings_;
  base::SilentLog silent_;
  bool is_short_;
};

bool passed(const OutputJudgement& output) {
  return output.judgement.passed;
}

// Shortens a long list of names. The number of the others is quoted like a name, so that the reducer, which ignores
// quoted texts, takes failures with few and with many names for the same.
std::vector<std::string> first_names(std::vector<std::string> names) {
  if (names.size() <= kDescribed + 1) return names;
  const std::size_t others = names.size() - kDescribed;
  names.resize(kDescribed);
  names.push_back(fmt::format("and {} more", others));
  return names;
}

// Judges all outputs by one function; with fail_fast, up to the first one that disagrees.
std::vector<OutputJudgement> judge_by(const CompareFunction& function, const ComparePlan& plan,
                                      const std::vector<OutputMatch>& matches, std::vector<MatchedOutput>& outputs,
                                      base::Log& log) {
  std::vector<OutputJudgement> judgements;
  std::vector<std::string> failed;
  bool differs = false;
  OutputLogs logs(matches.size(), log);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    base::Log& own = logs.next(failed.size());
    const OutputJudgement& judged =
        judgements.emplace_back(OutputJudgement{matches[i].first, outputs[i].judge(function, plan.options, own)});
    own.log(passed(judged) ? base::Level::info : base::Level::error, "        {} | {} | Output: '{}'",
            passed(judged) ? "PASSED" : "FAILED", function.name, judged.output);
    outputs[i].draw(function, plan);
    if (passed(judged)) continue;
    failed.push_back(judged.output);
    differs |= !judged.judgement.only_specials;
    if (plan.fail_fast) break;
  }
  if (logs.is_short()) {
    log.info("    {} of {} outputs differ{}; -v describes each output", failed.size(), judgements.size(),
             failed.size() > kDescribed ? fmt::format(", the first {} of them as above", kDescribed) : "");
  }
  if (failed.empty()) {
    log.info("    PASSED | {} | All outputs agree ({})", function.name, matches.size());
  } else {
    log.error("    FAILED | {} | Outputs {}: {}", function.name,
              differs ? "that differ" : "with NaN or infinity on both sides", first_names(std::move(failed)));
  }
  return judgements;
}

}  // namespace

IterationJudgement judge_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan,
                                 base::Log& log) {
  return judge_outputs(first, second, match_outputs(first.outputs.names(), second.outputs.names()), plan, log);
}

IterationJudgement judge_outputs(const RunOutputs& first, const RunOutputs& second, std::vector<OutputMatch> given,
                                 const ComparePlan& plan, base::Log& log) {
  IterationJudgement result;
  result.by_function.resize(plan.functions.size());
  result.matches = std::move(given);
  const std::vector<OutputMatch>& matches = result.matches;
  if (matches.empty() && (!first.outputs.empty() || !second.outputs.empty())) {
    log.error("    {} and {} have no output in common ({} and {})", first.runner, second.runner,
              list_names(first.outputs.names()), list_names(second.outputs.names()));
    result.passed = false;
    return result;
  }
  report_matches(first, second, matches, log);
  std::vector<MatchedOutput> outputs;
  for (const OutputMatch& match : matches) {
    outputs.emplace_back(match, *first.outputs.find(match.first), *second.outputs.find(match.second));
  }
  for (std::size_t f = 0; f < plan.functions.size(); ++f) {
    result.by_function[f] = judge_by(*plan.functions[f], plan, matches, outputs, log);
    result.passed &= std::ranges::all_of(result.by_function[f], passed);
    if (!result.passed && plan.fail_fast) break;
  }
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (outputs[i].aligned()) result.aligned.set(matches[i].first, *outputs[i].aligned());
  }
  if (!OutputLogs(matches.size(), log).is_short()) report_summaries(first, second, matches, outputs, log);
  return result;
}

bool IterationJudgement::only_specials() const {
  const auto differs = [](const OutputJudgement& output) {
    return !output.judgement.passed && !output.judgement.only_specials;
  };
  return !passed && !matches.empty() &&
         std::ranges::none_of(by_function, [&](const auto& outputs) { return std::ranges::any_of(outputs, differs); });
}

bool compare_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan, base::Log& log) {
  return judge_outputs(first, second, plan, log).passed;
}

}  // namespace assay::compare
