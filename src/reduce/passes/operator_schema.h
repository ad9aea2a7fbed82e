// What ONNX says of a node's operator in the version that the model imports.
#pragma once

#include <onnx/defs/schema.h>

#include "model/model.h"

namespace assay::reduce {

// Null for operators that ONNX does not know, for calls of local functions, and where the model does not import the
// domain.
const onnx::OpSchema* operator_schema(const model::Model& model, const onnx::NodeProto& node);

// Inputs (outputs) beyond the last formal one are further ones of it. Null where the operator takes none there.
const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int index);
const onnx::OpSchema::FormalParameter* formal_output(const onnx::OpSchema& schema, int index);

// The operator's first output has the type and shape of its first input, whatever these and its attributes are.
bool keeps_type(const onnx::NodeProto& node);

}  // namespace assay::reduce
