// The numbers of TensorRT's enumerators, which are part of its binary interface: within a major version, NVIDIA adds
// new ones and keeps old ones. So settings can be turned into numbers without TensorRT's headers, and whatever minor
// version they have. TensorRT 11 removed enumerators and renumbered those after them.
//
// Source: NvInfer.h, NvInferRuntime.h, NvInferRuntimeBase.h and NvOnnxParser.h of TensorRT 10.16 and 11.1.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::tensorrt {

// Returns the number that an enumerator has in TensorRT `major` (10 or 11), such as 0 of FP16 in BuilderFlag. Asserts
// that the enumeration is known. Errors: invalid_input with the option and similar names if no version has it;
// unsupported if TensorRT 11 has removed it.
base::Expected<int> find_enumerator(std::string_view enumeration, const std::string& name, std::string_view option,
                                    int major = 10);

// Returns the name of an enumerator, or the number as text if none has it. Asserts that the enumeration is known, and
// that its numbers are the same in all versions.
std::string enumerator_name(std::string_view enumeration, int number);

// Returns the number in DataType of a type as parse_type() returns it: 1 for "float16".
int data_type_number(std::string_view type);

}  // namespace assay::tensorrt
