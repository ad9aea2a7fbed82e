// Turns the way in which a check command ended into a verdict, by the rules of --fail-code, --ignore-fail-code,
// --fail-regex, --unresolved-code and --unresolved-regex.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/pattern.h"
#include "reduce/verdicts/verdict.h"
#include "worker/outcome.h"
#include "worker/process.h"

namespace assay::reduce {

// The exit status that means "can't judge this", the same as for `git bisect run`.
inline constexpr int kUnresolvedCode = 125;

struct FailRules {
  std::vector<int> fail_codes;         // only these exit statuses fail; signal N is code -N
  std::vector<int> ignore_fail_codes;  // these don't fail; not combined with fail_codes
  std::vector<std::string> patterns;   // regular expressions: fails only if the output matches one
  // The candidate is unresolved, whatever the rules above say.
  std::vector<int> unresolved_codes{kUnresolvedCode};
  std::vector<std::string> unresolved_patterns{};
};

class OutcomeRules {
 public:
  // Errors: those of base::Pattern::regex(), with the option.
  static base::Expected<OutcomeRules> make(const FailRules& rules);

  // Returns the verdict. Without rules, exit status 0 passes and everything else fails: other codes, a signal, a
  // timeout, too much memory. With patterns, the exit status counts only if there are rules for codes, too. Rules for
  // unresolved candidates take precedence over all others. A check that had to be killed (timeout, memory) has no exit
  // status: it fails if there are no rules, and is unresolved if there are. The verdict holds the check's output,
  // shortened by shorten_output(). Errors: interrupted if the check was killed because the user asked us to stop; those
  // of base::Pattern::matches(), with the option.
  [[nodiscard]] base::Expected<Verdict> judge(const worker::Outcome<worker::Exited>& outcome) const;

 private:
  // The patterns that users gave with one option.
  struct Patterns {
    std::string option;
    std::vector<base::Pattern> patterns;

    static base::Expected<Patterns> compile(std::string option, const std::vector<std::string>& texts);
    [[nodiscard]] base::Expected<bool> any_in(const std::string& output) const;
  };
  OutcomeRules(FailRules rules, Patterns patterns, Patterns unresolved);
  [[nodiscard]] base::Expected<Verdict::Kind> kind(int code, const std::string& output) const;
  [[nodiscard]] bool may_fail(int code) const;  // by the rules for codes
  [[nodiscard]] base::Expected<bool> fails(int code, const std::string& output) const;

  FailRules rules_;
  Patterns patterns_;
  Patterns unresolved_patterns_;
};

// Returns the command's output, as far as the outcome still has it.
std::string output_of(const worker::Outcome<worker::Exited>& outcome);

}  // namespace assay::reduce
