// The pieces of a description that stand for values: types, value infos, weights.
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

// "float32" for a tensor, "sequence(tensor(float32))", "optional(...)", "map(int64, ...)", "sparse_tensor(float32)" for
// others; empty where the message says nothing.
std::string type_text(const onnx::TypeProto& type);

ValueDescription describe_value(const onnx::ValueInfoProto& value);
ValueDescription describe_value(const onnx::TensorProto& initializer);

// With `values`, reads them through model::read_weight.
WeightDescription describe_weight(const model::Model& model, const onnx::TensorProto& weight, bool values);
WeightDescription describe_weight(const model::Model& model, const onnx::SparseTensorProto& weight, bool values);

}  // namespace assay::inspect
