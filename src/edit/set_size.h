// Makes one dimension of a tensor smaller, wherever the outer graph says how large it is.
#pragma once

#include <cstdint>
#include <string>

#include "model/model.h"

namespace assay::edit {

// Whether the outer graph has an input, an output, a value info or an initializer of that name with such an axis whose
// size is larger or open; initializers have to be readable and of whole bytes, and are cut off behind `size`.
bool can_set_size(const model::Model& model, const std::string& tensor, int axis, std::int64_t size);
// Does it, where it can be done; an open size of an output or a value info stays open.
void set_size(model::Model& model, const std::string& tensor, int axis, std::int64_t size);

}  // namespace assay::edit
