// Settings as text, with which the command line hands them to TensorRT's worker.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "tensorrt/given_settings.h"

namespace assay::tensorrt {

// Returns one entry for each setting: its name, and its occurrences as JSON. GivenSettings of {"--fp16", flag} and
// {"--plugins", two words} become {"--fp16": "[[]]", "--plugins": "[[\"a.so\",\"b.so\"]]"}.
std::map<std::string, std::string> encode_settings(const GivenSettings& given);

// Reads the entries that encode_settings() wrote. Errors: invalid_input.
base::Expected<GivenSettings> decode_settings(const std::map<std::string, std::string>& entries);

}  // namespace assay::tensorrt
