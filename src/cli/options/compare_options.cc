// The options for thresholds follow from the settings in the table of comparison functions.
#include "cli/options/compare_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"
#include "cli/options/offered_words.h"
#include "cli/parse/one_value_per_name.h"
#include "cli/parse/values.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;
using compare::CompareFunction;
using compare::Setting;

constexpr auto kOthers = "Comparison: other ways";

constexpr std::array kForOutputs = {
    RefusedOption{"--no-shape-check", false, "needs the outputs, but the file holds only metrics"},
    RefusedOption{"--infinities-compare-equal", false, "needs the outputs, but the file holds only metrics"},
    RefusedOption{"--nans-compare-equal", false, "needs the outputs, but the file holds only metrics"},
};

// The option in CLI11's form.
std::string spellings(const Setting& setting) {
  return std::string(setting.name) + (setting.other_name.empty() ? "" : "," + std::string(setting.other_name));
}

// "1e-5", not "1e-05".
std::string format_value(const Setting& setting, double value) {
  if (!setting.words.empty()) return std::string(setting.words[static_cast<std::size_t>(value)]);
  std::string text = fmt::format("{:g}", value);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

base::Status set_words(const std::vector<std::string>& values, const Setting& setting,
                       compare::CompareOptions& options) {
  ASSAY_ASSIGN(const auto words, parse_words(values, setting.name));
  for (const auto& [output, word] : words) {
    const auto at = std::ranges::find(setting.words, word);
    if (at == setting.words.end()) {
      return fail(ErrorKind::invalid_input, fmt::format("'{}' is not a valid value", word), std::string(setting.name),
                  fmt::format("Use one of: {}", fmt::join(setting.words, ", ")));
    }
    options.set(setting, static_cast<double>(at - setting.words.begin()), output);
  }
  return {};
}

base::Status set_numbers(const std::vector<std::string>& values, const Setting& setting,
                         compare::CompareOptions& options) {
  ASSAY_ASSIGN(const auto numbers, parse_numbers(values, setting.name));
  for (const auto& [output, number] : numbers) {
    ASSAY_TRY(compare::check_number(setting, number));
    options.set(setting, number, output);
  }
  return {};
}

// Accepts "WORD" and "name:WORD".
CLI::Validator one_of_words(const Setting& setting) {
  return CLI::Validator(
      [&setting](std::string& value) {  // of a table of constants
        const auto words = parse_words({value}, setting.name);
        const bool known = words && std::ranges::all_of(*words, [&](const auto& word) {
                             return std::ranges::find(setting.words, word.second) != setting.words.end();
                           });
        return known ? std::string()
                     : fmt::format("must be one of {}, but is {}", fmt::join(setting.words, ", "), value);
      },
      "");
}

CLI::Option* add_by_name(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                         const std::string& help, const std::string& group) {
  CLI::Option* option = app.add_option(name, values, help)->option_text("[NAME:]NUMBER")->expected(1, -1)->group(group);
  take_one_value_per_name(option);
  return option;
}

}  // namespace

void ComparisonOptions::add_to(CLI::App& app, Subject subject, const compare::CompareOptions& defaults) {
  app.add_flag("--fail-fast", fail_fast_, "Stop at the first output that differs")->group(kGroup);
  const std::vector<std::string> names = compare::compare_function_names();
  app.add_option("--compare,--compare-func", functions_,
                 "Compare in these ways, all of which must pass: " + base::join(names, ", ") + " (default: simple)")
      ->option_text("NAME")
      ->expected(1, -1)
      ->group(kGroup)
      ->check(offer(names))
      ->check(CLI::Validator(
          [](std::string& name) {
            if (compare::find_compare_functions({name})) return std::string();
            return fmt::format("must be one of {}, but is {}", fmt::join(compare::compare_function_names(), ", "),
                               name);
          },
          ""));
  if (subject == Subject::outputs) {
    add_for_outputs(app);
  } else {
    refused_.add_to(app, kForOutputs);
  }
  add_settings(app, subject, defaults);
}

