// The numbers of TensorRT's enumerators, which are part of its binary interface: NVIDIA adds new ones and keeps old
// ones. So settings can be turned into numbers without TensorRT's headers, and whatever version they have.
//
// Source: NvInfer.h, NvInferRuntime.h, NvInferRuntimeBase.h and NvOnnxParser.h of TensorRT 10.16.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::tensorrt {

// Returns the number of an enumerator, such as 0 of FP16 in BuilderFlag. Asserts that the enumeration is known. Errors:
// invalid_input with the option and similar names.
base::Expected<int> find_enumerator(std::string_view enumeration, const std::string& name, std::string_view option);

// Returns the name of an enumerator, or the number as text if none has it. Asserts that the enumeration is known.
std::string enumerator_name(std::string_view enumeration, int number);

// Returns the number in DataType of a type as parse_type() returns it: 1 for "float16".
int data_type_number(std::string_view type);

}  // namespace assay::tensorrt
