#include "diagnose/float16_overflow.h"

#include <fmt/format.h>

#include <set>

#include "diagnose/has_nan.h"
#include "diagnose/mark_everything.h"
#include "diagnose/trial.h"
#include "model/shapes.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

constexpr double kLargestFloat16 = 65504;
constexpr double kRoundsToInfinity = 65520;  // from here on; smaller numbers round to the largest one

// Declares the outputs in float16 as float64, so that the evaluator doesn't round them. Returns their names.
std::set<std::string> widen_outputs(model::Model& model) {
  std::set<std::string> widened;
  for (onnx::ValueInfoProto& output : *model.proto.mutable_graph()->mutable_output()) {
    if (output.type().tensor_type().elem_type() != onnx::TensorProto::FLOAT16) continue;
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE);
    widened.insert(output.name());
  }
  return widened;
}

// `values`: those of the tensors in one iteration; `narrow`: the tensors that are float16 in the model.
std::optional<Overflow> first_overflow(const onnx::GraphProto& graph, const tensor::NamedTensors& values,
                                       const std::set<std::string>& narrow) {
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string& name : graph.node(i).output()) {
      const tensor::Tensor* const value = narrow.contains(name) ? values.find(name) : nullptr;
      const double largest = value == nullptr ? 0 : largest_finite(*value);
      if (largest >= kRoundsToInfinity) return Overflow{label_of(graph.node(i), i), name, largest};
    }
  }
  return std::nullopt;
}

}  // namespace

base::Expected<std::optional<Overflow>> find_overflow(const Case& task, const run::EngineSetup& reference,
                                                      const std::string& output, const StepContext& context) {
  model::Model typed = task.model;
  ASSAY_TRY(model::infer_shapes(typed));  // few models declare the types of the tensors inside
  ASSAY_ASSIGN(model::Model marked, mark_everything(typed, context.log));
  const std::set<std::string> narrow = widen_outputs(marked);
  if (narrow.empty()) return std::nullopt;
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(marked));
  run::EngineSetup exact = with_options(reference, {{"module", "reference_float64"}});
  exact.runner = "reference in float64";
  ASSAY_ASSIGN(const Trial trial, try_engine(exact, source, task.inputs, context.pool, context.log));
  if (!trial.runs()) return std::nullopt;
  std::optional<Overflow> found;
  for (const tensor::NamedTensors& values : trial.outputs) {
    const tensor::Tensor* const value = values.find(output);
    if (value != nullptr && !is_finite(*value)) return std::nullopt;
    if (!found) found = first_overflow(task.model.graph(), values, narrow);
  }
  return found;
}

void note_overflow(const Overflow& overflow, Facts& facts) {
  facts.failure = Failure::overflows;
  facts.faulty_side = kNoSide;
  facts.good_side = kNoSide;
  facts.place = {};
  facts.place.node = overflow.node;
  facts.place.tensor = overflow.tensor;
  facts.message = fmt::format("'{}' of {} reaches {:.3g}, and the largest number in float16 is {:.0f}", overflow.tensor,
                              overflow.node.text, overflow.largest, kLargestFloat16);
}

}  // namespace assay::diagnose
