// How the tensors are supplied that a candidate needs and does not make.
#pragma once

#include <optional>
#include <vector>

#include "base/log.h"
#include "edit/selection.h"
#include "edit/tensor_facts.h"
#include "reduce/values/reference.h"

namespace assay::reduce {

// What becomes of tensors that come in past a cut, from branches that were cut off beside it.
enum class SideValues {
  // Settings and what depends on constants only are frozen if a reference knows the value, data is not. Settings are
  // whole numbers, booleans and scalars.
  automatic,
  freeze,  // all are frozen where a reference has them: the user gave values
  input,   // all are inputs
};

// What becomes of a tensor of unknown rank that would have to be an input.
enum class UnknownRank {
  keep_makers,  // the nodes that make it stay, as long as they are few
  refuse,       // there's no such candidate
  accept,       // it becomes an input without a shape, which is legal ONNX
};

// Exceptions to the rules, for a candidate that supplies some tensors in another way.
struct Supplied {
  std::vector<edit::TensorId> frozen{};  // become constants; there's no candidate if their values are unknown
  std::vector<edit::TensorId> inputs{};  // become inputs
  bool fixed_shapes = false;             // inputs have the sizes of the reference run; none if these are unknown
  std::optional<UnknownRank> rank{};     // instead of the usual treatment
};

// Returns whether the value is known to be whole numbers, conditions or a scalar: settings rather than data.
bool holds_settings(const onnx::ValueInfoProto* value);
// Returns whether the value is known to be a tensor of rank 0.
bool is_scalar(const onnx::ValueInfoProto* value);

// Returns whether the value is known to have more than 64 MiB: too much to become part of a candidate as a constant.
bool is_large(const onnx::ValueInfoProto* value);
// Returns whether all inputs of the graph have known sizes; sequences and the like count as known.
bool has_fixed_inputs(const model::Model& model);

class BoundarySupply {
 public:
  // `reference` may be null. All must outlive this object.
  BoundarySupply(const edit::Subject& subject, edit::TensorFacts& facts, Reference* reference, SideValues side_values,
                 base::Log& log);

  // Returns a selection that can be built: side tensors are frozen or not, and all inputs have a type and a rank, if
  // need be because the nodes that make them are kept. What inference left open is learned from the reference.
  // `cut`: the tensors that the search itself made inputs; they stay inputs. `limit`: if knowing all ranks takes so
  // many nodes, inputs of unknown rank are accepted. Afterwards the facts hold what was learned for this selection, and
  // nothing of others: a candidate must not depend on the candidates that were built before it.
  // With `freeze_all` every side tensor that has a value is frozen, whatever it holds, inputs of the model too.
  edit::Selection complete(edit::Selection selection, const std::vector<edit::TensorId>& cut, std::size_t limit,
                           bool freeze_all = false);
  // The same with exceptions, and without keeping nodes for a rank (`rank` says what to do instead). Returns nothing if
  // there's no such candidate.
  std::optional<edit::Selection> complete(edit::Selection selection, const std::vector<edit::TensorId>& cut,
                                          const Supplied& supplied, UnknownRank rank);

  // Takes type and shape of every tensor from the reference, before anything else that is known of them.
  void see_all();

  // Returns whether the value depends on constants only, and is small enough to become one.
  [[nodiscard]] bool is_constant_data(edit::TensorId id) const;

 private:
  bool freezes(edit::TensorId id) const;
  void prepare(edit::Selection& selection, const std::vector<edit::TensorId>& cut, bool freeze_all);
  bool freeze(edit::Selection& selection, const std::vector<edit::TensorId>& tensors);
  [[nodiscard]] std::vector<edit::TensorId> without_rank(const edit::Selection& selection) const;
  // Values of these tensors, as far as they are available.
  tensor::NamedTensors ask(const std::vector<edit::TensorId>& ids);
  void freeze_sides(edit::Selection& selection, const std::vector<edit::TensorId>& cut, bool freeze_all);
  void learn_missing(const edit::Selection& selection);
  // Keeps the makers of tensors on the boundary of which too little is known.
  edit::Selection extend(edit::Selection selection, bool (edit::TensorFacts::*enough)(edit::TensorId) const) const;

  const edit::Subject& subject_;
  edit::TensorFacts& facts_;
  Reference* reference_;
  SideValues side_values_;
  base::Log& log_;
  // All inputs of the subject have known sizes. Then so have the tensors that become inputs, if the reference knows
  // them: a symbol in their place could stand for other sizes than those that belong to these inputs.
  bool has_fixed_inputs_;
  bool told_ = false;
};

}  // namespace assay::reduce
