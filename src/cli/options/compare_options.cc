#include "cli/options/compare_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/values.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;
using compare::ErrorStat;

constexpr auto kGroup = "Comparison";
constexpr auto kSimple = "Comparison: simple";
constexpr auto kOthers = "Comparison: other ways";

constexpr std::array kForOutputs = {
    RefusedOption{"--no-shape-check", false, "needs the outputs, but the file holds only metrics"},
    RefusedOption{"--infinities-compare-equal", false, "needs the outputs, but the file holds only metrics"},
    RefusedOption{"--index-tolerance", true, "needs the outputs, but the file holds only the verdict on indices"},
    RefusedOption{"--error-quantile", true,
                  "needs the outputs, but the file holds only the quantile that was requested when it was saved"},
};

constexpr std::array kRefused = {
    RefusedOption{"--lpips-threshold,--lpips-tolerance", true, "needs a trained PyTorch network, and Assay has none"},
};

base::Status set_numbers(const std::vector<std::string>& values, const char* option,
                         compare::PerOutput<double>& setting) {
  ASSAY_ASSIGN(const auto numbers, parse_numbers(values, option));
  for (const auto& [output, number] : numbers) (output.empty() ? setting.others : setting.own[output]) = number;
  return {};
}

base::Status set_stats(const std::vector<std::string>& values, compare::PerOutput<ErrorStat>& setting) {
  ASSAY_ASSIGN(const auto words, parse_words(values, "--check-error-stat"));
  for (const auto& [output, word] : words) {
    const auto stat = compare::parse_error_stat(word);
    if (!stat) {
      return fail(ErrorKind::invalid_input, "'" + word + "' is not a statistic", "--check-error-stat",
                  "Use elemwise, max, mean, median or quantile");
    }
    (output.empty() ? setting.others : setting.own[output]) = *stat;
  }
  return {};
}

base::Status check_quantiles(const compare::PerOutput<double>& quantiles) {
  const auto fraction = [](double value) { return value >= 0 && value <= 1; };
  bool valid = fraction(quantiles.others);
  for (const auto& [output, value] : quantiles.own) valid &= fraction(value);
  if (valid) return {};
  return fail(ErrorKind::invalid_input, "a quantile must be between 0 and 1", "--error-quantile", "Give e.g. 0.99");
}

base::Status set_index_tolerance(const std::vector<std::string>& values, compare::PerOutput<std::int64_t>& setting) {
  compare::PerOutput<double> numbers;
  ASSAY_TRY(set_numbers(values, "--index-tolerance", numbers));
  const auto whole = [](double value) { return value >= 0 && value <= 1e15; };
  bool valid = whole(numbers.others);
  for (const auto& [output, value] : numbers.own) valid &= whole(value);
  if (!valid)
    return fail(ErrorKind::invalid_input, "an index distance must be at least 0", "--index-tolerance", "Give e.g. 1");
  setting.others = static_cast<std::int64_t>(numbers.others);
  for (const auto& [output, value] : numbers.own) setting.own[output] = static_cast<std::int64_t>(value);
  return {};
}

void add_many(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
              const std::string& group) {
  app.add_option(name, values, help)->expected(1, -1)->group(group);
}

}  // namespace

void ComparisonOptions::add_to(CLI::App& app, Subject subject) {
  app.add_flag("--fail-fast", fail_fast_, "Stop at the first output that differs")->group(kGroup);
  add_many(app, "--compare,--compare-func", functions_,
           "Compare in these ways, all of which must pass: " + compare::compare_function_names() + " (default: simple)",
           kGroup);
  if (subject == Subject::outputs) {
    add_for_outputs(app);
  } else {
    refused_.add_to(app, kForOutputs);
  }
  add_thresholds(app);
  refused_.add_to(app, kRefused);
}

void ComparisonOptions::add_for_outputs(CLI::App& app) {
  app.add_flag("--no-shape-check", no_shape_check_,
               "Compare outputs of different shapes, too, if one can be reshaped or permuted to match")
      ->group(kGroup);
  add_many(app, "--postprocess,--postprocess-func", postprocess_,
           "[output:]top-K[,axis=A]: compare the indices of the K largest values instead (default axis: the last)",
           kGroup);
  add_many(app, "--error-quantile", error_quantile_,
           "[output:]Set the quantile for --check-error-stat quantile, from 0 to 1 (default: 0.99)", kSimple);
  app.add_flag("--infinities-compare-equal", infinities_equal_, "Treat infinities of the same sign as equal")
      ->group(kSimple);
  add_many(app, "--index-tolerance", index_tolerance_,
           "indices: [output:]Allow an index to move by up to this many places (default: 0)", kOthers);
}

