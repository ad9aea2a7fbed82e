// Guesses the ranks that ONNX doesn't infer: of what unknown operators compute, and of what Loops carry.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <map>
#include <string>

#include "model/model.h"

namespace assay::edit {

// Returns what is known of a tensor, or null.
using KnownTensor = std::function<const onnx::ValueInfoProto*(const std::string& name)>;

// Returns type and rank, without sizes, for tensors of the graph whose rank isn't known. An operator is assumed to keep
// the rank of its first input that has one, and a Loop that of each tensor that it carries; ranks of what other nodes
// compute from the results are inferred. Tensors of unknown type get no guess.
//
// Good enough only for outputs: ONNX's checker demands a rank for them, but engines take it from the operator.
std::map<std::string, onnx::ValueInfoProto> guess_ranks(const model::Model& model, const KnownTensor& known);

}  // namespace assay::edit
