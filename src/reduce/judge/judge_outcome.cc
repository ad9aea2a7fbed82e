// The output of a check can be long, and libstdc++'s default matcher recurses once for each character. So patterns use
// its other matcher (__polynomial), which follows all alternatives at once and needs no stack, but doesn't support back
// references.
#include "reduce/judge/judge_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

namespace assay::reduce {
namespace {

using Outcome = worker::Outcome<worker::Exited>;

base::Expected<std::regex> compile(const std::string& pattern, const std::string& option) {
  auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
  std::string text = pattern;
  if (text.starts_with("(?i)")) {
    text.erase(0, 4);
    flags |= std::regex::icase;
  }
  // In ECMAScript they would mean the letters.
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 2)) {
    if (at + 1 == text.size() || (text[at + 1] != 'A' && text[at + 1] != 'Z')) continue;
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("'{}' is not supported in patterns", text.substr(at, 2)), option + " " + pattern,
                      "Write ^ for the beginning and $ for the end of the output");
  }
  try {
    return std::regex(text, flags);
  } catch (const std::regex_error& error) {
    return base::fail(base::ErrorKind::invalid_input, std::string("not a regular expression: ") + error.what(),
                      option + " " + pattern, "Back references and other extensions of Python aren't supported");
  }
}

template <class Values>
bool has(const Values& values, int code) {
  return std::ranges::find(values, code) != values.end();
}

}  // namespace

class Judge::Patterns {
 public:
  static base::Expected<std::shared_ptr<const Patterns>> make(const std::vector<std::string>& patterns,
                                                              const std::string& option) {
    auto made = std::make_shared<Patterns>();
    for (const std::string& pattern : patterns) {
      ASSAY_ASSIGN(std::regex regex, compile(pattern, option));
      made->compiled_.push_back(std::move(regex));
    }
    return made;
  }
  // As in Python, '$' also matches before a newline at the end of the text.
  [[nodiscard]] bool any_in(const std::string& text) const {
    const auto end = text.ends_with('\n') ? text.end() - 1 : text.end();
    return std::ranges::any_of(compiled_, [&](const std::regex& pattern) {
      return std::regex_search(text, pattern) || (end != text.end() && std::regex_search(text.begin(), end, pattern));
    });
  }

 private:
  std::vector<std::regex> compiled_;
};

Judge::Judge(FailRules rules, std::shared_ptr<const Patterns> patterns, std::shared_ptr<const Patterns> unresolved)
    : rules_(std::move(rules)), patterns_(std::move(patterns)), unresolved_patterns_(std::move(unresolved)) {}

base::Expected<Judge> Judge::make(const FailRules& rules) {
  ASSAY_ASSIGN(auto patterns, Patterns::make(rules.patterns, "--fail-regex"));
  ASSAY_ASSIGN(auto unresolved, Patterns::make(rules.unresolved_patterns, "--unresolved-regex"));
  return Judge(rules, std::move(patterns), std::move(unresolved));
}

bool Judge::fails(int code, const std::string& output) const {
  const bool by_pattern = rules_.patterns.empty() || patterns_->any_in(output);
  if (!rules_.fail_codes.empty()) return by_pattern && has(rules_.fail_codes, code);
  if (has(rules_.ignore_fail_codes, code)) return false;
  return rules_.patterns.empty() ? code != 0 : by_pattern;
}

Verdict::Kind Judge::kind(int code, const std::string& output) const {
  if (has(rules_.unresolved_codes, code) || unresolved_patterns_->any_in(output)) return Verdict::Kind::unresolved;
  return fails(code, output) ? Verdict::Kind::fails : Verdict::Kind::passes;
}

base::Expected<Verdict> Judge::judge(const Outcome& outcome) const {
  using Kind = Verdict::Kind;
  const auto verdict = [&](int code, std::string text) {
    std::string output = output_of(outcome);
    const Kind by_rules = kind(code, output);
    if (output.size() > kKeptOutput) output.erase(0, output.size() - kKeptOutput);
    return Verdict{.kind = by_rules, .text = std::move(text), .output = std::move(output)};
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
