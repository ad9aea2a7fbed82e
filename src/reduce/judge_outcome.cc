// The output of a check can be long, and libstdc++'s usual matcher recurses once a character. The patterns are
// therefore matched by its other one, which walks all alternatives at once and takes no stack; it knows no back
// references.
#include "reduce/judge_outcome.h"

#include <algorithm>
#include <regex>
#include <utility>

namespace assay::reduce {
namespace {

using Outcome = worker::Outcome<worker::Exited>;

base::Expected<std::regex> compile(const std::string& pattern) {
  auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
  std::string text = pattern;
  if (text.starts_with("(?i)")) {
    text.erase(0, 4);
    flags |= std::regex::icase;
  }
  try {
    return std::regex(text, flags);
  } catch (const std::regex_error& error) {
    return base::fail(base::ErrorKind::invalid_input, std::string("not a regular expression: ") + error.what(),
                      "--fail-regex " + pattern, "Back references and other extensions of Python are not known here");
  }
}

}  // namespace

class Judge::Patterns {
 public:
  explicit Patterns(std::vector<std::regex> compiled) : compiled_(std::move(compiled)) {}
  [[nodiscard]] bool any_in(const std::string& text) const {
    return std::ranges::any_of(compiled_, [&](const std::regex& pattern) { return std::regex_search(text, pattern); });
  }

 private:
  std::vector<std::regex> compiled_;
};

Judge::Judge(FailRules rules, std::shared_ptr<const Patterns> patterns)
    : rules_(std::move(rules)), patterns_(std::move(patterns)) {}

base::Expected<Judge> Judge::make(const FailRules& rules) {
  std::vector<std::regex> compiled;
  for (const std::string& pattern : rules.patterns) {
    ASSAY_ASSIGN(std::regex regex, compile(pattern));
    compiled.push_back(std::move(regex));
  }
  return Judge(rules, std::make_shared<const Patterns>(std::move(compiled)));
}

bool Judge::fails(int code, const std::string& output) const {
  const auto is_code = [code](int other) { return other == code; };
  const bool by_pattern = rules_.patterns.empty() || patterns_->any_in(output);
  if (!rules_.fail_codes.empty()) return by_pattern && std::ranges::any_of(rules_.fail_codes, is_code);
  if (std::ranges::any_of(rules_.ignore_fail_codes, is_code)) return false;
  return rules_.patterns.empty() ? code != 0 : by_pattern;
}

base::Expected<Verdict> Judge::judge(const Outcome& outcome) const {
  using Kind = Verdict::Kind;
  const auto verdict = [&](int code, std::string text) {
    return Verdict{.kind = fails(code, output_of(outcome)) ? Kind::fails : Kind::passes, .text = std::move(text)};
  };
  if (outcome) return verdict(outcome->code, "exit code " + std::to_string(outcome->code));
  const worker::Failure& failure = outcome.error();
  if (std::holds_alternative<worker::Stopped>(failure)) {
    return base::fail(base::ErrorKind::interrupted, "stopped while a check was running");
  }
  if (const auto* crashed = std::get_if<worker::Crashed>(&failure)) {
    return verdict(crashed->signal != 0 ? -crashed->signal : crashed->exit_code, worker::describe(failure));
  }
  const bool has_rules = !rules_.fail_codes.empty() || !rules_.ignore_fail_codes.empty() || !rules_.patterns.empty();
  return Verdict{.kind = has_rules ? Kind::unresolved : Kind::fails, .text = worker::describe(failure)};
}

std::string output_of(const Outcome& outcome) {
  if (outcome) return outcome->output;
  const auto* crashed = std::get_if<worker::Crashed>(&outcome.error());
  return crashed != nullptr ? crashed->last_output : std::string();
}

}  // namespace assay::reduce
