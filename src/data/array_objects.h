// Reads JSON objects that hold arrays by name: the inputs or the outputs of an iteration.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "tensor/json.h"
#include "tensor/tensor.h"

namespace assay::data {

// Reads the arrays of `object`, which belongs to `document`. Errors name the array.
base::Expected<tensor::NamedTensors> read_arrays(const tensor::JsonDocument& document,
                                                 const nlohmann::ordered_json& object);

}  // namespace assay::data
