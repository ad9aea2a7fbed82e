// Guesses an element type for an input about which nothing is known.
#pragma once

#include <cstdint>

#include "edit/subject.h"

namespace assay::edit {

// Returns the ONNX element type (TensorProto::DataType) that the tensor most probably has, judged by its readers:
// float32 if each of them accepts it or is unknown to ONNX, else the first type that the first known reader accepts.
std::int32_t assumed_type(const Subject& subject, TensorId tensor);

}  // namespace assay::edit
