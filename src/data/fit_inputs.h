// From what a source gives to what a model takes.
#pragma once

#include <span>

#include "base/error.h"
#include "base/log.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::data {

// The inputs that `ports` name, in their order; others are left out. As the peer does it, with a warning each: a value
// of another type is cast; one of another shape gets its dimensions exchanged where that makes it fit (the first such
// order of axes), else is reshaped where the number of elements allows; an input without a value of its name takes the
// one at its place in `inputs` that no other asks for. Values that fit are shared, not copied. Errors:
// invalid_input naming the input that is missing or cannot be made to fit.
base::Expected<tensor::NamedTensors> fit_inputs(const tensor::NamedTensors& inputs,
                                                std::span<const tensor::TensorSpec> ports, base::Log& log);

}  // namespace assay::data
