#include "cli/options/minimal_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "cli/options/validators.h"
#include "reduce/search/last_look.h"
#include "reduce/passes/pass.h"
#include "reduce/search/phases/phase.h"

namespace assay::cli {
namespace {

constexpr auto kGroup = "Minimal Mode";
constexpr std::array kNames = {"--until-nodes",  "--max-checks", "--time-limit", "--values",
                               "--same-failure", "--repeat",     "--fail-ratio", "--passes",
                               "--skip-passes",  "--thorough",   "--journal"};

std::set<std::string, std::less<>> all_passes() {
  std::set<std::string, std::less<>> names;
  for (const reduce::PhaseRow& row : reduce::phases()) names.emplace(row.name);
  for (const reduce::Pass& pass : reduce::passes()) names.emplace(pass.name);
  names.emplace(reduce::kVerify);
  return names;
}

}  // namespace

void MinimalOptions::add_to(CLI::App& app) {
  app_ = &app;
  app.add_option("--until-nodes", until_nodes_, "Be content with this many nodes")->check(above_zero())->group(kGroup);
  app.add_option("--max-checks", max_checks_, "Be content with what there is after this many checks")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option("--time-limit", time_limit_s_, "Be content with what there is after this many seconds")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option(
         "--values", values_,
         "What a tensor becomes whose node is taken out: input, freeze (a constant with the value that it has in "
         "the whole model, where an engine can compute it or --load-inputs has it), or auto: frozen where it is "
         "a shape, an index or a condition, else an input")
      ->check(CLI::IsMember({"auto", "input", "freeze"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option(
         "--same-failure", same_failure_,
         "Which failures are the one that is searched: strict (the check ends in the same way and says the same "
         "but for numbers and names), class (ends in the same way and names the same kind of error), or any. A "
         "candidate that fails in another way is stepped round, and the smallest is kept aside")
      ->check(CLI::IsMember({"strict", "class", "any"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--repeat", repeat_, "For failures that come and go: run each candidate up to this many times")
      ->check(above_zero())
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option(
         "--fail-ratio", fail_ratio_,
         "With --repeat: a candidate fails where this part of its runs, 0 to 1, fails; 0: one failing run is enough")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--passes", passes_, "Run only these passes")->expected(1, -1)->group(kGroup);
  app.add_option("--skip-passes", skip_passes_, "Do not run these passes")->expected(1, -1)->group(kGroup);
  app.add_flag_callback(
         "--list-passes",
         [this, &app] {
           list_passes_ = true;
           for (CLI::Option* option : app.get_options()) option->required(false);
         },
         "List all passes with what they do, and end")
      ->group(kGroup);
  app.add_flag("--thorough", thorough_,
               "Simplify what is left for as long as anything can be simplified. Else this ends after about as many "
               "checks as a bisection makes, and one for each node of the result")
      ->group(kGroup);
  app.add_option(
         "--journal", journal_,
         "The file that verdicts are kept in, so that the same command goes on where it was interrupted. Kept at "
         "the end. Default: OUTPUT.journal, removed at the end")
      ->group(kGroup);
}

std::vector<std::string> MinimalOptions::given() const {
  std::vector<std::string> result;
  std::ranges::copy_if(kNames, std::back_inserter(result), [&](const char* name) { return app_->count(name) > 0; });
  return result;
}

std::string MinimalOptions::pass_list() {
  std::string text = "Passes that look for fewer nodes, in this order:\n";
  const auto add = [&](std::string_view name, std::string_view summary) {
    text += fmt::format("  {:<24}{}\n", name, summary);
  };
  for (const reduce::PhaseRow& row : reduce::phases()) add(row.name, row.summary);
  text += "Passes that put what is inside a node in its place:\n";
  for (const reduce::Pass& pass : reduce::passes()) {
    if (pass.opens_bodies) add(pass.name, pass.summary);
  }
  text += "Passes that simplify what is left:\n";
  for (const reduce::Pass& pass : reduce::passes()) {
    if (!pass.opens_bodies) add(pass.name, std::string(pass.summary) + (pass.on_request ? " (on request)" : ""));
  }
  text += "Last of all:\n";
  add(reduce::kVerify, "remove each node alone, with every way to supply what it makes");
  return text;
}

base::Expected<reduce::MinimalOptions> MinimalOptions::minimal_options() const {
  const std::set<std::string, std::less<>> all = all_passes();
  for (const auto* names : {&passes_, &skip_passes_}) {
    for (const std::string& name : *names) {
      if (all.contains(name)) continue;
      return base::fail(base::ErrorKind::invalid_input, "there is no such pass", name,
                        "`assay debug reduce --list-passes` lists them all");
    }
  }
  if (!(fail_ratio_ >= 0 && fail_ratio_ <= 1)) {
    return base::fail(base::ErrorKind::invalid_input, "a part of the runs lies between 0 and 1", "--fail-ratio");
  }
  if (fail_ratio_ > 0 && repeat_ == 1) {
    return base::fail(base::ErrorKind::invalid_input, "of one run there are no parts", "--fail-ratio",
                      "Say with --repeat how often a candidate is run");
  }
  reduce::MinimalOptions options;
  if (until_nodes_ > 0) options.limits.until_nodes = until_nodes_;
  if (max_checks_ > 0) options.limits.max_checks = max_checks_;
  const std::map<std::string, reduce::SideValues> values = {{"auto", reduce::SideValues::automatic},
                                                            {"input", reduce::SideValues::input},
                                                            {"freeze", reduce::SideValues::freeze}};
  options.values = values.at(values_);
  options.rule = {.repeat = repeat_, .fail_ratio = fail_ratio_};
  options.thorough = thorough_;
  options.skip = {skip_passes_.begin(), skip_passes_.end()};
  for (const reduce::Pass& pass : reduce::passes()) {
    if (pass.on_request && passes_.empty() && !thorough_) options.skip.emplace(pass.name);
  }
  for (const std::string& name : all) {
    if (!passes_.empty() && std::ranges::find(passes_, name) == passes_.end()) options.skip.insert(name);
  }
  return options;
}

reduce::SameFailure MinimalOptions::same_failure() const {
  const std::map<std::string, reduce::SameFailure> words = {{"strict", reduce::SameFailure::strict},
                                                            {"class", reduce::SameFailure::same_class},
                                                            {"any", reduce::SameFailure::any}};
  return words.at(same_failure_);
}

std::optional<double> MinimalOptions::time_limit_s() const {
  return time_limit_s_ > 0 ? std::optional(time_limit_s_) : std::nullopt;
}

std::optional<std::filesystem::path> MinimalOptions::journal(const std::filesystem::path& output) const {
  if (!journal_.empty()) return journal_;
  if (output.empty()) return std::nullopt;
  return output.string() + ".journal";
}

}  // namespace assay::cli
