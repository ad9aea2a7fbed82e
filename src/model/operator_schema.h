// ONNX's schema of a node's operator, in the version that the model imports.
#pragma once

#include <onnx/defs/schema.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/model.h"
#include "model/onnx_facts.h"

namespace assay::model {

// Returns the schema in the version that a model or a function imports, or null if ONNX doesn't know the operator or
// the domain isn't imported. Doesn't ask whether the node calls a local function.
template <class ModelOrFunction>
const onnx::OpSchema* standard_schema(const ModelOrFunction& importer, const onnx::NodeProto& node) {
  const std::string domain = domain_key(node.domain());
  const int version = opset_version(importer, domain);
  return version > 0 ? onnx::OpSchemaRegistry::Schema(node.op_type(), version, domain) : nullptr;
}

// Returns the schema, or null if ONNX doesn't know the operator, the node calls a local function, or the model doesn't
// import the domain.
const onnx::OpSchema* operator_schema(const Model& model, const onnx::NodeProto& node);

// Return the formal parameter of an input (output). Positions beyond the last one belong to it if it is variadic;
// otherwise null.
const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int index);
const onnx::OpSchema::FormalParameter* formal_output(const onnx::OpSchema& schema, int index);

// Returns the only element type that a formal parameter can have, or nothing if it can have several or takes no tensor.
std::optional<std::int32_t> only_type(const onnx::OpSchema::FormalParameter& formal);

// Returns a tensor's element type (onnx::TensorProto::DataType), or nothing if it is unknown or the value isn't a
// tensor (a sequence, for example).
using ElementTypeOf = std::function<std::optional<std::int32_t>(const std::string& tensor)>;

// Returns an output's element type by the operator's type constraints alone. They still determine it if shape inference
// fails, for example because of an invalid attribute. Returns nothing if they leave it open.
std::optional<std::int32_t> signature_type(const Model& model, const onnx::NodeProto& node, int output,
                                           const ElementTypeOf& type_of);

}  // namespace assay::model
