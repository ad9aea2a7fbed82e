#include "cli/options/float16_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/list_first.h"
#include "base/strings.h"

namespace assay::cli {
namespace {

constexpr std::size_t kMost = 5;  // names in a message

// Returns "'a', 'b', and 3 more", those with the most large values first: a value that becomes 65504 does more harm
// than one that becomes 2^-24.
std::string name_some(const std::map<std::string, tensor::Float16Changes>& weights) {
  std::vector<std::pair<std::uint64_t, std::string>> by_harm;
  for (const auto& [name, changes] : weights) by_harm.emplace_back(changes.too_large, "'" + name + "'");
  std::ranges::stable_sort(by_harm, std::greater(), [](const auto& weight) { return weight.first; });
  std::vector<std::string> names;
  for (auto& [harm, name] : by_harm) names.push_back(std::move(name));
  return names.empty() ? "values of nodes" : base::list_first(std::move(names), kMost, ", ");
}

}  // namespace

void describe(const surgeon::Float16Model& converted, base::Log& log) {
  log.info("Converted to float16: {} in float16, {} with operands that stay float32",
           base::counted(converted.float16_nodes, "node"), base::counted(converted.float32_nodes, "node"));
  if (converted.unknown_nodes > 0) {
    log.warning(
        "{} of them stay float32 because ONNX doesn't know the operator or the types of its tensors. Float16 errors "
        "there go unnoticed",
        converted.unknown_nodes);
  }
  if (converted.sequence_nodes > 0) {
    log.warning(
        "{} of them stay float32 because they have sequences or optionals, which ONNX can't cast. Float16 errors there "
        "go unnoticed",
        converted.sequence_nodes);
  }
  if (!converted.inputs_with_values.empty()) {
    log.warning("Inputs that have a value in the model stay float32, because callers can set them: {}",
                base::list_first(converted.inputs_with_values, kMost, ", "));
  }
  const tensor::Float16Changes& changes = converted.changes;
  if (changes.too_large + changes.too_small > 0) {
    std::vector<std::string> counts;
    if (changes.too_large > 0) counts.push_back(fmt::format("{} too large, now +-65504", changes.too_large));
    if (changes.too_small > 0) counts.push_back(fmt::format("{} too small, now +-2^-24", changes.too_small));
    log.warning("Some values of weights are out of range for float16: {}. They are in {}", base::join(counts, "; "),
                name_some(converted.changed_weights));
  }
}

base::Status make_float16(model::Model& model, base::Log& log) {
  ASSAY_ASSIGN(surgeon::Float16Model converted, surgeon::convert_to_float16(model));
  describe(converted, log);
  model = std::move(converted.model);
  return {};
}

}  // namespace assay::cli
