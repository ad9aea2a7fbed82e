// The values of a TensorProto are in one of eight places: a file, raw_data, or a list of some C++ type. The lists of
// integers hold many element types: int32_data, for example, has one entry for each float16, and one for each byte of
// packed 4-bit values. Source: onnx.proto, message TensorProto.
#include "model/weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/external_data.h"

namespace assay::model {

using base::ErrorKind;
using base::fail;
using tensor::Buffer;
using tensor::ElementType;
using tensor::Tensor;

namespace {

// Packs 6-bit values, one entry of int32_data each, four to three bytes, low bits first.
std::string pack_six_bit(const google::protobuf::RepeatedField<std::int32_t>& values) {
  std::string packed((static_cast<std::size_t>(values.size()) * 6 + 7) / 8, '\0');
  const auto add = [&](std::size_t at, unsigned bits) {
    if (bits != 0) packed[at] = static_cast<char>(static_cast<unsigned>(packed[at]) | bits);
  };
  std::size_t bit = 0;
  for (const std::int32_t entry : values) {
    const unsigned value = (static_cast<unsigned>(entry) & 0x3F) << bit % 8;
    add(bit / 8, value & 0xFF);
    add(bit / 8 + 1, value >> 8);
    bit += 6;
  }
  return packed;
}

// Returns the list's entries, each cut to its low `width` bytes.
template <class List>
std::string cut_entries(const List& list, std::size_t width) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(list.size()) * width);
  for (const auto entry : list) bytes.append(reinterpret_cast<const char*>(&entry), width);
  return bytes;
}

// Returns the bytes of values stored in the message, in the form of raw_data.
std::string typed_bytes(const onnx::TensorProto& proto, ElementType type) {
  using enum ElementType;
  switch (type) {
    case float32:
    case complex64:
      return cut_entries(proto.float_data(), sizeof(float));
    case float64:
    case complex128:
      return cut_entries(proto.double_data(), sizeof(double));
    case int64:
      return cut_entries(proto.int64_data(), sizeof(std::int64_t));
    case uint32:
      return cut_entries(proto.uint64_data(), sizeof(std::uint32_t));
    case float6e2m3:
    case float6e3m2:
      return pack_six_bit(proto.int32_data());
    case uint64:
      return cut_entries(proto.uint64_data(), sizeof(std::uint64_t));
    default:
      return cut_entries(proto.int32_data(), std::max<std::size_t>(1, tensor::info(type).bits / 8));
  }
}

base::Expected<Tensor> read_external(const Model& model, const onnx::TensorProto& proto) {
  if (model.weights_ignored && !was_inline(proto)) {
    return fail(ErrorKind::unsupported, "the values are external data, which was not loaded", {}, kLoadExternalData);
  }
  ASSAY_ASSIGN(const ExternalData data, external_data(proto));
  ASSAY_ASSIGN(const FileRange range, find_range(*model.files, data, proto));
  return Tensor::make(element_type(proto), shape(proto),
                      Buffer(range.file->bytes().subspan(range.offset, range.length), range.file));
}

base::Expected<Tensor> read_values(const Model& model, const onnx::TensorProto& proto) {
  const ElementType type = element_type(proto);
  if (type == ElementType::undefined) {
    return fail(ErrorKind::invalid_input, fmt::format("unknown element type {}", proto.data_type()));
  }
  if (proto.has_segment()) return fail(ErrorKind::unsupported, "the tensor is stored in segments");
  if (is_external(proto)) return read_external(model, proto);
  if (type == ElementType::string) {
    return Tensor::make_strings(shape(proto), {proto.string_data().begin(), proto.string_data().end()});
  }
  if (has_no_values(proto)) {
    return fail(ErrorKind::invalid_input, "the weight has no values", {},
                "If they were stripped, `assay surgeon weight-reconstruct` fills in others");
  }
  return Tensor::make(type, shape(proto),
                      Buffer::own(proto.has_raw_data() ? proto.raw_data() : typed_bytes(proto, type)));
}

}  // namespace

ElementType element_type(const onnx::TensorProto& proto) {
  return tensor::info(static_cast<ElementType>(proto.data_type())).type;
}

tensor::Shape shape(const onnx::TensorProto& proto) {
  return {proto.dims().begin(), proto.dims().end()};
}

std::uint64_t data_bytes(const onnx::TensorProto& proto) {
  const auto count = tensor::element_count(shape(proto));
  const auto bytes = count ? tensor::byte_size(element_type(proto), *count) : std::nullopt;
  return bytes.value_or(0);
}

bool has_no_values(const onnx::TensorProto& proto) {
  const bool has_list = proto.float_data_size() + proto.int32_data_size() + proto.int64_data_size() +
                            proto.double_data_size() + proto.uint64_data_size() >
                        0;
  // Polygraphy empties the raw data of weights that have a list, and leaves the list. Raw data counts first.
  const bool has_values = proto.has_raw_data() ? !proto.raw_data().empty() : has_list;
  return data_bytes(proto) > 0 && !is_external(proto) && !has_values;
}

base::Expected<Tensor> read_weight(const Model& model, const onnx::TensorProto& proto) {
  auto tensor = read_values(model, proto);
  if (tensor) return tensor;
  base::Error error = std::move(tensor).error();
  const std::string name = fmt::format("tensor '{}'", proto.name());
  if (!error.where.starts_with(name)) error = std::move(error).within(name);
  return fail(std::move(error));
}

onnx::TensorProto to_proto(const std::string& name, const Tensor& tensor) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(static_cast<std::int32_t>(tensor.type()));
  for (const std::int64_t dim : tensor.shape()) proto.add_dims(dim);
  if (tensor.type() == ElementType::string) {
    for (const std::string& value : tensor.strings()) proto.add_string_data(value);
  } else {
    proto.set_raw_data(std::string(tensor.buffer().view()));
  }
  return proto;
}

}  // namespace assay::model
