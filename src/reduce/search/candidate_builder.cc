// Candidates borrow nodes from the builder's model instead of copying them, so building one costs no more than its own
// size. Which boundary tensors become inputs and which are frozen is decided here only in part (cut_tensors());
// BoundarySupply does the rest.
#include "reduce/search/candidate_builder.h"

#include <algorithm>
#include <utility>

#include "edit/build_candidate.h"
#include "edit/shape_operands.h"
#include "reduce/values/computed_only_reference.h"

namespace assay::reduce {
namespace {

// An input of unknown rank can fail although the tensor itself doesn't. So the nodes that compute such a tensor are
// kept, unless that makes the candidate more than this many times larger.
constexpr std::size_t kRankNodes = 8;

edit::TensorFacts infer(const edit::Subject& subject, const CandidateBuilder::Options& options) {
  using Inference = edit::TensorFacts::Inference;
  edit::TensorFacts facts(subject, options.infer_shapes ? Inference::onnx : Inference::none);
  if (const base::Status& inferred = facts.inference(); !inferred) {
    options.log.warning("Shape inference failed: {}. Using only the shapes that the model declares.",
                        inferred.error().message());
  }
  return facts;
}

}  // namespace

CandidateBuilder::CandidateBuilder(SharedModel model, edit::Subject::Constants constants, const Options& options)
    : model_(std::move(model)),
      values_(options.values),
      keep_unread_(options.keep_unread),
      unknown_rank_(options.unknown_rank),
      subject_(*model_, constants),
      inferred_(infer(subject_, options)),
      reference_(options.reference ? options.reference(subject_, inferred_) : nullptr),
      supply_(options.shapes_from_reference && reference_ ? with_reference_shapes(inferred_, *reference_) : inferred_,
              reference_.get(), options.values, options.log) {
  for (const onnx::ValueInfoProto& output : model_->graph().output()) {
    const edit::TensorId id = subject_.view().find(output.name());
    if (options.passed_through && subject_.view().is_graph_input(id)) passed_through_.push_back(id);
  }
  for (const edit::NodeId id : subject_.nodes()) {
    const onnx::NodeProto& node = subject_.view().node(id);
    for (int i = 0; i < node.input_size(); ++i) {
      if (node.input(i).empty() || !edit::is_shape_operand(node, i)) continue;
      shape_operands_.push_back({id, subject_.view().find(node.input(i))});
    }
  }
}

SharedModel CandidateBuilder::lend(CompleteSelection candidate) const {
  candidate.selection.keep_unread = keep_unread_;
  std::vector<edit::TensorId>& outputs = candidate.selection.outputs;
  for (const edit::TensorId id : passed_through_) {
    if (std::ranges::find(outputs, id) == outputs.end()) outputs.push_back(id);
  }
  return edit::lend_candidate(subject_, candidate.selection, candidate.facts, model_);
}

std::optional<CompleteSelection> CandidateBuilder::complete(const Draft& draft, BoundarySupply& supply) const {
  if (const auto* by_search = std::get_if<std::shared_ptr<const CutSelection>>(&draft)) {
    const CutSelection& cut = **by_search;
    if (cut.selection.nodes.empty()) return std::nullopt;
    return supply.complete(cut.selection, cut.cut, cut.limit, cut.freeze_cut);
  }
  const edit::Selection& wanted = *std::get<std::shared_ptr<const edit::Selection>>(draft);
  const std::vector<edit::TensorId> cut = cut_tensors(wanted);
  if (unknown_rank_ != UnknownRank::keep_producers) return supply.complete(wanted, cut, {}, unknown_rank_);
  return supply.complete(wanted, cut, kRankNodes * (wanted.nodes.size() + 1));
}

base::Expected<SharedModel> CandidateBuilder::build(const Draft& draft) {
  if (const auto* whole = std::get_if<SharedModel>(&draft)) return *whole;
  std::optional<CompleteSelection> candidate = complete(draft, supply_);
  return candidate ? lend(*std::move(candidate)) : nullptr;
}

bool CandidateBuilder::takes_long(const Draft& draft) const {
  if (!reference_ || !reference_->is_slow() || std::holds_alternative<SharedModel>(draft)) return false;
  ComputedOnlyReference prompt(*reference_);
  BoundarySupply supply = supply_.with(prompt);
  static_cast<void>(complete(draft, supply));
  return prompt.refused();
}

base::Expected<SharedModel> CandidateBuilder::build(const edit::Selection& wanted, const Supplied& supplied) {
  const UnknownRank rank = supplied.rank.value_or(unknown_rank_);
  std::optional<CompleteSelection> candidate = supply_.complete(wanted, cut_tensors(wanted), supplied, rank);
  return candidate ? lend(*std::move(candidate)) : nullptr;
}

// Only data becomes an input, unless --values freeze is given. Shapes, indices and scalars are better frozen.
std::vector<edit::TensorId> CandidateBuilder::cut_tensors(const edit::Selection& selection) const {
  if (values_ == CutValues::freeze) return {};
  std::vector<edit::TensorId> operands;
  for (const edit::NodeId id : selection.nodes) {
    const auto of_node = std::ranges::equal_range(shape_operands_, id, {}, &ShapeOperand::node);
    for (const ShapeOperand& operand : of_node) operands.push_back(operand.tensor);
  }
  std::ranges::sort(operands);
  std::vector<edit::TensorId> cut = edit::boundary(subject_, selection);
  std::erase_if(cut, [&](edit::TensorId id) {
    return std::ranges::binary_search(operands, id) || is_scalar(facts().find(id)) ||
           (values_ == CutValues::automatic && supply_.is_constant_data(id));
  });
  return cut;
}

}  // namespace assay::reduce
