#include "reduce/candidates/zeros.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "tensor/tensor.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

}  // namespace

std::optional<onnx::NodeProto> zeros_node(const onnx::ValueInfoProto& like) {
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.add_output(like.name());
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  onnx::TensorProto& zeros = *value.mutable_t();
  tensor::Shape shape;
  for (const auto& dim : like.type().tensor_type().shape().dim()) {
    shape.push_back(dim.has_dim_value() ? std::max<std::int64_t>(dim.dim_value(), 0) : 1);
  }
  for (const std::int64_t size : shape) zeros.add_dims(size);
  zeros.set_data_type(like.type().tensor_type().elem_type());
  const auto count = tensor::element_count(shape);
  const auto bytes =
      count ? tensor::byte_size(static_cast<tensor::ElementType>(zeros.data_type()), *count) : std::nullopt;
  if (!bytes || *bytes > kMostBytes) return std::nullopt;
  zeros.set_raw_data(std::string(*bytes, '\0'));
  return node;
}

}  // namespace assay::reduce