void ComparisonOptions::add_for_outputs(CLI::App& app) {
  app.add_flag("--no-shape-check", no_shape_check_,
               "Compare outputs of different shapes, too, if one can be reshaped or permuted to match")
      ->group(kGroup);
  add_by_name(app, "--postprocess,--postprocess-func", postprocess_,
              "[output:]top-K[,axis=A]: compare the indices of the K largest values instead (default axis: the last); "
              "top-0: leave the values as they are",
              kGroup)
      ->option_text("RULE");
  app.add_flag("--infinities-compare-equal", equal_.infinities, "Treat infinities of the same sign as equal")
      ->group(kGroup);
  app.add_flag("--nans-compare-equal", equal_.nans, "Treat two NaNs as equal")->group(kGroup);
}

// Functions with a single setting share a group, in which the help names the function.
void ComparisonOptions::add_settings(CLI::App& app, Subject subject, const compare::CompareOptions& defaults) {
  for (const CompareFunction& function : compare::compare_functions()) {
    const bool single = function.settings().size() == 1;
    for (const Setting& setting : function.settings()) {
      if (subject == Subject::metrics && !setting.only_outputs.empty()) {
        refused_.add_to(app, std::array{RefusedOption{setting.name, true, setting.only_outputs}});
        continue;
      }
      const std::string help =
          fmt::format("{}[output:]{} (default: {})", single ? fmt::format("{}: ", function.name) : "", setting.help,
                      format_value(setting, defaults.of(setting, "")));
      CLI::Option* option = add_by_name(app, spellings(setting), settings_[setting.name], help,
                                        single ? kOthers : fmt::format("Comparison: {}", function.name));
      if (!setting.words.empty()) {
        option->option_text("[NAME:]WORD")->check(one_of_words(setting));
        option->check(offer({setting.words.begin(), setting.words.end()}));
      }
    }
  }
}

base::Expected<compare::ComparePlan> ComparisonOptions::plan(const compare::CompareOptions& defaults,
                                                             const std::string& way) const {
  ASSAY_TRY(refused_.check());
  compare::ComparePlan plan;
  plan.options = defaults;
  ASSAY_ASSIGN(plan.functions, compare::find_compare_functions(functions_.empty() ? Values{way} : functions_));
  plan.fail_fast = fail_fast_;
  plan.options.check_shapes = !no_shape_check_;
  plan.options.equal = equal_;
  for (const CompareFunction& function : compare::compare_functions()) {
    for (const Setting& setting : function.settings()) {
      const auto values = settings_.find(setting.name);
      if (values == settings_.end()) continue;
      ASSAY_TRY(setting.words.empty() ? set_numbers(values->second, setting, plan.options)
                                      : set_words(values->second, setting, plan.options));
    }
  }
  return plan;
}

void ComparisonOptions::warn_of_unused(const compare::ComparePlan& plan, base::Log& log) const {
  for (const CompareFunction& function : compare::compare_functions()) {
    if (std::ranges::find(plan.functions, &function) != plan.functions.end()) continue;
    for (const Setting& setting : function.settings()) {
      const auto values = settings_.find(setting.name);
      if (values == settings_.end() || values->second.empty()) continue;
      log.warning("{} has no effect: it needs --compare {}", setting.name, function.name);
    }
  }
}

base::Status ComparisonOptions::check_unchanged() const {
  if (std::ranges::find(functions_, "perceptual_metrics") != functions_.end()) {
    return fail(ErrorKind::unsupported, "tensors inside a model aren't images", "--compare perceptual_metrics",
                "Compare in another way, or compare the outputs with `assay run`");
  }
  if (postprocess_.empty()) return {};
  return fail(ErrorKind::unsupported, "tensors are compared unchanged", "--postprocess",
              "Leave it out. For outputs that hold indices, use --compare indices with --index-tolerance");
}

base::Expected<compare::PerOutput<run::TopOptions>> ComparisonOptions::postprocess() const {
  compare::PerOutput<run::TopOptions> setting;
  ASSAY_ASSIGN(const auto words, parse_words(postprocess_, "--postprocess"));
  for (const auto& [output, word] : words) {
    ASSAY_ASSIGN((output.empty() ? setting.others : setting.own[output]), run::parse_top(word));
  }
  return setting;
}

}  // namespace assay::cli
