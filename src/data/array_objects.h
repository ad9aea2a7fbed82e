// Reads JSON objects that hold arrays by name: the inputs or the outputs of an iteration.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "tensor/json.h"
#include "tensor/tensor.h"

namespace assay::data {

// Returns the names of the arrays of `object`.
std::vector<std::string> array_names(const nlohmann::ordered_json& object);

// Reads the arrays of `object`, which belongs to `document`: the `wanted` ones, or all if it is null. Errors name the
// array.
base::Expected<tensor::NamedTensors> read_arrays(const tensor::JsonDocument& document,
                                                 const nlohmann::ordered_json& object,
                                                 const std::unordered_set<std::string>* wanted = nullptr);

}  // namespace assay::data
