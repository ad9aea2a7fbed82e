// From a selection to a model.
#pragma once

#include <memory>

#include "edit/selection.h"
#include "edit/tensor_facts.h"
#include "model/model.h"

namespace assay::edit {

// Keeps everything of the model that the selection leaves room for: names, order, value_info, opset imports, functions,
// metadata; an initializer that is a graph input too stays both. Adds only inputs and outputs, with the type and shape
// that are known: an output of unknown shape has none, which is not the same as an empty one.
// With Selection::fixed_shapes or frozen values all inputs get the static shapes that belong to them. Weights by
// reference stay so.
// Costs what the selection holds; the weights of the model are not touched.
model::Model build_candidate(const Subject& subject, const Selection& selection, const TensorFacts& facts);

// The same for a candidate that is only looked at: nodes and tensors are not copied, they are those of the subject's
// model, which must not change as long as the candidate lives. Candidates share them; each keeps `owner` alive, which
// owns that model, or is null where something else sees to it that the model lives on. Copies of the candidate are
// models of their own.
std::shared_ptr<const model::Model> lend_candidate(const Subject& subject, const Selection& selection,
                                                   const TensorFacts& facts, std::shared_ptr<const void> owner);

// An input of the model that nothing in it reads, nor is it an output. Candidates leave it out, but where
// Selection::unread_inputs says otherwise.
bool is_unread_input(const model::GraphView& view, TensorId input);

}  // namespace assay::edit
