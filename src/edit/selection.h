// The state of a reduction: what a candidate keeps of the model, and how its missing tensors are supplied.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "tensor/tensor.h"

namespace assay::edit {

struct Selection {
  std::vector<NodeId> nodes;      // from Subject::nodes(), ascending: the order of the file is always kept
  std::vector<TensorId> outputs;  // graph outputs, in order
  // Tensors that kept nodes need and no kept node produces become graph inputs, except for these, which are constants.
  std::map<TensorId, tensor::Tensor> frozen;
  // Keeps inputs and initializers that no node of the whole model reads.
  bool keep_unread = false;
  // Declares inputs with the sizes that they had in one run of the model, instead of symbols. Frozen values imply it.
  bool fixed_shapes = false;
};

// Returns the selection of all nodes, with the outputs of the model.
Selection whole(const Subject& subject);

// Returns the tensors that the selection needs from outside, in order of first use: neither produced by a kept node,
// nor constant in the model, nor frozen. A name that nothing in the model defines isn't among them: it stays undefined.
std::vector<TensorId> boundary(const Subject& subject, const Selection& selection);

// Returns for each tensor id whether one of `nodes` produces the tensor.
std::vector<bool> produced_by(const Subject& subject, const std::vector<NodeId>& nodes);

// Returns the selection with the nodes that compute `tensors` added, unless they are kept already.
Selection with_producers(const Subject& subject, Selection selection, const std::vector<TensorId>& tensors);

// Returns a key by which selections are cached. It is equal for selections of the same candidate: which tensors are
// frozen is part of it, but not their values.
std::string key(const Selection& selection);

}  // namespace assay::edit
