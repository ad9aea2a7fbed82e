// Absolute and relative errors against tolerances: of every element by itself (it is wrong only if both errors are too
// large), or one statistic of all of them (right if either is within its tolerance). Whatever is not a number is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compare/compare_function.h"
#include "compare/differences.h"
#include "compare/read_block.h"
#include "compare/summary.h"

namespace assay::compare {
namespace {

struct Tolerances {
  double absolute = 0;
  double relative = 0;
};

struct Elementwise {
  std::uint64_t wrong = 0;  // elements beyond both tolerances
  std::uint64_t worst = 0;  // of these, where the absolute error is largest (or the first that is no number)
  double worst_error = -1;
  double worst_relative = 0;
};

template <class Real>
Elementwise judge_elements(const Differences<Real>& differences, const Tolerances& tolerances) {
  Elementwise result;
  std::array<Real, kBlock> absolute;
  std::array<Real, kBlock> relative;
  for (std::uint64_t begin = 0; begin < differences.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, differences.size() - begin));
    differences.read(begin, count, absolute.data(), relative.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double error = absolute[i];
      if (error <= tolerances.absolute || static_cast<double>(relative[i]) <= tolerances.relative) continue;
      ++result.wrong;
      if (error > result.worst_error || (std::isnan(error) && !std::isnan(result.worst_error))) {
        result.worst = begin + i;
        result.worst_error = error;
        result.worst_relative = relative[i];
      }
    }
  }
  return result;
}

struct Statistics {
  Summary absolute;
  Summary relative;
};

double pick(const Summary& summary, ErrorStat stat) {
  if (stat == ErrorStat::mean) return summary.mean;
  return stat == ErrorStat::median ? summary.median : summary.max;
}

constexpr std::array<std::string_view, 5> kStatNames = {"elemwise", "max", "mean", "median", "quantile"};

double first_value(const tensor::Tensor& tensor, std::uint64_t position) {
  double value = 0;
  read_block(tensor, position, 1, &value);
  return value;
}

void report_wrong(const OutputPair& pair, const Elementwise& elements, base::Log& log) {
  log.error("        {} of {} elements differ ({:.3g}%), most at {}: {} and {}, absolute {}, relative {}",
            elements.wrong, pair.first.size(),
            100.0 * static_cast<double>(elements.wrong) / static_cast<double>(pair.first.size()),
            format_position(elements.worst, pair.first.shape()), format_number(first_value(pair.first, elements.worst)),
            format_number(first_value(pair.second, elements.worst)), format_number(elements.worst_error),
            format_number(elements.worst_relative));
}

template <class Real>
bool judge(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const ErrorStat stat = options.error_stat.of(pair.name);
  const Tolerances tolerances{options.absolute_tolerance.of(pair.name), options.relative_tolerance.of(pair.name)};
  const Differences<Real> differences(pair.first, pair.second, options.infinities_equal);
  const AbsoluteSeries<Real> absolute(differences);
  const RelativeSeries<Real> relative(differences);
  log.info("        Tolerances: absolute {:g}, relative {:g} | Judged by: {}", tolerances.absolute, tolerances.relative,
           kStatNames[static_cast<std::size_t>(stat)]);

  Statistics statistics;
  const bool equal = surely_equal(pair.first, pair.second);
  const bool of_summary = stat == ErrorStat::max || stat == ErrorStat::mean || stat == ErrorStat::median;
  if (log.shows(base::Level::info) || of_summary) {
    if (equal) {
      statistics.absolute.count = statistics.relative.count = differences.size();
    } else {
      statistics.absolute = summarize(absolute, differences.absolute_arithmetic());
      statistics.relative = summarize(relative, differences.relative_arithmetic());
    }
    log.info("        Absolute difference | {}", describe(statistics.absolute, pair.first.shape()));
    log.info("        Relative difference | {}", describe(statistics.relative, pair.first.shape()));
  }
  if (differences.size() == 0) return true;
  if (equal && stat == ErrorStat::elemwise) return tolerances.absolute >= 0 || tolerances.relative >= 0;
  if (stat == ErrorStat::elemwise) {
    const Elementwise elements = judge_elements(differences, tolerances);
    if (elements.wrong != 0) report_wrong(pair, elements, log);
    return elements.wrong == 0;
  }
  double absolute_error = 0;
  double relative_error = 0;
  if (stat == ErrorStat::quantile) {
    const double fraction = options.error_quantile.of(pair.name);
    absolute_error = quantile(absolute, differences.absolute_arithmetic(), fraction);
    relative_error = quantile(relative, differences.relative_arithmetic(), fraction);
  } else {
    absolute_error = pick(statistics.absolute, stat);
    relative_error = pick(statistics.relative, stat);
  }
  log.info("        {} error: absolute {:.5g}, relative {:.5g}", kStatNames[static_cast<std::size_t>(stat)],
           absolute_error, relative_error);
  return absolute_error <= tolerances.absolute || relative_error <= tolerances.relative;
}

}  // namespace

bool compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  return fits_in_float(pair.first.type(), pair.second.type()) ? judge<float>(pair, options, log)
                                                              : judge<double>(pair, options, log);
}

}  // namespace assay::compare
