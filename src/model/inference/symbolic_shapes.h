// Sizes of inputs from the names of their dimensions.
//
// ONNX lets a model name a dimension that it leaves open (dim_param, IR.md, "Static tensor shapes"): dimensions of one
// name have one size. Exporters also write sums and products of such names, as "past_sequence_length + 1".
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/shapes.h"

namespace assay::model {

// Returns `given`, shapes by input or by a wildcard for several inputs ("token_*"), with the shapes of wildcards also
// by input, and those of further inputs of the graph whose dimensions have the names of given ones, or are sums or
// products of names. A name has the size that the first given shape has for it; without one, 1. Inputs all of whose
// open dimensions would be 1 are left out.
std::map<std::string, std::vector<Dimension>> shapes_by_names(const onnx::GraphProto& graph,
                                                              std::map<std::string, std::vector<Dimension>> given);
// The same for inputs that are declared in this order.
using DeclaredShape = std::pair<std::string, std::vector<Dimension>>;  // by the name of the input
std::map<std::string, std::vector<Dimension>> shapes_by_names(std::vector<DeclaredShape> inputs,
                                                              std::map<std::string, std::vector<Dimension>> given);

}  // namespace assay::model
