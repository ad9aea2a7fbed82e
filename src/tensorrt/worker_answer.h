// Turns what TensorRT's worker answers into JSON for the command line, and back.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::tensorrt {

// Returns the JSON as text. Bytes that aren't UTF-8, which names can contain, are replaced.
std::string write_answer(const nlohmann::json& answer);

// Parses a text and calls `take` with it. Errors: invalid_input if the text isn't JSON, or if `take` throws a
// nlohmann::json::exception.
base::Status read_answer(std::string_view text, const std::function<void(const nlohmann::json&)>& take);

}  // namespace assay::tensorrt
