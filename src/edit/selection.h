// The state of a reduction: what a candidate keeps of the model, and how the rest is supplied.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "tensor/tensor.h"

namespace assay::edit {

struct Selection {
  std::vector<NodeId> nodes;      // of Subject::nodes(), ascending: the order of the file is kept, always
  std::vector<TensorId> outputs;  // graph outputs, in order
  // Tensors that kept nodes need and no kept node makes are graph inputs, but for these, which are constants.
  std::map<TensorId, tensor::Tensor> frozen;
  // The inputs of the model that nothing in it reads stay inputs.
  bool unread_inputs = false;
  // Inputs get the sizes that they had in one run of the model, instead of symbols. Frozen values always need that.
  bool fixed_shapes = false;
};

// All nodes, and the outputs of the model.
Selection whole(const Subject& subject);

// Tensors that the selection needs from outside, in order of first use: neither made by a kept node nor constant in the
// model nor frozen. A name that nothing in the model defines is not among them: it stays undefined.
std::vector<TensorId> boundary(const Subject& subject, const Selection& selection);

// Which tensors (by id) kept nodes make.
std::vector<bool> made_by(const Subject& subject, const std::vector<NodeId>& nodes);

// Adds the nodes that make `tensors` and are not kept.
Selection with_producers(const Subject& subject, Selection selection, const std::vector<TensorId>& tensors);

// Equal for selections that give the same candidate, whatever the frozen values are.
std::string key(const Selection& selection);

}  // namespace assay::edit
