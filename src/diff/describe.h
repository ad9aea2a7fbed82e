// Texts for the parts of a model that changes name.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "diff/model_diff.h"

namespace assay::diff {

Item node_item(const onnx::NodeProto& node, int index);

// Returns a type with its shape, such as "float32 (1, 3, N)" or "sequence(tensor(float32))"; with an unknown rank only
// the type, and without a type "unknown". With `symbols` false, symbolic and unknown dimensions are "?" alike.
std::string type_and_shape(const onnx::TypeProto& type, bool symbols);
std::string type_and_shape(const onnx::TensorProto& tensor);
std::string type_and_shape(const onnx::SparseTensorProto& tensor);

// Returns an attribute's value; that of a body is its number of nodes.
std::string attribute_text(const onnx::AttributeProto& attribute);

// Returns the names of device configurations, such as "['tensor', 'pipeline']", those that a model defines or that a
// node refers to.
std::string configurations_text(const google::protobuf::RepeatedPtrField<onnx::DeviceConfigurationProto>& all);
std::string configurations_text(const google::protobuf::RepeatedPtrField<onnx::NodeDeviceConfigurationProto>& all);

// Returns the text in quotes, without line breaks, cut after some 60 bytes.
std::string quoted(const std::string& text);

}  // namespace assay::diff
