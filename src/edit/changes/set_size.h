// Makes one dimension of a tensor smaller, wherever the outer graph declares it.
#pragma once

#include <cstdint>
#include <string>

#include "model/model.h"

namespace assay::edit {

// Returns whether the outer graph has an input, output, value info or initializer of that name with such an axis whose
// size is larger or open. The elements of an initializer must be whole bytes that can be read.
bool can_set_size(const model::Model& model, const std::string& tensor, int axis, std::int64_t size);
// Sets the size if can_set_size() allows it, and cuts initializers to it. A dynamic dimension of an output or a value
// info stays open.
void set_size(model::Model& model, const std::string& tensor, int axis, std::int64_t size);

}  // namespace assay::edit
