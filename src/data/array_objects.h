// Reads JSON objects that hold arrays by name: the inputs or the outputs of an iteration.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "tensor/json.h"
#include "tensor/tensor.h"

namespace assay::data {

// The member that names the Polygraphy class of an object; all others are arrays.
inline constexpr std::string_view kClassKey = "polygraphy_class";

// Reads the arrays of `object`, which belongs to `document`: the `wanted` ones, or all if it is null. Errors name the
// array.
base::Expected<tensor::NamedTensors> read_arrays(const tensor::JsonDocument& document,
                                                 const nlohmann::ordered_json& object,
                                                 const std::unordered_set<std::string>* wanted = nullptr);

}  // namespace assay::data
