// How the tensors are supplied that a candidate needs and does not make.
#pragma once

#include "base/log.h"
#include "edit/selection.h"
#include "edit/tensor_facts.h"
#include "reduce/reference.h"

namespace assay::reduce {

// What becomes of tensors that come in past a cut, from branches that were cut off beside it.
enum class SideValues {
  automatic,  // settings, not data, are frozen where a reference has them: whole numbers, booleans, and scalars
  freeze,     // all are frozen where a reference has them: the user gave values
  input,      // all are inputs
};

// Known to be a tensor of rank 0.
bool is_scalar(const onnx::ValueInfoProto* value);

class BoundarySupply {
 public:
  // `reference` may be null. All must outlive this object.
  BoundarySupply(const edit::Subject& subject, edit::TensorFacts& facts, Reference* reference, SideValues side_values,
                 base::Log& log);

  // A selection that can be built: side tensors frozen or not, and all inputs of known type and rank, if need be by
  // keeping the nodes that make them. What inference left open of inputs and outputs is learned from the reference.
  // `cut`: the tensors that the search itself made inputs; they stay inputs. `limit`: where knowing all ranks would
  // take so many nodes, inputs of unknown rank are taken. The facts then hold what was learned for this selection, and
  // nothing of others: what a candidate looks like must not depend on which ones were built before it.
  // With `freeze_all` every side tensor is frozen that has a value, whatever it holds, inputs of the model too.
  edit::Selection complete(edit::Selection selection, const std::vector<edit::TensorId>& cut, std::size_t limit,
                           bool freeze_all = false);

  // Takes type and shape of every tensor from the reference, before anything else that is known of them.
  void see_all();

 private:
  bool freezes(edit::TensorId id) const;
  // Values of these tensors; none where they cannot be had. The user is told once.
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
  bool warned_ = false;
};

}  // namespace assay::reduce
