// Builds a model from a selection.
#pragma once

#include <memory>

#include "edit/candidate_facts.h"
#include "edit/selection.h"
#include "model/model.h"

namespace assay::edit {

// Keeps everything of the model that fits the selection: names, order, value_info, opset imports, functions and
// metadata; an initializer that is also a graph input stays both. Adds only inputs and outputs, with the known type and
// shape; an output of unknown shape has none, which differs from an empty one.
//
// With Selection::fixed_shapes or frozen values, all inputs get the matching static shapes. Weights by reference stay
// references; no weight is read. Costs O(selection).
model::Model build_candidate(const Subject& subject, const Selection& selection, const CandidateFacts& facts);

// Builds a candidate that is only read: its nodes and tensors aren't copied, they belong to the subject's model, which
// candidates share and keep alive. Copies of the candidate are independent models. `model` must be the subject's, and
// nothing may change it while a candidate exists.
std::shared_ptr<const model::Model> lend_candidate(const Subject& subject, const Selection& selection,
                                                   const CandidateFacts& facts,
                                                   std::shared_ptr<const model::Model> model);

// Returns true if no node reads the tensor, an input or initializer, and it isn't an output. Candidates leave out such
// tensors unless Selection::keep_unread is set.
bool is_unread(const model::GraphView& view, TensorId tensor);

}  // namespace assay::edit
