// What ONNX says of a node's operator in the version that the model imports.
#pragma once

#include <onnx/defs/schema.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/model.h"

namespace assay::model {

// Null for operators that ONNX does not know, for calls of local functions, and where the model does not import the
// domain.
const onnx::OpSchema* operator_schema(const Model& model, const onnx::NodeProto& node);

// Inputs (outputs) beyond the last formal one are further ones of it. Null where the operator takes none there.
const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int index);
const onnx::OpSchema::FormalParameter* formal_output(const onnx::OpSchema& schema, int index);

// An element type (onnx::TensorProto::DataType) of a tensor that is no sequence or the like; none where it is not
// known.
using ElementTypeOf = std::function<std::optional<std::int32_t>(const std::string& tensor)>;

// The element type of an output by the operator's type constraints alone: where its shape inference fails, as with an
// attribute that makes no sense, they still say what it is made of. None where they leave it open.
std::optional<std::int32_t> signature_type(const Model& model, const onnx::NodeProto& node, int output,
                                           const ElementTypeOf& type_of);

}  // namespace assay::model
