// Collects what the tensors in use need of each part of the graph, then sorts it into the order of the file. Messages
// that the candidate doesn't change are borrowed from the model instead of copied (lent_messages.h).
#include "edit/build_candidate.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "base/at.h"
#include "model/inference/lent_messages.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"
#include "model/weights.h"

namespace assay::edit {
namespace {

using base::at;

// Members are destroyed in reverse order: what is lent, then the model, then the lender.
struct Candidate {
  explicit Candidate(const Subject& subject, std::shared_ptr<const void> owner) : lender(std::move(owner)) {
    model.proto = subject.frame();
    model.path = subject.model().path;
    model.files = subject.model().files;
    model.weights_ignored = subject.model().weights_ignored;
  }

  std::shared_ptr<const void> lender;
  model::Model model;
  model::LentMessages<onnx::NodeProto> nodes{*model.graph().mutable_node()};
  model::LentMessages<onnx::TensorProto> initializers{*model.graph().mutable_initializer()};
  model::LentMessages<onnx::SparseTensorProto> sparse_initializers{*model.graph().mutable_sparse_initializer()};
  model::LentMessages<onnx::ValueInfoProto> value_infos{*model.graph().mutable_value_info()};
  model::LentMessages<onnx::TensorAnnotation> annotations{*model.graph().mutable_quantization_annotation()};
};

class Builder {
 public:
  Builder(const Subject& subject, const Selection& selection, const CandidateFacts& facts,
          std::shared_ptr<const void> owner)
      : subject_(subject),
        view_(subject.view()),
        selection_(selection),
        facts_(facts),
        used_(at(view_.tensor_count()), false),
        result_(std::make_shared<Candidate>(subject, std::move(owner))) {}

  std::shared_ptr<const Candidate> build() && {
    add_nodes();
    for (const TensorId output : selection_.outputs) use(output);
    if (selection_.keep_unread) use_unread_weights();
    boundary_ = boundary(subject_, selection_);
    add_inputs();
    add_outputs();
    add_constants();
    add_value_infos();
    add_quantization();
    return std::move(result_);
  }

 private:
  onnx::GraphProto& graph() { return result_->model.graph(); }
  const onnx::GraphProto& source() const { return subject_.model().graph(); }
  bool has_fixed_shapes() const { return selection_.fixed_shapes || !selection_.frozen.empty(); }

  void use(TensorId id) {
    if (used_[at(id)]) return;
    used_[at(id)] = true;
    used_list_.push_back(id);
  }

  void add_nodes() {
    result_->nodes.reserve(selection_.nodes.size());
    for (const NodeId id : selection_.nodes) {
      result_->nodes.add(view_.node(id));
      for (const TensorId input : view_.inputs(id)) use(input);
      for (const TensorId output : view_.outputs(id)) use(output);
    }
  }

  void use_unread_weights() {
    for (TensorId id = 0; id < view_.tensor_count(); ++id) {
      if (view_.is_initializer(id) && is_unread(view_, id)) use(id);
    }
  }

  // Adds the model's own inputs in their order, then those that the cut created.
  void add_inputs() {
    std::vector<bool> wanted(used_.size(), false);
    for (const TensorId id : boundary_) wanted[at(id)] = true;
    for (const onnx::ValueInfoProto& input : source().input()) {
      const TensorId id = view_.find(input.name());
      const bool has_value = view_.is_initializer(id) && used_[at(id)];
      const bool is_kept = selection_.keep_unread && !view_.is_initializer(id) && is_unread(view_, id);
      if (has_value || is_kept) *graph().add_input() = input;
      if (!wanted[at(id)]) continue;
      const onnx::ValueInfoProto* known = has_fixed_shapes() ? facts_.find_static(id) : nullptr;
      *graph().add_input() = known != nullptr ? *known : input;
    }
    for (const TensorId id : boundary_) {
      if (!view_.is_graph_input(id)) *graph().add_input() = describe_input(id);
    }
  }

