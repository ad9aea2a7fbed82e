// Converts the inputs that a source provides to those that a model takes.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::data {

// The place (Error::where) of an error that says that there is no data of an input's name and shape.
inline constexpr std::string_view kGivenInputs = "the given inputs";

// Returns the inputs that `ports` name, in their order; other inputs are left out. Misfits are converted as in
// Polygraphy, with a warning each. A value of another type is cast. A value of another shape is transposed if that
// makes it fit (by the lexicographically first such order of axes), or else reshaped if the number of elements allows.
// An input without a value of its name takes the value at its position in `inputs`, if no other port has that name.
// Values that fit are shared, not copied. Errors: invalid_input, naming the input that is missing or can't be made to
// fit.
base::Expected<tensor::NamedTensors> fit_inputs(const tensor::NamedTensors& inputs,
                                                std::span<const tensor::TensorSpec> ports, base::Log& log);

// Converts the values that can be made to fit the port of their name, in the same way but without warnings. All other
// values stay as they are.
tensor::NamedTensors fit_where_possible(tensor::NamedTensors values, std::span<const tensor::TensorSpec> ports);

}  // namespace assay::data
