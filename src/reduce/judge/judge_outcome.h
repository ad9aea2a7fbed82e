// From how a check command ended to a verdict: the rules of --fail-code, --ignore-fail-code, --fail-regex,
// --unresolved-code and --unresolved-regex.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/verdicts/oracle.h"
#include "worker/outcome.h"
#include "worker/process.h"

namespace assay::reduce {

// The exit code by which a check says that it cannot judge: that of `git bisect run`.
inline constexpr int kUnresolvedCode = 125;

struct FailRules {
  std::vector<int> fail_codes;         // only these exit codes fail; a signal is the code -N
  std::vector<int> ignore_fail_codes;  // these do not fail; not together with fail_codes
  std::vector<std::string> patterns;   // regular expressions: fails only where one is found in the output
  // A candidate that cannot be judged, whatever the rules above say of it.
  std::vector<int> unresolved_codes{kUnresolvedCode};
  std::vector<std::string> unresolved_patterns{};
};

class Judge {
 public:
  // Errors: invalid_input for a pattern that is no regular expression (ECMAScript; "(?i)" in front ignores case).
  static base::Expected<Judge> make(const FailRules& rules);

  // Without rules, exit code 0 passes and all else fails: other codes, a signal, a timeout, too much memory. With
  // patterns the exit code counts only where there are rules for codes too. Where a rule for what cannot be judged
  // fits, no other is looked at. A check that had to be ended (timeout, memory) has no exit code: it fails where there
  // are no rules, and cannot be judged where there are. The verdict holds the last kKeptOutput bytes of what the check
  // wrote. Errors: interrupted where it was ended because we were asked to stop.
  [[nodiscard]] base::Expected<Verdict> judge(const worker::Outcome<worker::Exited>& outcome) const;

 private:
  class Patterns;
  Judge(FailRules rules, std::shared_ptr<const Patterns> patterns, std::shared_ptr<const Patterns> unresolved);
  [[nodiscard]] Verdict::Kind kind(int code, const std::string& output) const;
  [[nodiscard]] bool fails(int code, const std::string& output) const;

  FailRules rules_;
  std::shared_ptr<const Patterns> patterns_;
  std::shared_ptr<const Patterns> unresolved_patterns_;
};

// What the command wrote, as far as the outcome still has it.
std::string output_of(const worker::Outcome<worker::Exited>& outcome);

}  // namespace assay::reduce
