// Many overflows do no harm: a Softmax turns the -infinity of a mask into 0. So the float64 run is repeated with values
// that float16 turns into infinity: if the first k of the tensors that overflow make the output wrong, and the first
// k - 1 don't, the k-th is to blame. Bisection finds k in log2(n) runs.
#include "diagnose/float16_overflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "diagnose/has_nan.h"
#include "diagnose/mark_everything.h"
#include "diagnose/overflow_to_infinity.h"
#include "diagnose/trial.h"
#include "model/inference/infer_shapes.h"
#include "tensor/convert.h"
#include "tensor/float16_values.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

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

// Returns every tensor that is too large for float16 in an iteration, in the order of the nodes. `narrow`: the tensors
// that are float16 in the model.
std::vector<Overflow> all_overflows(const onnx::GraphProto& graph, const TensorsByIteration& outputs,
                                    const std::set<std::string>& narrow) {
  std::vector<Overflow> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string& name : graph.node(i).output()) {
      if (!narrow.contains(name)) continue;
      double largest = 0;
      for (const tensor::NamedTensors& values : outputs) {
        const tensor::Tensor* const value = values.find(name);
        if (value != nullptr) largest = std::max(largest, largest_finite(*value));
      }
      if (largest >= tensor::kFloat16Overflow) found.push_back({label_of(graph.node(i), i), name, largest});
    }
  }
  return found;
}

// Returns true if the values of an output aren't finite, or wrong by more than a tenth of the largest.
bool is_ruined(const tensor::Tensor& exact, const tensor::Tensor& rounded) {
  constexpr double kTolerated = 0.1;
  if (!is_finite(rounded) || exact.shape() != rounded.shape()) return true;
  const std::vector<double> good = tensor::to_doubles(exact), other = tensor::to_doubles(rounded);
  double error = 0;
  for (std::size_t i = 0; i < good.size(); ++i) error = std::max(error, std::abs(good[i] - other[i]));
  return error > kTolerated * largest_finite(exact);
}

// Runs models in float64.
class ExactRuns {
 public:
  ExactRuns(const Case& task, const run::EngineSetup& reference, const StepContext& context)
      : task_(task), setup_(in_float64(reference)), context_(context) {}

  // Returns no outputs if the model doesn't run in float64.
  base::Expected<TensorsByIteration> run(const model::Model& model) const {
    ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(model));
    ASSAY_ASSIGN(const Trial trial, try_engine(setup_, source, task_.inputs, context_.pool, context_.log));
    return trial.runs() ? trial.outputs : TensorsByIteration();
  }

 private:
  const Case& task_;
  run::EngineSetup setup_;
  const StepContext& context_;
};

// Finds out whether an output is wrong if some of the values are infinite.
struct OverflowingRuns {
  const ExactRuns& runs;
  const model::Model& model;        // whose outputs aren't rounded
  const TensorsByIteration& exact;  // its values
  const std::string& output;
  const std::vector<Overflow>& overflows;

  // Returns true if it is wrong once the first `count` overflows become infinite.
  base::Expected<bool> ruin(std::size_t count) const {
    std::set<std::string> tensors;
    for (std::size_t i = 0; i < count; ++i) tensors.insert(overflows[i].tensor);
    model::Model rounded = model;
    overflow_to_infinity(rounded, tensors);
    ASSAY_ASSIGN(const TensorsByIteration found, runs.run(rounded));
    for (std::size_t i = 0; i < std::min(exact.size(), found.size()); ++i) {
      const tensor::Tensor *const good = exact[i].find(output), *const value = found[i].find(output);
      if (good != nullptr && value != nullptr && is_ruined(*good, *value)) return true;
    }
    return false;
  }
};

}  // namespace

base::Expected<std::optional<Overflow>> find_overflow(const Case& task, const run::EngineSetup& reference,
                                                      const std::string& output, const StepContext& context) {
  model::Model typed = task.model;
  ASSAY_TRY(model::infer_shapes(typed));  // few models declare the types of the tensors inside
  ASSAY_ASSIGN(model::Model marked, mark_everything(typed, context.log));
  const std::set<std::string> narrow = widen_outputs(marked);
  if (narrow.empty()) return std::nullopt;
  const ExactRuns runs(task, reference, context);
  ASSAY_ASSIGN(const TensorsByIteration exact, runs.run(marked));
  for (const tensor::NamedTensors& values : exact) {
    const tensor::Tensor* const value = values.find(output);
    if (value != nullptr && !is_finite(*value)) return std::nullopt;
  }
  const std::vector<Overflow> overflows = all_overflows(task.model.graph(), exact, narrow);
  if (overflows.empty()) return std::nullopt;
  widen_outputs(typed);
  const OverflowingRuns overflowing{runs, typed, exact, output, overflows};
  ASSAY_ASSIGN(const bool any, overflowing.ruin(overflows.size()));
  if (!any) return std::nullopt;
  std::size_t harmless = 0, harmful = overflows.size();
  while (harmful - harmless > 1) {
    const std::size_t middle = (harmless + harmful) / 2;
    ASSAY_ASSIGN(const bool ruins, overflowing.ruin(middle));
    (ruins ? harmful : harmless) = middle;
  }
  return overflows[harmful - 1];
}

void note_overflow(const Overflow& overflow, Facts& facts) {
  facts.failure = Failure::overflows;
  facts.faulty_side = kNoSide;
  facts.good_side = kNoSide;
  facts.place = {};
  facts.place.node = overflow.node;
  facts.place.tensor = overflow.tensor;
  facts.message = fmt::format("'{}' of {} reaches {:.3g}, and the largest number in float16 is {:.0f}", overflow.tensor,
                              overflow.node.text, overflow.largest, tensor::kLargestFloat16);
}

}  // namespace assay::diagnose
