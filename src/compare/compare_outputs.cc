#include "compare/compare_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/strings.h"
#include "compare/align_shapes.h"
#include "compare/match_outputs.h"
#include "compare/read_block.h"
#include "compare/summary.h"

namespace assay::compare {
namespace {

using tensor::ElementKind;
using tensor::Tensor;

ElementKind kind(const Tensor& tensor) {
  return tensor::info(tensor.type()).kind;
}

bool compare_strings(const Tensor& first, const Tensor& second, base::Log& log) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < first.size(); ++i) {
    if (first.strings()[i] == second.strings()[i]) continue;
    if (wrong++ == 0) {
      log.error("        Strings differ, first at {}: '{}' and '{}'", format_position(i, first.shape()),
                first.strings()[i], second.strings()[i]);
    }
  }
  if (wrong != 0) log.error("        {} of {} strings differ", wrong, first.size());
  return wrong == 0;
}

bool judge(const OutputPair& pair, const CompareFunction& function, const CompareOptions& options, base::Log& log) {
  if (kind(pair.first) == ElementKind::string && kind(pair.second) == ElementKind::string) {
    return compare_strings(pair.first, pair.second, log);
  }
  if (kind(pair.first) == ElementKind::complex && kind(pair.second) == ElementKind::complex) {
    const Tensor first = as_pairs(pair.first);
    const Tensor second = as_pairs(pair.second);
    return function.compare({pair.name, first, second}, options, log);
  }
  if (!is_numeric(pair.first.type()) || !is_numeric(pair.second.type())) {
    log.error("        {} and {} cannot be compared", tensor::name(pair.first.type()),
              tensor::name(pair.second.type()));
    return false;
  }
  return function.compare(pair, options, log);
}

bool compare_pair(const OutputMatch& match, const Tensor& first, const Tensor& second, const CompareFunction& function,
                  const CompareOptions& options, base::Log& log) {
  log.info("    {} | '{}' ({}) and '{}' ({})", function.name, match.first, first.describe(), match.second,
           second.describe());
  if (first.shape() == second.shape()) return judge({match.first, first, second}, function, options, log);
  if (options.check_shapes) {
    log.error("        Shapes differ: {} and {}; with --no-shape-check they are brought to one shape where possible",
              tensor::format_shape(first.shape()), tensor::format_shape(second.shape()));
    return false;
  }
  const auto aligned = align_to(second, first.shape());
  if (!aligned) {
    log.error("        Shapes {} and {} cannot be brought to one shape", tensor::format_shape(first.shape()),
              tensor::format_shape(second.shape()));
    return false;
  }
  log.info("        Shape {} of the second run taken as {}", tensor::format_shape(second.shape()),
           tensor::format_shape(first.shape()));
  return judge({match.first, first, *aligned}, function, options, log);
}

std::vector<std::string> unmatched(const std::vector<std::string>& names, const std::vector<OutputMatch>& matches,
                                   std::string OutputMatch::*side) {
  std::unordered_set<std::string_view> matched;
  for (const OutputMatch& match : matches) matched.insert(match.*side);
  std::vector<std::string> left;
  std::ranges::copy_if(names, std::back_inserter(left),
                       [&](const std::string& name) { return !matched.contains(name); });
  return left;
}

void report_matches(const RunOutputs& first, const RunOutputs& second, const std::vector<OutputMatch>& matches,
                    base::Log& log) {
  for (const OutputMatch& match : matches) {
    if (match.same_name) continue;
    log.warning("    '{}' of {} has no namesake and is compared with '{}' of {}", match.first, first.runner,
                match.second, second.runner);
  }
  if (!log.shows(base::Level::info)) return;
  const auto alone_first = unmatched(first.outputs.names(), matches, &OutputMatch::first);
  const auto alone_second = unmatched(second.outputs.names(), matches, &OutputMatch::second);
  if (!alone_first.empty()) log.info("    Only in {}: {}", first.runner, base::join(alone_first, ", "));
  if (!alone_second.empty()) log.info("    Only in {}: {}", second.runner, base::join(alone_second, ", "));
}

void report_summaries(const RunOutputs& first, const RunOutputs& second, const std::vector<OutputMatch>& matches,
                      base::Log& log) {
  if (!log.shows(base::Level::info)) return;
  for (const OutputMatch& match : matches) {
    const Tensor& one = *first.outputs.find(match.first);
    const Tensor& other = *second.outputs.find(match.second);
    std::string text;
    if (is_numeric(one.type())) {
      text = describe(summarize(one), one.shape());
      log.info("    {}: {} | {}", first.runner, match.first, text);
    }
    if (is_numeric(other.type())) {
      if (text.empty() || !tensor::identical(one, other)) text = describe(summarize(other), other.shape());
      log.info("    {}: {} | {}", second.runner, match.second, text);
    }
  }
}

}  // namespace

bool compare_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan, base::Log& log) {
  const std::vector<OutputMatch> matches = match_outputs(first.outputs.names(), second.outputs.names());
  if (matches.empty() && (!first.outputs.empty() || !second.outputs.empty())) {
    log.error("    {} and {} have no output in common ({} and {})", first.runner, second.runner, first.outputs.names(),
              second.outputs.names());
    return false;
  }
  report_matches(first, second, matches, log);
  bool all_passed = true;
  for (const CompareFunction& function : plan.functions) {
    std::vector<std::string> failed;
    for (const OutputMatch& match : matches) {
      const bool passed = compare_pair(match, *first.outputs.find(match.first), *second.outputs.find(match.second),
                                       function, plan.options, log);
      log.log(passed ? base::Level::info : base::Level::error, "        {} | {} | Output: '{}'",
              passed ? "PASSED" : "FAILED", function.name, match.first);
      if (passed) continue;
      failed.push_back(match.first);
      if (plan.fail_fast) break;
    }
    if (failed.empty()) {
      log.info("    PASSED | {} | All outputs agree ({})", function.name, matches.size());
      continue;
    }
    log.error("    FAILED | {} | Outputs that differ: {}", function.name, failed);
    all_passed = false;
    if (plan.fail_fast) break;
  }
  report_summaries(first, second, matches, log);
  return all_passed;
}

}  // namespace assay::compare
