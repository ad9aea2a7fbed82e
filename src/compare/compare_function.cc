#include "compare/compare_function.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace assay::compare {
namespace {

constexpr std::array kFunctions = {
    CompareFunction{"simple", compare_simple, &kSimpleMetrics},
    CompareFunction{"indices", compare_indices, nullptr},
    CompareFunction{"l2", compare_l2, &kL2Metrics},
    CompareFunction{"cosine_similarity", compare_cosine_similarity, &kCosineMetrics},
    CompareFunction{"psnr", compare_psnr, &kPsnrMetrics},
    CompareFunction{"snr", compare_snr, &kSnrMetrics},
    CompareFunction{"ulp", compare_ulp, &kUlpMetrics},
};

// One name for two functions.
struct Group {
  std::string_view name;
  std::array<std::string_view, 2> members;
};
constexpr std::array kGroups = {
    Group{"distance_metrics", {"l2", "cosine_similarity"}},
    Group{"quality_metrics", {"psnr", "snr"}},
};

std::vector<std::string_view> members(std::string_view name) {
  const auto group = std::ranges::find(kGroups, name, &Group::name);
  if (group == kGroups.end()) return {name};
  return {group->members.begin(), group->members.end()};
}

}  // namespace

Thresholds thresholds_of(const MetricKind& kind, std::string_view output, const CompareOptions& options) {
  if (&kind == &kSimpleMetrics) {
    return {0, options.error_stat.of(output), options.absolute_tolerance.of(output),
            options.relative_tolerance.of(output)};
  }
  Thresholds thresholds;
  if (&kind == &kL2Metrics) thresholds.limit = options.l2_tolerance.of(output);
  if (&kind == &kCosineMetrics) thresholds.limit = options.least_cosine.of(output);
  if (&kind == &kPsnrMetrics) thresholds.limit = options.least_psnr.of(output);
  if (&kind == &kSnrMetrics) thresholds.limit = options.least_snr.of(output);
  if (&kind == &kUlpMetrics) thresholds.limit = options.ulp_tolerance.of(output);
  return thresholds;
}

std::string compare_function_names() {
  std::vector<std::string> names;
  for (const CompareFunction& function : kFunctions) names.emplace_back(function.name);
  for (const Group& group : kGroups) names.emplace_back(group.name);
  return base::join(names, ", ");
}

base::Expected<std::vector<CompareFunction>> find_compare_functions(const std::vector<std::string>& names) {
  std::vector<CompareFunction> found;
  for (const std::string& name : names) {
    if (name == "perceptual_metrics") {
      return base::fail(base::ErrorKind::unsupported, "perceptual metrics (LPIPS) need a trained PyTorch network",
                        "--compare", "Use one of: " + compare_function_names());
    }
    for (const std::string_view member : members(name)) {
      const auto function = std::ranges::find(kFunctions, member, &CompareFunction::name);
      if (function == kFunctions.end()) {
        return base::fail(base::ErrorKind::invalid_input, "'" + name + "' is not a known comparison", "--compare",
                          "Use one of: " + compare_function_names());
      }
      if (std::ranges::find(found, member, &CompareFunction::name) == found.end()) found.push_back(*function);
    }
  }
  return found;
}

}  // namespace assay::compare
