// Judges absolute and relative errors against tolerances: either each element by itself (it is wrong only if both
// errors are too large), or one statistic over all elements (right if either error is within its tolerance). NaN is
// always wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/strings.h"
#include "compare/compare_function.h"
#include "compare/equal_specials_text.h"
#include "stats/equal_specials.h"
#include "stats/measure.h"
#include "stats/read_block.h"
#include "stats/summary.h"
#include "stats/summary_text.h"

namespace assay::compare {
namespace {

double first_value(const tensor::Tensor& tensor, std::uint64_t position) {
  double value = 0;
  stats::read_block(tensor, position, 1, &value);
  return value;
}

// The wrong elements that are NaN, or the same infinity, on both sides.
struct SpecialElements {
  std::uint64_t count = 0;
  stats::EqualSpecials found{};
  WrongElements others{};  // the wrong elements without these
};

SpecialElements count_specials(const OutputPair& pair, const WrongElements& elements, const Tolerances& tolerances) {
  if (!std::isnan(elements.worst_error)) return {.others = elements};
  PairFacts without(pair.first(), pair.second(), stats::EqualSpecials::both());
  const WrongElements others = without.wrong_elements(tolerances);
  const stats::ErrorSummary& errors = without.errors();
  const stats::EqualSpecials equal = pair.facts.equal_specials();
  const auto on_both = [](const stats::ErrorSummary::SpecialCounts& counts) {
    return std::min(counts.first, counts.second) > 0;
  };
  return {.count = elements.count - others.count,
          .found = {.infinities = !equal.infinities && on_both(errors.infinite),
                    .nans = !equal.nans && on_both(errors.nan)},
          .others = others};
}

double percentage(std::uint64_t count, const OutputPair& pair) {
  return 100.0 * static_cast<double>(count) / static_cast<double>(pair.first().size());
}

void report_wrong(const OutputPair& pair, const WrongElements& elements, const SpecialElements& specials,
                  base::Log& log) {
  if (specials.count == elements.count) {
    log.error("        {} of {} elements ({:.3g}%) are {}", specials.count, pair.first().size(),
              percentage(specials.count, pair), describe_equal_specials(specials.found));
    return;
  }
  const WrongElements& others = specials.others;
  const double first_number = first_value(pair.first(), others.worst);
  const double second_number = first_value(pair.second(), others.worst);
  std::string first = stats::format_number(first_number);
  std::string second = stats::format_number(second_number);
  if (first == second && !std::isnan(first_number)) {  // in five digits only
    first = fmt::format("{}", first_number);
    second = fmt::format("{}", second_number);
  }
  log.error("        {} of {} elements differ ({:.3g}%), most at {}: {} and {}, absolute {}, relative {}",
            elements.count, pair.first().size(), percentage(elements.count, pair),
            stats::format_position(others.worst, pair.first().shape()), first, second,
            stats::format_number(others.worst_error), stats::format_number(others.worst_relative));
  if (specials.count > 0) {
    log.info("        {} of them are {}", specials.count, describe_equal_specials(specials.found));
  }
}

// Only for verbose logs, since the ULP distance costs a pass of its own.
void report_ulp(const OutputPair& pair, base::Log& log) {
  if (!log.shows(base::Level::verbose) || pair.first().size() == 0) return;
  const stats::ErrorSummary& errors = pair.facts.errors();
  log.verbose("        ULP distance | max={} at {} | NaN: {} and {}, {} of them in one run only | Infinite: {} and {}",
              errors.max_ulp, stats::format_position(errors.max_ulp_at, pair.first().shape()), errors.nan.first,
              errors.nan.second, errors.nan.mismatched, errors.infinite.first, errors.infinite.second);
}

void report_histograms(const OutputPair& pair, base::Log& log) {
  if (!log.shows(base::Level::verbose)) return;
  constexpr std::array<std::string_view, 4> kTitles = {"Values of the first run", "Values of the second run",
                                                       "Absolute difference", "Relative difference"};
  const auto histograms = pair.facts.histograms();
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    if (histograms[i].empty()) continue;
    std::string text(kTitles[i]);
    for (const std::string& line : base::split(histograms[i], '\n')) text += "\n            " + line;
    log.verbose("        {}", text);
  }
}

// Metrics come in pairs, of absolute and of relative errors, in the order of ErrorStat without elemwise.
std::size_t first_metric(ErrorStat stat) {
  return 2 * (static_cast<std::size_t>(stat) - 1);
}

Measured metrics_of(const OutputPair& pair, const CompareOptions& options) {
  const PairSummaries& summaries = pair.facts.summaries();
  const CompareFunction& function = compare_function("simple");
  Measured measured{&function, {}, thresholds_of(function, pair.name, options)};
  for (const auto statistic : {&stats::Summary::max, &stats::Summary::mean, &stats::Summary::median}) {
    measured.values.emplace_back(summaries.absolute.*statistic);
    measured.values.emplace_back(summaries.relative.*statistic);
  }
  measured.values.resize(function.metrics().size());
  if (options.error_stat(pair.name) == ErrorStat::quantile) {
    std::tie(measured.values[6], measured.values[7]) = pair.facts.quantiles(options.of(kErrorQuantile, pair.name));
  }
  return measured;
}

}  // namespace

