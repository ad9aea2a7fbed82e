// Describes the values of a model: types, value infos, weights.
#pragma once

#include <string>

#include "inspect/model_description.h"

namespace onnx {
class TensorProto;
class SparseTensorProto;
class TypeProto;
class ValueInfoProto;
}  // namespace onnx

namespace assay::inspect {

// Returns "float32" for a tensor, otherwise "sequence(tensor(float32))", "optional(...)", "map(int64, ...)" or
// "sparse_tensor(float32)"; empty if the message declares no type.
std::string type_text(const onnx::TypeProto& type);

ValueDescription describe_value(const onnx::ValueInfoProto& value);
ValueDescription describe_value(const onnx::TensorProto& initializer);
ValueDescription describe_value(const onnx::SparseTensorProto& initializer);

// With `values`, also reads the weight's values, and the indices of a sparse one, through model::read_weight.
WeightDescription describe_weight(const model::Model& model, const onnx::TensorProto& weight, bool values);
WeightDescription describe_weight(const model::Model& model, const onnx::SparseTensorProto& weight, bool values);

}  // namespace assay::inspect