void ComparisonOptions::add_thresholds(CLI::App& app) {
  add_many(app, "--rtol,--rel-tol", rtol_,
           "[output:]Set the relative tolerance, for |a-b|/|b| with b from the second run (default: 1e-5)", kSimple);
  add_many(app, "--atol,--abs-tol", atol_, "[output:]Set the absolute tolerance, for |a-b| (default: 1e-5)", kSimple);
  add_many(
      app, "--check-error-stat", error_stat_,
      "[output:]Judge by elemwise, max, mean, median or quantile. elemwise (default): an output fails if an element "
      "exceeds both tolerances; the others: if the statistic of both errors exceeds its tolerance",
      kSimple);
  add_many(app, "--l2-threshold,--l2-tolerance", l2_,
           "l2: [output:]Set the largest norm of the difference (default: 1e-5)", kOthers);
  add_many(app, "--cosine-similarity-threshold", cosine_,
           "cosine_similarity: [output:]Set the least value (default: 0.997)", kOthers);
  add_many(app, "--psnr-threshold,--psnr-tolerance", psnr_, "psnr: [output:]Set the least value in dB (default: 30)",
           kOthers);
  add_many(app, "--snr-threshold,--snr-tolerance", snr_, "snr: [output:]Set the least value in dB (default: 20)",
           kOthers);
  add_many(app, "--ulp-tolerance", ulp_,
           "ulp: [output:]Allow a distance of up to this many representable values (default: 0)", kOthers);
}

base::Expected<compare::ComparePlan> ComparisonOptions::plan(const compare::CompareOptions& defaults) const {
  ASSAY_TRY(refused_.check());
  compare::ComparePlan plan;
  plan.options = defaults;
  ASSAY_ASSIGN(plan.functions, compare::find_compare_functions(functions_.empty() ? Values{"simple"} : functions_));
  plan.fail_fast = fail_fast_;
  compare::CompareOptions& options = plan.options;
  options.check_shapes = !no_shape_check_;
  options.infinities_equal = infinities_equal_;
  ASSAY_TRY(set_numbers(rtol_, "--rtol", options.relative_tolerance));
  ASSAY_TRY(set_numbers(atol_, "--atol", options.absolute_tolerance));
  ASSAY_TRY(set_stats(error_stat_, options.error_stat));
  ASSAY_TRY(set_numbers(error_quantile_, "--error-quantile", options.error_quantile));
  ASSAY_TRY(check_quantiles(options.error_quantile));
  ASSAY_TRY(set_index_tolerance(index_tolerance_, options.index_tolerance));
  ASSAY_TRY(set_numbers(l2_, "--l2-threshold", options.l2_tolerance));
  ASSAY_TRY(set_numbers(cosine_, "--cosine-similarity-threshold", options.least_cosine));
  ASSAY_TRY(set_numbers(psnr_, "--psnr-threshold", options.least_psnr));
  ASSAY_TRY(set_numbers(snr_, "--snr-threshold", options.least_snr));
  ASSAY_TRY(set_numbers(ulp_, "--ulp-tolerance", options.ulp_tolerance));
  return plan;
}

void ComparisonOptions::warn_of_unused(const compare::ComparePlan& plan, base::Log& log) const {
  struct Row {
    const char* option;
    const Values& values;
    std::string_view function;
  };
  const std::array rows = {Row{"--rtol", rtol_, "simple"},
                           Row{"--atol", atol_, "simple"},
                           Row{"--check-error-stat", error_stat_, "simple"},
                           Row{"--error-quantile", error_quantile_, "simple"},
                           Row{"--index-tolerance", index_tolerance_, "indices"},
                           Row{"--l2-threshold", l2_, "l2"},
                           Row{"--cosine-similarity-threshold", cosine_, "cosine_similarity"},
                           Row{"--psnr-threshold", psnr_, "psnr"},
                           Row{"--snr-threshold", snr_, "snr"},
                           Row{"--ulp-tolerance", ulp_, "ulp"}};
  for (const Row& row : rows) {
    const auto is_it = [&](const compare::CompareFunction& function) { return function.name == row.function; };
    if (row.values.empty() || std::ranges::any_of(plan.functions, is_it)) continue;
    log.warning("{} has no effect: it needs --compare {}", row.option, row.function);
  }
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