  // Outputs that the model declares without a shape stay as they are, since that can be the failure: ONNX's checker
  // rejects them.
  void add_outputs() {
    for (const TensorId id : selection_.outputs) {
      const onnx::ValueInfoProto* declared = view_.is_graph_output(id) ? view_.value_info(id) : nullptr;
      const bool lacks_shape = names_type(declared) && !names_rank(declared);
      *graph().add_output() = lacks_shape ? *declared : facts_.describe_output(id);
    }
  }

  onnx::ValueInfoProto describe_input(TensorId id) const {
    const onnx::ValueInfoProto* known = has_fixed_shapes() ? facts_.find_static(id) : facts_.find(id);
    if (known != nullptr) return *known;
    onnx::ValueInfoProto value;
    value.set_name(std::string(view_.name(id)));
    return value;
  }

  void add_constants() {
    std::vector<std::int32_t> dense;
    std::vector<std::int32_t> sparse;
    std::vector<NodeId> folded;
    for (const TensorId id : used_list_) {
      if (!subject_.is_constant(id)) continue;
      if (subject_.constant_node(id) != kNone) folded.push_back(subject_.constant_node(id));
      std::ranges::copy(subject_.initializers(id), std::back_inserter(dense));
      std::ranges::copy(subject_.sparse_initializers(id), std::back_inserter(sparse));
    }
    std::ranges::sort(dense);
    std::ranges::sort(sparse);
    std::ranges::sort(folded);
    result_->initializers.reserve(dense.size());
    for (const std::int32_t i : dense) result_->initializers.add(source().initializer(i));
    for (const std::int32_t i : sparse) result_->sparse_initializers.add(source().sparse_initializer(i));
    for (const NodeId id : folded) add_constant(*constant_value(view_.node(id)));
    for (const auto& [id, value] : selection_.frozen) {
      add_constant(model::to_proto(std::string(view_.name(id)), value));
    }
  }

  void add_constant(onnx::TensorProto constant) {
    if (model::initializers_are_inputs(result_->model.proto)) *graph().add_input() = model::to_value_info(constant);
    *graph().add_initializer() = std::move(constant);
  }

  // Skips inputs and outputs, which carry their own type and shape.
  void add_value_infos() {
    for (const TensorId id : boundary_) used_[at(id)] = false;
    for (const TensorId id : selection_.outputs) used_[at(id)] = false;
    std::vector<std::int32_t> positions;
    for (const TensorId id : used_list_) {
      if (used_[at(id)]) std::ranges::copy(subject_.value_infos(id), std::back_inserter(positions));
    }
    std::ranges::sort(positions);
    result_->value_infos.reserve(positions.size());
    for (const std::int32_t i : positions) result_->value_infos.add(source().value_info(i));
  }

  void add_quantization() {
    std::vector<bool> present(used_.size(), false);
    for (const TensorId id : used_list_) present[at(id)] = true;
    for (const onnx::TensorAnnotation& annotation : source().quantization_annotation()) {
      const TensorId id = view_.find(annotation.tensor_name());
      if (id != kNone && present[at(id)]) result_->annotations.add(annotation);
    }
  }

  const Subject& subject_;
  const model::GraphView& view_;
  const Selection& selection_;
  const CandidateFacts& facts_;
  std::vector<bool> used_;
  std::vector<TensorId> used_list_;
  std::vector<TensorId> boundary_;
  std::shared_ptr<Candidate> result_;
};

}  // namespace

std::shared_ptr<const model::Model> lend_candidate(const Subject& subject, const Selection& selection,
                                                   const CandidateFacts& facts,
                                                   std::shared_ptr<const model::Model> model) {
  assert(model.get() == &subject.model());
  auto candidate = Builder(subject, selection, facts, std::move(model)).build();
  return {candidate, &candidate->model};
}

bool is_unread(const model::GraphView& view, TensorId tensor) {
  return !view.is_graph_output(tensor) && view.consumers(tensor).empty();
}

model::Model build_candidate(const Subject& subject, const Selection& selection, const CandidateFacts& facts) {
  return Builder(subject, selection, facts, nullptr).build()->model;
}

}  // namespace assay::edit
