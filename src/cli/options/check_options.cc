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
  app.footer(app.get_footer() +
             "\n--check COMMAND [WORD ...] takes all words to the end of the line: the command that judges an\n"
             "iteration. It passes with exit code 0. Without --check you are asked.\n");
  CLI::Option* fail_codes = app.add_option("--fail-code,--fail-returncode", fail_codes_,
                                           "Only these exit codes of the check fail; -N is signal N")
                                ->expected(1, -1)
                                ->group(kGroup);
  app.add_option("--ignore-fail-code,--ignore-fail-returncode", ignore_fail_codes_,
                 "These exit codes of the check do not fail")
      ->expected(1, -1)
      ->excludes(fail_codes)
      ->group(kGroup);
  app.add_option("--fail-regex", fail_regex_,
                 "Fails only where one of these regular expressions is found in the check's output. The exit code then "
                 "counts only with --fail-code or --ignore-fail-code: both have to fit")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--unresolved-code", unresolved_codes_,
                 "By these exit codes the check says that an iteration is neither good nor bad (a model that it cannot "
                 "judge); searches step round it. Wins over all rules above; 'none' for no such code. Default: 125, as "
                 "'git bisect run' has it, unless --fail-code or --ignore-fail-code name it")
      ->expected(1, -1)
      ->type_name("INT")
      ->group(kGroup);
  app.add_option("--unresolved-regex", unresolved_regex_,
                 "Neither good nor bad where one of these regular expressions is found in the check's output")
      ->expected(1, -1)
      ->group(kGroup);
  CLI::Option* show =
      app.add_flag("--show-output", show_output_, "Show the check's output when it passes, too")->group(kGroup);
  app.add_flag("--hide-fail-output", hide_fail_output_, "Do not show the check's output when it fails")
      ->excludes(show)
      ->group(kGroup);
  app.add_option("--check-timeout", timeout_s_,
                 "End a check after this many seconds. It then fails; where there are rules for codes or output, which "
                 "it no longer can meet, it cannot be judged")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option("--check-memory", memory_,
                 "End a check whose processes together take more memory than this (K, M, G); judged as a timeout is")
      ->group(kGroup);
}

base::Expected<reduce::CheckOptions> CheckOptions::check_options() const {
  using Show = reduce::CheckOptions::Show;
  reduce::CheckOptions options;
  if (given_ && command_.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "there is no command behind --check", "--check",
                      "Give the command that judges an iteration, or leave --check out to be asked");
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
      return base::fail(base::ErrorKind::invalid_input, "'" + word + "' is not an exit code", "--unresolved-code",
                        "Give whole numbers, or the one word none");
    }
    if (judged(code)) {
      return base::fail(base::ErrorKind::invalid_input,
                        "exit code " + word + " cannot be both judged and not to be judged", "--unresolved-code",
                        "Leave it out here, or in --fail-code or --ignore-fail-code");
    }
    codes.push_back(code);
  }
  return codes;
}

}  // namespace assay::cli
