// Absolute and relative errors against tolerances: of every element by itself (it is wrong only if both errors are too
// large), or one statistic of all of them (right if either is within its tolerance). Whatever is not a number is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "compare/compare_function.h"
#include "compare/read_block.h"
#include "compare/summary.h"

namespace assay::compare {
namespace {

struct Tolerances {
  double absolute = 0;
  double relative = 0;
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

void report_wrong(const OutputPair& pair, const WrongElements& elements, base::Log& log) {
  log.error(
      "        {} of {} elements differ ({:.3g}%), most at {}: {} and {}, absolute {}, relative {}", elements.count,
      pair.first().size(), 100.0 * static_cast<double>(elements.count) / static_cast<double>(pair.first().size()),
      format_position(elements.worst, pair.first().shape()), format_number(first_value(pair.first(), elements.worst)),
      format_number(first_value(pair.second(), elements.worst)), format_number(elements.worst_error),
      format_number(elements.worst_relative));
}

}  // namespace

bool compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const ErrorStat stat = options.error_stat.of(pair.name);
  const Tolerances tolerances{options.absolute_tolerance.of(pair.name), options.relative_tolerance.of(pair.name)};
  log.info("        Tolerances: absolute {:g}, relative {:g} | Judged by: {}", tolerances.absolute, tolerances.relative,
           kStatNames[static_cast<std::size_t>(stat)]);
  if (log.shows(base::Level::info)) {
    log.info("        Absolute difference | {}", describe(pair.facts.summaries().absolute, pair.first().shape()));
    log.info("        Relative difference | {}", describe(pair.facts.summaries().relative, pair.first().shape()));
  }
  if (pair.first().size() == 0) return true;
  if (stat == ErrorStat::elemwise) {
    const WrongElements elements = pair.facts.wrong_elements(tolerances.absolute, tolerances.relative);
    if (elements.count != 0) report_wrong(pair, elements, log);
    return elements.count == 0;
  }
  double absolute_error = 0;
  double relative_error = 0;
  if (stat == ErrorStat::quantile) {
    std::tie(absolute_error, relative_error) = pair.facts.quantiles(options.error_quantile.of(pair.name));
  } else {
    absolute_error = pick(pair.facts.summaries().absolute, stat);
    relative_error = pick(pair.facts.summaries().relative, stat);
  }
  log.info("        {} error: absolute {:.5g}, relative {:.5g}", kStatNames[static_cast<std::size_t>(stat)],
           absolute_error, relative_error);
  return absolute_error <= tolerances.absolute || relative_error <= tolerances.relative;
}

}  // namespace assay::compare
