#include "cli/options/check_options.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/strings.h"
#include "cli/options/validators.h"

namespace assay::cli {

void CheckOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Pass/Fail Reporting";
  app.add_option("--check,--check-inference", command_,
                 "Judge each iteration with this command, which passes if it exits with status 0. All words to the end "
                 "of the line belong to it. Without --check, Assay asks you")
      ->option_text("COMMAND")
      ->expected(1, -1)
      ->group(kGroup);
  CLI::Option* fail_codes =
      app.add_option("--fail-code,--fail-returncode", fail_codes_,
                     "Count only these exit statuses of the check as failures; -N is signal N (default: all but 0)")
          ->option_text("CODE")
          ->expected(1, -1)
          ->group(kGroup);
  app.add_option("--ignore-fail-code,--ignore-fail-returncode", ignore_fail_codes_,
                 "Don't count these exit statuses of the check as failures")
      ->option_text("CODE")
      ->expected(1, -1)
      ->excludes(fail_codes)
      ->group(kGroup);
  app.add_option(
         "--fail-regex", fail_regex_,
         "Count a check as failed only if its output matches one of these regular expressions. The exit status then "
         "matters only with --fail-code or --ignore-fail-code: both must match")
      ->option_text("REGEX")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option(
         "--unresolved-code", unresolved_codes_,
         "Treat these exit statuses as 'can't be judged': the iteration is neither good nor bad, and searches skip it. "
         "Takes precedence over all rules above; 'none' for no such code (default: 125, as in `git bisect run`, "
         "unless --fail-code or --ignore-fail-code names it)")
      ->expected(1, -1)
      ->option_text("CODE")
      ->group(kGroup);
  app.add_option("--unresolved-regex", unresolved_regex_,
                 "Treat a check as 'can't be judged' if its output matches one of these regular expressions")
      ->option_text("REGEX")
      ->expected(1, -1)
      ->group(kGroup);
  CLI::Option* show =
      app.add_flag("--show-output", show_output_, "Show the check's output even if it passes")->group(kGroup);
  app.add_flag("--hide-fail-output", hide_fail_output_, "Hide the check's output even if it fails")
      ->excludes(show)
      ->group(kGroup);
  app.add_option("--check-timeout", timeout_s_,
                 "Stop a check after this many seconds (default: no limit). It then counts as failed, or as 'can't be "
                 "judged' if there are rules for exit statuses or output")
      ->option_text("SECONDS")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option(
         "--check-memory", memory_,
         "Stop a check if its processes together use more memory than this, e.g. 4G (default: no limit); judged like a "
         "timeout")
      ->option_text("SIZE")
      ->check(size_above_zero())
      ->group(kGroup);
}

base::Expected<reduce::CheckSetup> CheckOptions::setup() const {
  using Show = reduce::CheckSetup::Show;
  reduce::CheckSetup options;
  if (given_ && command_.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "the command is missing", "--check",
                      "Put the command that judges an iteration after --check, or leave --check out to be asked");
  }
  options.command = command_;
  ASSAY_ASSIGN(std::vector<int> unresolved, unresolved_codes());
  options.rules = {.fail_codes = fail_codes_,
                   .ignore_fail_codes = ignore_fail_codes_,
                   .patterns = fail_regex_,
                   .unresolved_codes = std::move(unresolved),
                   .unresolved_patterns = unresolved_regex_};
  options.show_output = hide_fail_output_ ? Show::never : show_output_ ? Show::always : Show::failures;
  if (timeout_s_ > 0) options.limits.time_s = timeout_s_;
  if (!memory_.empty()) {
    ASSAY_ASSIGN(options.limits.memory_bytes, base::parse_size(memory_));
  }
  return options;
}

base::Expected<std::vector<int>> CheckOptions::unresolved_codes() const {
  const auto judged = [this](int code) {
    return std::ranges::find(fail_codes_, code) != fail_codes_.end() ||
           std::ranges::find(ignore_fail_codes_, code) != ignore_fail_codes_.end();
  };
  std::vector<int> codes;
  if (unresolved_codes_.empty() && !judged(reduce::kUnresolvedCode)) codes.push_back(reduce::kUnresolvedCode);
  if (unresolved_codes_.size() == 1 && unresolved_codes_.front() == "none") return codes;
  for (const std::string& word : unresolved_codes_) {
    int code = 0;
    const char* end = word.data() + word.size();
    if (const auto [stopped, error] = std::from_chars(word.data(), end, code); error != std::errc() || stopped != end) {
      return base::fail(base::ErrorKind::invalid_input, "'" + word + "' is not an exit status", "--unresolved-code",
                        "Use whole numbers, or the single word none");
    }
    if (judged(code)) {
      return base::fail(base::ErrorKind::invalid_input,
                        "exit status " + word + " is also given to --fail-code or --ignore-fail-code",
                        "--unresolved-code", "Leave it out of one of them");
    }
    codes.push_back(code);
  }
  return codes;
}

}  // namespace assay::cli
