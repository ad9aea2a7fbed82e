#include "cli/commands/debug/reduce/reduction_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/options/offered_words.h"
#include "cli/options/validators.h"
#include "reduce/choice_words.h"
#include "reduce/choose_passes.h"
#include "reduce/passes/pass.h"
#include "reduce/search/last_look.h"
#include "reduce/search/phases/phase.h"

namespace assay::cli {
namespace {

constexpr auto kGroup = "Search";
constexpr auto kMinimalGroup = "Minimal Mode";
constexpr std::array kForMinimal = {"--passes", "--skip-passes", "--thorough"};

// Returns the names that --list-passes lists.
std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const reduce::PhaseRow& row : reduce::phases()) names.emplace_back(row.name);
  for (const reduce::Pass& pass : reduce::passes()) names.emplace_back(pass.name);
  names.emplace_back(reduce::kVerify);
  return names;
}

}  // namespace

void ReductionOptions::add_to(CLI::App& app) {
  app_ = &app;
  app.add_option("--until-nodes", until_nodes_, "Stop once this many nodes are left")
      ->option_text("COUNT")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option("--max-checks", max_checks_, "Stop after this many checks, with the best result so far")
      ->option_text("COUNT")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option("--time-limit", time_limit_s_, "Stop after this many seconds, with the best result so far")
      ->option_text("SECONDS")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option(
         "--values", values_,
         "How to supply a tensor whose node is removed: input; freeze (as a constant with the value that it has in the "
         "whole model, if an engine can compute it or --load-inputs has it); auto (freeze shapes, indices, conditions "
         "and everything that depends only on constants; make the rest inputs). The default is freeze if the check "
         "loads the model's inputs, but no values of other tensors, and for bisect and linear if inputs are given")
      ->check(CLI::IsMember(reduce::words_of(reduce::kCutValues)))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option(
         "--same-failure", same_failure_,
         "Which failures count: strict (the check exits in the same way and prints the same error, apart from numbers "
         "and names), class (it exits in the same way and names the same kind of error), or any. Candidates that fail "
         "differently are skipped; the smallest one is saved separately. Default: class, and any for bisect and linear")
      ->check(CLI::IsMember(reduce::words_of(reduce::kSameFailures)))
      ->group(kGroup);
  app.add_option("--repeat", repeat_, "For flaky failures: run each candidate up to this many times")
      ->option_text("COUNT")
      ->check(between(1, 1000))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--fail-ratio", fail_ratio_,
                 "With --repeat: the fraction of a candidate's runs, 0 to 1, that must fail; 0: one failing run is "
                 "enough")
      ->option_text("RATIO")
      ->check(between(0, 1))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--journal", journal_,
                 "Store the verdicts in this file, from which the same command resumes after an interruption, and keep "
                 "it (default: OUTPUT.journal, removed at the end)")
      ->option_text("FILE")
      ->group(kGroup);
  add_passes_to(app);
}

void ReductionOptions::add_passes_to(CLI::App& app) {
  const std::vector<std::string> names = pass_names();
  const auto add = [&](const char* option, std::vector<std::string>& passes, const char* help) {
    app.add_option(option, passes, help)
        ->option_text("NAME")
        ->transform(one_of(names))
        ->check(offer(names))
        ->expected(1, -1)
        ->group(kMinimalGroup);
  };
  add("--passes", passes_, "Run only these passes, whose names --list-passes lists");
  add("--skip-passes", skip_passes_, "Skip these passes");
  app.add_flag_callback(
         "--list-passes",
         [this, &app] {
           list_passes_ = true;
           for (CLI::Option* option : app.get_options()) option->required(false);
         },
         "List all passes with a summary of each, and exit")
      ->group(kMinimalGroup);
  app.add_flag("--thorough", thorough_,
               "Simplify the result for as long as anything can be simplified. By default this stops after about as "
               "many checks as a bisection takes, plus one for each node of the result")
      ->group(kMinimalGroup);
}

std::vector<std::string> ReductionOptions::given_for_minimal() const {
  std::vector<std::string> result;
  std::ranges::copy_if(kForMinimal, std::back_inserter(result),
                       [&](const char* name) { return app_->count(name) > 0; });
  return result;
}

std::optional<reduce::CutValues> ReductionOptions::values() const {
  return app_->count("--values") > 0 ? reduce::find_choice(reduce::kCutValues, values_) : std::nullopt;
}

std::string ReductionOptions::pass_list() {
  std::string text = "Phases that search for fewer nodes, in this order:\n";
  const auto add = [&](std::string_view name, std::string_view summary) {
    text += fmt::format("  {:<24}{}\n", name, summary);
  };
  for (const reduce::PhaseRow& row : reduce::phases()) add(row.name, row.summary);
  const auto add_passes = [&](reduce::RunsIn part) {
    for (const reduce::Pass& pass : reduce::passes()) {
      if (pass.runs_in == part) add(pass.name, std::string(pass.summary) + (pass.on_request ? " (on request)" : ""));
    }
  };
  text += "Passes that run between them:\n";
  add_passes(reduce::RunsIn::before_nodes);
  text += "Passes that replace a node by its body:\n";
  add_passes(reduce::RunsIn::open_bodies);
  text += "Passes that simplify the result:\n";
  add_passes(reduce::RunsIn::simplify);
  text += "Last:\n";
  add(reduce::kVerify, "Remove each node alone, in every way to supply its outputs");
  return text;
}

base::Expected<reduce::ReduceOptions> ReductionOptions::reduce_options() const {
  if (!(fail_ratio_ >= 0 && fail_ratio_ <= 1)) {
    return base::fail(base::ErrorKind::invalid_input, "the ratio must be between 0 and 1", "--fail-ratio");
  }
  if (fail_ratio_ > 0 && repeat_ == 1) {
    return base::fail(base::ErrorKind::invalid_input, "--fail-ratio needs --repeat greater than 1", "--fail-ratio",
                      "Set --repeat to the number of runs per candidate");
  }
  reduce::ReduceOptions options;
  if (until_nodes_ > 0) options.limits.until_nodes = until_nodes_;
  if (max_checks_ > 0) options.limits.max_checks = max_checks_;
  options.rule = {.repeat = repeat_, .fail_ratio = fail_ratio_};
  ASSAY_TRY(reduce::choose_passes({.only = passes_, .skip = skip_passes_, .thorough = thorough_}, options));
  return options;
}

reduce::SameFailure ReductionOptions::same_failure(reduce::Mode mode) const {
  return reduce::find_choice(reduce::kSameFailures, same_failure_).value_or(reduce::usual_same_failure(mode));
}

std::optional<double> ReductionOptions::time_limit_s() const {
  return time_limit_s_ > 0 ? std::optional(time_limit_s_) : std::nullopt;
}

std::optional<std::filesystem::path> ReductionOptions::journal(const std::filesystem::path& output) const {
  if (!journal_.empty()) return journal_;
  if (output.empty()) return std::nullopt;
  return output.string() + ".journal";
}

}  // namespace assay::cli
