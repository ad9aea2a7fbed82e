#include "diagnose/find_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "base/pattern.h"
#include "base/seconds.h"
#include "base/strings.h"
#include "model/input_specs.h"
#include "reduce/values/reference_inputs.h"
#include "worker/is_tensor.h"

namespace assay::diagnose {
namespace {

constexpr double kMostSeconds = 20;  // models that run with none of the sizes are common, too

// Returns whether the user has chosen the shape of an input.
bool has_asked_shape(const Case& task, const std::string& input) {
  return std::ranges::any_of(task.shaped_inputs, [&](const auto& given) { return base::stands_for(given, input); });
}

reduce::InputShapes asked_shapes(const Case& task) {
  reduce::InputShapes shapes;
  for (const auto& [name, value] : task.inputs.front()) {
    if (has_asked_shape(task, name)) shapes.emplace(name, value.shape());
  }
  return shapes;
}

std::string words_of(const reduce::InputShapes& shapes, const reduce::InputShapes& asked) {
  std::vector<std::string> words;
  for (const auto& [name, shape] : shapes) words.push_back(fmt::format("{}:[{}]", name, fmt::join(shape, ",")));
  for (const auto& [name, shape] : asked) {  // an option replaces the one that was given
    if (!shapes.contains(name)) words.push_back(fmt::format("{}:[{}]", name, fmt::join(shape, ",")));
  }
  return base::join(words, " ");
}

}  // namespace

std::vector<std::string> inputs_of_size_one(const Case& task) {
  std::vector<std::string> names;
  if (!task.inputs_are_random || task.inputs.empty()) return names;
  for (const tensor::TensorSpec& spec : model::input_specs(task.model)) {
    const tensor::Tensor* const value = task.inputs.front().find(spec.name);
    if (value == nullptr || value->shape().size() != spec.shape.size()) continue;
    if (has_asked_shape(task, spec.name)) continue;
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < spec.shape.size(); ++i) {
      if (spec.shape[i] < 0) largest = std::max(largest, value->shape()[i]);
    }
    if (largest == 1) names.push_back(spec.name);
  }
  return names;
}

base::Expected<std::string> find_sizes(const Case& task, const run::EngineSetup& engine, const StepContext& context) {
  if (inputs_of_size_one(task).empty()) return std::string();
  const reduce::InputShapes asked = asked_shapes(task);
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<worker::Session> session;
  for (reduce::InputChoice& choice : reduce::input_choices(task.model.graph(), asked)) {
    using Values = reduce::InputChoice::Values;
    const bool has_other_sizes = choice.size > 1 && choice.values == Values::as_asked;
    if (!has_other_sizes) continue;
    if (base::seconds_since(start) > kMostSeconds) break;
    if (!session) {
      auto loaded = context.pool.load(engine.spec, task.source, engine.limits);
      if (!loaded) break;
      session = *std::move(loaded);
    }
    choice.values = Values::ones;
    const auto values = reduce::choose_values(task.model.graph(), asked, choice);
    if (!values) continue;
    const auto ran = session->infer(*values, worker::tensor_outputs(session->info()), engine.limits);
    if (ran) return words_of(choice.shapes, asked);
    if (std::holds_alternative<worker::Stopped>(ran.error())) {
      return base::fail(worker::to_error(ran.error(), engine.engine));
    }
    if (!std::holds_alternative<worker::Failed>(ran.error())) break;  // crashed or hung; the others may take as long
  }
  return std::string();
}

}  // namespace assay::diagnose
