#include "tensorrt/engine_plan.h"

#include <fmt/format.h>

#include <charconv>

#include "base/strings.h"
#include "tensorrt/parse_values.h"

namespace assay::tensorrt {
namespace {

using base::ErrorKind;
using base::fail;

base::Expected<Allocation> parse_allocation(const std::string& word) {
  if (word == "static") return Allocation::once;
  if (word == "profile") return Allocation::for_profile;
  if (word == "runtime") return Allocation::for_shapes;
  return fail(ErrorKind::invalid_input, fmt::format("there is no strategy '{}'", word), "--allocation-strategy",
              "Use static, profile or runtime");
}

base::Expected<StreamingBudget> parse_budget(const std::string& word) {
  using Kind = StreamingBudget::Kind;
  if (word == "-1") return StreamingBudget{.kind = Kind::automatic};
  if (word == "-2") return StreamingBudget{.kind = Kind::all};
  if (!word.ends_with('%')) {
    ASSAY_ASSIGN(const std::uint64_t bytes, base::parse_size(word));
    return StreamingBudget{.kind = Kind::bytes, .value = static_cast<double>(bytes)};
  }
  double percent = -1;
  const char* last = word.data() + word.size() - 1;
  const auto [end, code] = std::from_chars(word.data(), last, percent);
  if (code == std::errc() && end == last && percent >= 0 && percent <= 100) {
    return StreamingBudget{.kind = Kind::percent, .value = percent};
  }
  return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't between 0% and 100%", word),
              "--weight-streaming-budget");
}

}  // namespace

base::Expected<EnginePlan> plan_engine(const GivenSettings& given) {
  if (given.has("--dla-workspace-allocation-strategy")) {
    return fail(ErrorKind::unsupported,
                "TensorRT before 11.3 has no such setting, and the worker can't set it in later ones",
                "--dla-workspace-allocation-strategy", "Leave it out");
  }
  EnginePlan plan;
  for (const auto& [option, path] :
       {std::pair{"--load-runtime", &plan.runtime}, std::pair{"--save-engine", &plan.save_engine},
        std::pair{"--save-timing-cache", &plan.save_timing_cache}, std::pair{"--refit-from-onnx", &plan.refit_from}}) {
    if (given.has(option)) *path = absolute_path(given.word(option));
  }
  plan.marks_layers = given.has("--profiling-verbosity");
  plan.shows_unfused = given.has("--mark-unfused-tensors-as-debug-tensors");
  if (given.has("--optimization-profile")) {
    ASSAY_ASSIGN(plan.profile, parse_index(given.word("--optimization-profile"), "--optimization-profile", "profile"));
  }
  // An engine that was built for the GPU, because the machine has no DLA, has to run there, too.
  if (given.has("--use-dla") && !given.has("--allow-gpu-fallback")) plan.dla_core = 0;
  if (given.has("--dla-core")) {
    ASSAY_ASSIGN(plan.dla_core, parse_index(given.word("--dla-core"), "--dla-core", "core"));
  }
  if (given.has("--allocation-strategy")) {
    ASSAY_ASSIGN(plan.allocation, parse_allocation(given.word("--allocation-strategy")));
  }
  if (given.has("--weight-streaming-budget")) {
    ASSAY_ASSIGN(plan.streaming, parse_budget(given.word("--weight-streaming-budget")));
  }
  return plan;
}

}  // namespace assay::tensorrt
