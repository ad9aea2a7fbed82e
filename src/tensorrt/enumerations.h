// The numbers of TensorRT's enumerators, which are part of its binary interface: within a major version, NVIDIA adds
// new ones and keeps old ones. So settings can be turned into numbers without TensorRT's headers, and whatever minor
// version they have. TensorRT 11 removed enumerators and renumbered those after them. What a library does with numbers
// of later versions isn't defined, so they must not reach it.
//
// Source: NvInfer.h, NvInferRuntime.h, NvInferRuntimeBase.h and NvOnnxParser.h of TensorRT 10.0 to 11.1, which say in
// which release each came.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensorrt/version.h"

namespace assay::tensorrt {

// Checks that some version of TensorRT has the enumerator. Asserts that the enumeration is known. Errors: invalid_input
// with the option and similar names.
base::Status check_enumerator(std::string_view enumeration, const std::string& name, std::string_view option);

// Returns the number that an enumerator has in this version of TensorRT, such as 0 of FP16 in BuilderFlag. The types of
// DataType are those that parse_type() returns. Asserts that the enumeration is known. Errors: invalid_input with the
// option and similar names if no version has it; unsupported if TensorRT 11 has removed it, or if a later version
// added it.
base::Expected<int> find_enumerator(std::string_view enumeration, const std::string& name, std::string_view option,
                                    Version version);

// Returns the names of all enumerators of all versions. Asserts that the enumeration is known.
std::vector<std::string> enumerator_names(std::string_view enumeration);

// Returns the numbers of all enumerators that this version has. Asserts that the enumeration is known.
std::vector<int> enumerators_in(std::string_view enumeration, Version version);

// Returns the name of an enumerator, or the number as text if none has it. Asserts that the enumeration is known, and
// that its numbers are the same in all versions.
std::string enumerator_name(std::string_view enumeration, int number);

}  // namespace assay::tensorrt
