#include "model/inference/infer_shapes.h"

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "model/inference/inference_copy.h"
#include "model/inference/inference_limits.h"
#include "model/inference/inference_loan.h"
#include "model/sort_graph.h"

namespace assay::model {
namespace {

// Removes sparse tensors and tensors without an element type after the first `declared` value infos. ONNX infers such
// tensors in some invalid models, and ONNX Runtime doesn't load models that declare them.
void drop_untyped(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values, int declared) {
  int kept = declared;
  for (int i = declared; i < values.size(); ++i) {
    const onnx::TypeProto& type = values.Get(i).type();
    const bool untyped = type.has_tensor_type() && type.tensor_type().elem_type() == onnx::TensorProto::UNDEFINED;
    if (untyped || type.has_sparse_tensor_type()) continue;
    values.SwapElements(kept++, i);
  }
  values.DeleteSubrange(kept, values.size() - kept);
}

// Inference follows the order of the nodes, so it would miss the results of nodes that come after their readers.
void infer_sorted(onnx::ModelProto& model, bool propagate_values) {
  const auto order = sort_graph(*model.mutable_graph());
  const int declared = model.graph().value_info_size();
  run_inference(model, {.propagate_values = propagate_values});
  drop_untyped(*model.mutable_graph()->mutable_value_info(), declared);
  if (order) unsort_graph(*model.mutable_graph(), *order);
}

// Runs inference on what `make` builds from the model, from scratch for each attempt, and returns it.
template <class Make>
auto infer(const Model& model, const Make& make) -> base::Expected<decltype(make())> {
  // Propagating the values of shape computations finds more, but that is the newer part of ONNX's code: if it breaks,
  // inference runs without it.
  std::string what = why_inference_is_unbounded(model.proto);
  const bool bounded = what.empty();
  for (const bool propagate_values : {true, false}) {
    if (!bounded) continue;
    auto copy = make();
    try {
      infer_sorted(copy->proto(), propagate_values);
    } catch (const std::exception& error) {
      what = error.what();
      continue;
    } catch (...) {
      what = "unknown exception";
      continue;
    }
    return copy;
  }
  return base::fail(base::ErrorKind::invalid_input, "shapes cannot be inferred: " + what, model.path.string(),
                    "Check the model with: assay inspect model, or give shapes yourself");
}

}  // namespace

base::Status infer_shapes(Model& model) {
  ASSAY_ASSIGN(const auto copy,
               infer(model, [&] { return std::make_unique<InferenceCopy>(model, InferenceCopy::Values::all); }));
  model.proto = std::move(*copy).restored();
  return {};
}

base::Expected<onnx::GraphProto> inferred_values(const Model& model) {
  ASSAY_ASSIGN(const auto loan, infer(model, [&] { return std::make_unique<InferenceLoan>(model); }));
  onnx::GraphProto& inferred = *loan->proto().mutable_graph();
  onnx::GraphProto values;
  values.mutable_output()->Swap(inferred.mutable_output());
  values.mutable_value_info()->Swap(inferred.mutable_value_info());
  return values;
}

}  // namespace assay::model
