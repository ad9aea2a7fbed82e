// Parses attributes of a node from the command line: "axis=1", "mode=linear", "pads=[0,0,1,1]".
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::cli {

// Parses "name=value". A value is an integer (5), a number (5.0, 1e-3, inf), a string in quotes ('5'), a list of values
// of one kind ([1,2], ['a','b']; integers among numbers become numbers, [] is a list of integers), or else a string
// (linear). `option` is named in errors, which are all invalid_input: no name, a name that is given twice, a list of
// mixed kinds or without its closing bracket, or an integer beyond 64 bits.
base::Expected<std::vector<onnx::AttributeProto>> parse_attributes(const std::vector<std::string>& values,
                                                                   std::string_view option);

}  // namespace assay::cli
