// The values come from the reference of the reduction itself: from engines without optimisations, which run only the
// parts of the model that they can run. So there are values even if no engine runs the whole model.
#include "diagnose/values_at_cuts.h"

#include <string>
#include <utility>
#include <vector>

#include "data/inputs_file.h"
#include "diagnose/commands.h"
#include "diagnose/has_nan.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "model/inference/tensor_bytes.h"
#include "model/shapes_of_feeds.h"
#include "reduce/values/engine_reference.h"

namespace assay::diagnose {
namespace {

constexpr std::uint64_t kMostBytes = 256 << 20;

// Returns the model with the sizes of these inputs, so that the sizes of more tensors can be inferred.
model::Model with_sizes_of(const model::Model& model, const tensor::NamedTensors& inputs) {
  model::Model result = model;
  model::override_input_shapes(result, model::shapes_of_feeds(model, inputs));
  return result;
}

// Returns the tensors that nodes compute from inputs of the model, without those that alone are known to be too large.
std::vector<std::string> computed_tensors(const edit::TensorFacts& facts, std::uint64_t most_bytes) {
  const edit::Subject& subject = facts.subject();
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  for (const edit::NodeId node : subject.nodes()) {
    for (const edit::TensorId id : subject.view().outputs(node)) {
      if (subject.view().producer(id) != node || !subject.varies(id)) continue;
      const onnx::ValueInfoProto* info = facts.find(id);
      const std::uint64_t size = info == nullptr ? 0 : model::static_bytes(*info).value_or(0);
      if (bytes + size > most_bytes) continue;
      bytes += size;
      names.emplace_back(subject.view().name(id));
    }
  }
  return names;
}

tensor::NamedTensors values_of(const Case& task, const Facts& facts_so_far, const tensor::NamedTensors& inputs,
                               std::uint64_t most_bytes, StepContext& context) {
  const model::Model model = with_sizes_of(task.model, inputs);
  const edit::Subject subject(model);
  const edit::TensorFacts facts(subject, edit::TensorFacts::Inference::onnx);
  reduce::EngineReference::Options options;
  options.engines = task.value_engines;
  options.limits =
      reduce::reference_limits({.time_s = time_limit(facts_so_far, facts_so_far.slowest_s), .memory_bytes = {}});
  options.given = [&](const reduce::InputShapes&) -> base::Expected<tensor::NamedTensors> { return inputs; };
  options.same_for_all_sizes = true;
  options.memory_budget = kMostBytes;
  options.folder = task.folder;
  reduce::EngineReference reference(subject, facts, context.pool, std::move(options));
  return reference.available(computed_tensors(facts, most_bytes));
}

}  // namespace

base::Status save_values_at_cuts(const Case& task, const Facts& facts, StepContext& context,
                                 const std::filesystem::path& file) {
  const std::uint64_t most_bytes = kMostBytes / task.inputs.size();
  ASSAY_ASSIGN(data::InputsSaver saver, data::InputsSaver::create(file));
  for (const tensor::NamedTensors& inputs : task.inputs) {
    tensor::NamedTensors all = inputs;
    std::uint64_t bytes = 0;
    for (const auto& [name, value] : values_of(task, facts, inputs, most_bytes, context)) {
      bytes += value.bytes().size();
      if (bytes > most_bytes) break;
      if (facts.failure != Failure::not_finite || !has_nan(value)) all.set(name, value);
    }
    ASSAY_TRY(saver.add(all));
  }
  return saver.finish();
}

}  // namespace assay::diagnose
