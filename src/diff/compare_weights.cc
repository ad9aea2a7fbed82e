#include "diff/compare_weights.h"

#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/at.h"
#include "diff/compare_attributes.h"
#include "diff/describe.h"
#include "model/input_specs.h"
#include "model/onnx_facts.h"

namespace assay::diff {
namespace {

using base::at;

// A graph's weights. GraphView has only the dense ones as messages.
class Weights {
 public:
  Weights(const onnx::GraphProto& graph, const model::GraphView& view) : view_(view) {
    for (const auto& sparse : graph.sparse_initializer()) sparse_.emplace(sparse.values().name(), &sparse);
  }

  [[nodiscard]] bool has(TensorId id) const { return view_.is_initializer(id); }
  [[nodiscard]] std::string name(TensorId id) const { return std::string(view_.name(id)); }
  // Return null if the weight has the other form.
  [[nodiscard]] const onnx::TensorProto* dense(TensorId id) const { return view_.initializer(id); }
  [[nodiscard]] const onnx::SparseTensorProto* sparse(TensorId id) const {
    const auto found = sparse_.find(view_.name(id));
    return found == sparse_.end() ? nullptr : found->second;
  }

  [[nodiscard]] std::string type(TensorId id) const {
    if (const onnx::TensorProto* weight = dense(id)) return type_and_shape(*weight);
    const onnx::SparseTensorProto* weight = sparse(id);
    return weight == nullptr ? "sparse" : type_and_shape(*weight);
  }

 private:
  const model::GraphView& view_;
  std::map<std::string_view, const onnx::SparseTensorProto*> sparse_;
};

// Returns the weights that are also inputs, so that callers may set them and engines can't compute with their values
// when they load the model. Up to IR version 3, all weights are inputs, but none can be set.
std::unordered_set<std::string> settable_weights(const model::Model& model, const onnx::GraphProto& graph) {
  if (&graph != &model.graph() || model::initializers_are_inputs(model.proto)) return {};
  const std::vector<std::string> names = model::inputs_with_values(graph);
  return {names.begin(), names.end()};
}

std::string with_default(const std::string& type) {
  return type + ", with a default value";
}

base::Status compare_dense(Comparison& comparison, const Subject& subject, const onnx::TensorProto& first,
                           const onnx::TensorProto& second) {
  ASSAY_TRY(comparison.compare_tensors(subject, "", first, second));
  comparison.compare_docs(subject, first.doc_string(), second.doc_string());
  comparison.compare_entries(subject, "metadata", first.metadata_props(), second.metadata_props());
  return {};
}

base::Status compare_pair(Comparison& comparison, const Subject& subject, const Weights& first, TensorId a,
                          const Weights& second, TensorId b) {
  const onnx::TensorProto *dense_a = first.dense(a), *dense_b = second.dense(b);
  if (dense_a != nullptr && dense_b != nullptr) return compare_dense(comparison, subject, *dense_a, *dense_b);
  if (dense_a == nullptr && dense_b == nullptr) {
    const onnx::SparseTensorProto *sparse_a = first.sparse(a), *sparse_b = second.sparse(b);
    if (sparse_a == nullptr || sparse_b == nullptr) return {};
    return compare_sparse(comparison, subject, "", *sparse_a, *sparse_b);
  }
  const auto form = [](const onnx::TensorProto* dense) { return dense == nullptr ? "sparse" : "dense"; };
  comparison.note_changed(Aspect::weight, subject, "", form(dense_a), form(dense_b));
  return {};
}

}  // namespace

base::Status compare_weights(Comparison& comparison, const MatchedGraphs& graphs, const std::string& place) {
  const model::GraphView &first_view = graphs.first_wiring.view(), &second_view = graphs.second_wiring.view();
  const Weights first(graphs.first, first_view), second(graphs.second, second_view);
  const auto settable_a = settable_weights(comparison.first(), graphs.first);
  const auto settable_b = settable_weights(comparison.second(), graphs.second);
  for (TensorId a = 0; a < first_view.tensor_count(); ++a) {
    if (!first.has(a)) continue;
    const TensorId b = graphs.match.tensors[at(a)];
    if (!second.has(b)) {
      comparison.note_removed(Aspect::weight, place, {"weight", first.name(a)}, first.type(a));
      continue;
    }
    const bool was_settable = settable_a.contains(first.name(a)), is_settable = settable_b.contains(second.name(b));
    if (was_settable && !is_settable) {
      comparison.note_removed(Aspect::input, place, {"input", first.name(a)}, with_default(first.type(a)));
    } else if (is_settable && !was_settable) {
      comparison.note_added(Aspect::input, place, {"input", second.name(b)}, with_default(second.type(b)));
    }
    const Subject subject{place, {"weight", first.name(a)}, {"weight", second.name(b)}};
    ASSAY_TRY(compare_pair(comparison, subject, first, a, second, b));
  }
  for (TensorId b = 0; b < second_view.tensor_count(); ++b) {
    if (!second.has(b) || graphs.match.tensors_back[at(b)] != kNone) continue;
    comparison.note_added(Aspect::weight, place, {"weight", second.name(b)}, second.type(b));
  }
  return {};
}

}  // namespace assay::diff