Judgement compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const ErrorStat stat = options.error_stat(pair.name);
  const std::string_view stat_name = kErrorStats[static_cast<std::size_t>(stat)];
  const Tolerances tolerances = tolerances_of(pair.name, options);
  log.info("        Tolerances: absolute {:g}, relative {:g} | Judged by: {}", tolerances.absolute, tolerances.relative,
           stat_name);
  const bool elementwise = stat == ErrorStat::elemwise;
  if (log.shows(base::Level::info)) {
    const PairSummaries& summaries = pair.facts.summaries(elementwise ? std::optional(tolerances) : std::nullopt);
    log.info("        Absolute difference | {}", stats::describe(summaries.absolute, pair.first().shape()));
    log.info("        Relative difference | {}", stats::describe(summaries.relative, pair.first().shape()));
  }
  report_ulp(pair, log);
  report_histograms(pair, log);
  Judgement judgement;
  if (!elementwise || options.keep_metrics) judgement.measured = metrics_of(pair, options);
  if (elementwise) {
    const WrongElements elements = pair.facts.wrong_elements(tolerances);
    judgement.passed = elements.count == 0;
    if (judgement.passed) return judgement;
    const SpecialElements specials = count_specials(pair, elements, tolerances);
    judgement.only_specials = specials.count == elements.count;
    report_wrong(pair, elements, specials, log);
    return judgement;
  }
  const std::vector<std::optional<double>>& values = judgement.measured->values;
  const std::size_t at = first_metric(stat);
  log.info("        {} error: absolute {}, relative {}", stat_name, stats::format_number(*values[at]),
           stats::format_number(*values[at + 1]));
  judgement.passed = judge_simple(values, judgement.measured->thresholds).value_or(false);
  return judgement;
}

Tolerances tolerances_of(std::string_view output, const CompareOptions& options) {
  return {options.of(kAbsoluteTolerance, output), options.of(kRelativeTolerance, output)};
}

// The thresholds are in the order of the row's settings.
std::optional<bool> judge_simple(std::span<const std::optional<double>> values, std::span<const double> thresholds) {
  const auto stat = static_cast<ErrorStat>(thresholds[0]);
  if (stat == ErrorStat::elemwise) return std::nullopt;
  const std::optional<double>& absolute = values[first_metric(stat)];
  const std::optional<double>& relative = values[first_metric(stat) + 1];
  if (!absolute || !relative) return std::nullopt;
  return *absolute <= thresholds[1] || *relative <= thresholds[2];
}

}  // namespace assay::compare
