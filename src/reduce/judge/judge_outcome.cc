#include "reduce/judge/judge_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace assay::reduce {
namespace {

using Outcome = worker::Outcome<worker::Exited>;

template <class Values>
bool has(const Values& values, int code) {
  return std::ranges::find(values, code) != values.end();
}

// A code that no process can end with would make every check pass.
base::Status check_codes(std::string_view option, const std::vector<int>& codes) {
  constexpr int kLastSignal = 64, kLastStatus = 255;
  const auto is_impossible = [](int code) { return code < -kLastSignal || code > kLastStatus; };
  const auto wrong = std::ranges::find_if(codes, is_impossible);
  if (wrong == codes.end()) return {};
  return base::fail(base::ErrorKind::invalid_input, fmt::format("no check ends with exit status {}", *wrong),
                    std::string(option),
                    fmt::format("Use numbers from 0 to {}, or -N for signal N, up to {}", kLastStatus, kLastSignal));
}

}  // namespace

base::Expected<OutcomeRules::Patterns> OutcomeRules::Patterns::compile(std::string option,
                                                                       const std::vector<std::string>& texts) {
  Patterns result{.option = std::move(option), .patterns = {}};
  for (const std::string& text : texts) {
    auto pattern = base::Pattern::regex(text);
    if (!pattern) return base::fail(std::move(pattern).error().within(result.option));
    result.patterns.push_back(*std::move(pattern));
  }
  return result;
}

base::Expected<bool> OutcomeRules::Patterns::any_in(const std::string& output) const {
  for (const base::Pattern& pattern : patterns) {
    auto found = pattern.matches(output);
    if (!found) return base::fail(std::move(found).error().within(option));
    if (*found) return true;
  }
  return false;
}

OutcomeRules::OutcomeRules(FailRules rules, Patterns patterns, Patterns unresolved)
    : rules_(std::move(rules)), patterns_(std::move(patterns)), unresolved_patterns_(std::move(unresolved)) {}

base::Expected<OutcomeRules> OutcomeRules::make(const FailRules& rules) {
  ASSAY_TRY(check_codes("--fail-code", rules.fail_codes));
  ASSAY_TRY(check_codes("--ignore-fail-code", rules.ignore_fail_codes));
  ASSAY_TRY(check_codes("--unresolved-code", rules.unresolved_codes));
  ASSAY_ASSIGN(Patterns patterns, Patterns::compile("--fail-regex", rules.patterns));
  ASSAY_ASSIGN(Patterns unresolved, Patterns::compile("--unresolved-regex", rules.unresolved_patterns));
  return OutcomeRules(rules, std::move(patterns), std::move(unresolved));
}

bool OutcomeRules::may_fail(int code) const {
  if (!rules_.fail_codes.empty() && !has(rules_.fail_codes, code)) return false;
  return !has(rules_.ignore_fail_codes, code);
}

base::Expected<bool> OutcomeRules::fails(int code, const std::string& output) const {
  if (!may_fail(code)) return false;
  if (!rules_.patterns.empty()) return patterns_.any_in(output);
  return !rules_.fail_codes.empty() || code != 0;
}

base::Expected<Verdict::Kind> OutcomeRules::kind(int code, const std::string& output) const {
  if (has(rules_.unresolved_codes, code)) return Verdict::Kind::unresolved;
  ASSAY_ASSIGN(const bool unresolved, unresolved_patterns_.any_in(output));
  if (unresolved) return Verdict::Kind::unresolved;
  return fails(code, output).map([](bool failed) { return failed ? Verdict::Kind::fails : Verdict::Kind::passes; });
}

base::Expected<Verdict> OutcomeRules::judge(const Outcome& outcome) const {
  using Kind = Verdict::Kind;
  const auto verdict = [&](int code, std::string text) -> base::Expected<Verdict> {
    std::string output = output_of(outcome);
    ASSAY_ASSIGN(const Kind by_rules, kind(code, output));
    const bool lacks_match = by_rules == Kind::passes && may_fail(code) && !rules_.patterns.empty();
    if (lacks_match) text += " without a match of --fail-regex";
    return Verdict{.kind = by_rules,
                   .text = std::move(text),
                   .output = shorten_output(std::move(output)),
                   .cause = by_rules == Kind::unresolved ? Verdict::Cause::rule : Verdict::Cause::unknown,
                   .lacks_match = lacks_match};
  };
  if (outcome) return verdict(outcome->code, "exit status " + std::to_string(outcome->code));
  const worker::Failure& failure = outcome.error();
  if (std::holds_alternative<worker::Stopped>(failure)) {
    return base::fail(base::ErrorKind::interrupted, "stopped while a check was running");
  }
  if (const auto* crashed = std::get_if<worker::Crashed>(&failure)) {
    return verdict(crashed->signal != 0 ? -crashed->signal : crashed->exit_code, worker::describe(failure));
  }
  const bool has_rules = !rules_.fail_codes.empty() || !rules_.ignore_fail_codes.empty() || !rules_.patterns.empty();
  return Verdict{.kind = has_rules ? Kind::unresolved : Kind::fails,
                 .text = worker::describe(failure),
                 .cause = has_rules ? Verdict::Cause::limit : Verdict::Cause::unknown};
}

std::string output_of(const Outcome& outcome) {
  if (outcome) return outcome->output;
  const auto* crashed = std::get_if<worker::Crashed>(&outcome.error());
  return crashed != nullptr ? crashed->last_output : std::string();
}

}  // namespace assay::reduce
