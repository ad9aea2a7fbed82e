// Answers of TensorRT's worker on their way to the command line: structures as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::tensorrt {

// Returns the text. Bytes of names that aren't UTF-8 are replaced.
std::string write_answer(const nlohmann::json& answer);

// Parses a text and calls `take`, which may throw exceptions of nlohmann's. Errors: invalid_input if it does, or if the
// text isn't JSON.
base::Status read_answer(std::string_view text, const std::function<void(const nlohmann::json&)>& take);

}  // namespace assay::tensorrt
