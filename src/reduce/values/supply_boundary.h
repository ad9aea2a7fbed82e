// Decides how tensors are supplied that a candidate needs but doesn't compute.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/log.h"
#include "edit/candidate_facts.h"
#include "edit/selection.h"
#include "reduce/values/reference.h"

namespace assay::reduce {

// Says what replaces the tensors at a cut: remaining nodes read them, and removed nodes computed them. A search can
// choose some of them as inputs (CutSelection::cut); this is about the others.
enum class CutValues {
  // Settings (integers, booleans and scalars) and values that depend on constants only are frozen if the reference has
  // them. Other data isn't.
  automatic,
  settings,  // settings only, as Polygraphy's modes do
  freeze,    // all are frozen if the reference has them: the user gave values
  input,     // all become inputs
};

// The treatment of a tensor of unknown rank that would have to be an input, or of a sequence, an optional or a map,
// which no check can generate.
enum class UnknownRank {
  keep_producers,  // the nodes that compute it are kept, as long as they are few
  refuse,          // the candidate is dropped
  accept,          // it becomes an input without a shape, which is legal ONNX
};

// Exceptions to the rules, for a candidate that supplies some tensors differently.
struct Supplied {
  std::vector<edit::TensorId> frozen{};  // become constants; the candidate is dropped if their values are unknown
  std::vector<edit::TensorId> inputs{};  // become inputs
  bool fixed_shapes = false;             // inputs get the sizes of the reference run; dropped if these are unknown
  std::optional<UnknownRank> rank{};     // instead of the usual treatment
};

// Returns whether the value is known to hold integers, booleans or a scalar: settings rather than data.
bool holds_settings(const onnx::ValueInfoProto* value);
// Returns whether the value is known to be a tensor of rank 0.
bool is_scalar(const onnx::ValueInfoProto* value);

// Returns whether the value is known to have more than 64 MiB: too much to become part of a candidate as a constant.
bool is_large(const onnx::ValueInfoProto* value);
// Returns whether the sizes are known; sequences and the like count as known.
bool has_fixed_sizes(const onnx::ValueInfoProto& value);
// Returns whether all inputs of the graph have known sizes.
bool all_input_sizes_known(const model::Model& model);

// Returns facts in which types and shapes from the reference replace everything else that is known.
edit::TensorFacts with_reference_shapes(const edit::TensorFacts& facts, Reference& reference);

// A selection that can be built, and what is known of its tensors. Depends on nothing that was built before.
struct CompleteSelection {
  edit::Selection selection;
  edit::CandidateFacts facts;
};

class BoundarySupply {
 public:
  // `reference` may be null. All references must outlive this object.
  BoundarySupply(edit::TensorFacts facts, Reference* reference, CutValues side_values, base::Log& log);

  // Returns the same supply with another reference.
  [[nodiscard]] BoundarySupply with(Reference& reference) const;

  // The known types and shapes of the model from which candidates are cut.
  [[nodiscard]] const edit::TensorFacts& facts() const { return facts_; }

  // Completes a selection: the tensors at the cut are frozen or not, and every input is a tensor with a type and a
  // rank, if necessary because the nodes that compute it are kept. What inference left open is learned from the
  // reference. `cut`: tensors that the search itself turned into inputs; they stay inputs. `limit`: if this many nodes
  // would be needed to know all ranks, inputs of unknown rank are accepted instead. With `freeze_all`, every tensor at
  // the cut that has a value is frozen, whatever it holds, inputs of the model included.
  CompleteSelection complete(edit::Selection selection, const std::vector<edit::TensorId>& cut, std::size_t limit,
                             bool freeze_all = false);
  // The same with exceptions, and without keeping nodes for a rank: if an input has no rank, the candidate is dropped
  // with UnknownRank::refuse, and built all the same otherwise. Returns nothing if the candidate is dropped.
  std::optional<CompleteSelection> complete(edit::Selection selection, const std::vector<edit::TensorId>& cut,
                                            const Supplied& supplied, UnknownRank rank);

  // Returns whether the value depends on constants only, and is small enough to become one.
  [[nodiscard]] bool is_constant_data(edit::TensorId id) const;

 private:
  using Tensors = std::vector<edit::TensorId>;

  bool freezes(edit::TensorId id) const;
  CompleteSelection prepare(edit::Selection selection, const Tensors& cut, bool freeze_all);
  bool freeze(edit::Selection& selection, const Tensors& tensors);
  // Returns the values of these tensors, as far as they are available.
  tensor::NamedTensors ask(const Tensors& ids);
  // Adds to the facts which types and shapes these tensors have in the reference run. Returns the values of those that
  // are asked for, as far as they are available.
  tensor::NamedTensors learn(const Tensors& ids, edit::CandidateFacts& facts, Tensors asked = {});
  // Returns what follows from the sizes of the inputs in the reference run, without running more of the model.
  const std::map<edit::TensorId, edit::SeenShape>& inferred_shapes();
  void freeze_cut(CompleteSelection& candidate, const Tensors& cut, bool freeze_all);
  void learn_missing(CompleteSelection& candidate);
  [[nodiscard]] Tensors without_rank(const CompleteSelection& candidate) const;
  // Keeps the producers of boundary tensors of which too little is known.
  [[nodiscard]] CompleteSelection extend(CompleteSelection candidate,
                                         bool (edit::CandidateFacts::*enough)(edit::TensorId) const) const;

  const edit::Subject& subject_;
  edit::TensorFacts facts_;
  Reference* reference_;
  CutValues side_values_;
  base::Log& log_;
  // True if all inputs of the subject have known sizes. Then tensors that become inputs get known sizes too, if the
  // reference has them: a symbol could stand for other sizes than those that go with these inputs.
  bool input_sizes_are_known_;
  std::shared_ptr<const std::map<edit::TensorId, edit::SeenShape>> inferred_;  // null until it is needed
  bool told_ = false;
};

}  // namespace assay::reduce
