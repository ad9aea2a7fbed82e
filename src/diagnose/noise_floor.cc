// Rounding the float64 outputs to the model's types can hide up to half a step of that type, so the noise is at least
// one step of the largest value.
#include "diagnose/noise_floor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "diagnose/has_nan.h"
#include "locate/sides/judge.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"

namespace assay::diagnose {
namespace {

using tensor::ElementType;

// The distance between 1 and the next number.
double step_at_one(ElementType type) {
  if (type == ElementType::float16) return 0x1p-10;
  if (type == ElementType::bfloat16) return 0x1p-7;
  return type == ElementType::float64 ? 0x1p-52 : 0x1p-23;
}

struct OutputError {
  double absolute = 0;   // the largest of all iterations; infinite if it can't be measured
  bool differs = false;  // beyond the tolerances
};

std::map<std::string, OutputError> errors_by_output(const TensorsByIteration& first, const TensorsByIteration& second,
                                                    const compare::ComparePlan& plan) {
  std::map<std::string, OutputError> errors;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    for (const auto& [name, value] : first[i]) {
      const tensor::Tensor* other = second[i].find(name);
      if (other == nullptr) continue;
      const locate::Divergence divergence = locate::judge(name, value, *other, plan);
      OutputError& error = errors[name];
      if (divergence.measured) {
        error.absolute = std::max(error.absolute, largest_error(divergence.error));
      } else if (divergence.differs) {
        error.absolute = std::numeric_limits<double>::infinity();
      }
      error.differs = error.differs || divergence.differs;
    }
  }
  return errors;
}

}  // namespace

base::Expected<std::optional<NoiseFloor>> find_noise_floor(const Case& task, const run::EngineSetup& reference,
                                                           const TensorsByIteration& outputs,
                                                           const StepContext& context) {
  ASSAY_ASSIGN(Trial trial, try_engine(in_float64(reference), task, context));
  if (!trial.runs()) {
    context.log.info("The model doesn't run in float64: {}", trial.failure);
    return std::nullopt;
  }
  NoiseFloor floor{.exact = std::move(trial.outputs), .noise = {}};
  for (const auto& [name, error] : errors_by_output(outputs, floor.exact, task.plan))
    floor.noise[name] = error.absolute;
  for (const tensor::NamedTensors& iteration : floor.exact) {
    for (const auto& [name, value] : iteration) {
      if (tensor::info(value.type()).kind != tensor::ElementKind::floating) continue;
      floor.noise[name] = std::max(floor.noise[name], step_at_one(value.type()) * largest_finite(value));
    }
  }
  return std::optional(std::move(floor));
}

bool is_inside(const NoiseFloor& floor, const TensorsByIteration& first, const TensorsByIteration& second,
               const compare::ComparePlan& plan) {
  const auto of_first = errors_by_output(first, floor.exact, plan);
  const auto of_second = errors_by_output(second, floor.exact, plan);
  const auto is_within = [&](const std::map<std::string, OutputError>& errors, const std::string& name) {
    const auto error = errors.find(name);
    const auto noise = floor.noise.find(name);
    return error != errors.end() && noise != floor.noise.end() && std::isfinite(noise->second) &&
           error->second.absolute <= kFloorFactor * noise->second;
  };
  const auto between = errors_by_output(first, second, plan);
  return std::ranges::all_of(between, [&](const auto& error) {
    return !error.second.differs || (is_within(of_first, error.first) && is_within(of_second, error.first));
  });
}

bool is_ruined(const NoiseFloor& floor, const std::string& output) {
  constexpr double kTolerated = 0.1;
  const auto noise = floor.noise.find(output);
  if (noise == floor.noise.end()) return false;
  double largest = 0;
  for (const tensor::NamedTensors& iteration : floor.exact) {
    const tensor::Tensor* const value = iteration.find(output);
    if (value == nullptr || tensor::info(value->type()).kind != tensor::ElementKind::floating) return false;
    largest = std::max(largest, largest_finite(*value));
  }
  return noise->second > kTolerated * largest;
}

std::string precision_of(const model::Model& model) {
  constexpr std::array kNarrowFirst = {ElementType::bfloat16, ElementType::float16, ElementType::float32};
  std::set<ElementType> types;
  for (const auto& [name, info] : model::known_tensors(model)) types.insert(info.type);
  // Few models declare the types of the tensors inside.
  if (const auto inferred = model::inferred_values(model)) {
    for (const onnx::ValueInfoProto& value : inferred->value_info()) types.insert(model::tensor_info(value).type);
  }
  for (const ElementType type : kNarrowFirst) {
    if (types.contains(type)) return std::string(tensor::name(type));
  }
  return "float64";
}

}  // namespace assay::diagnose
