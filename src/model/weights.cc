// Values of a TensorProto are in one of eight places: a file, raw_data, or a list of some C++ type. The lists of
// integers hold many element types: int32_data, for example, has one entry for each float16, and one for each byte of
// packed 4-bit values. Source: onnx.proto, message TensorProto.
#include "model/weights.h"

#include <fmt/format.h>

#include <vector>

#include "model/external_data.h"

namespace assay::model {

using base::ErrorKind;
using base::fail;
using tensor::Buffer;
using tensor::ElementType;
using tensor::Tensor;

namespace {

bool is_six_bit(ElementType type) {
  return type == ElementType::float6e2m3 || type == ElementType::float6e3m2;
}

// Four 6-bit values are packed in three bytes, low bits first; in memory each has a byte.
std::string unpack_six_bit(std::string_view packed, std::uint64_t count) {
  std::string values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bit = 6 * i;
    const auto byte = [&](std::uint64_t at) {
      return at < packed.size() ? static_cast<unsigned>(static_cast<std::uint8_t>(packed[at])) : 0U;
    };
    const unsigned pair = byte(bit / 8) | byte(bit / 8 + 1) << 8;
    values.push_back(static_cast<char>(pair >> bit % 8 & 0x3F));
  }
  return values;
}

std::string pack_six_bit(std::string_view values) {
  std::string packed((values.size() * 6 + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t bit = 6 * i;
    const unsigned value = (static_cast<unsigned>(static_cast<std::uint8_t>(values[i])) & 0x3F) << bit % 8;
    packed[bit / 8] = static_cast<char>(static_cast<unsigned>(packed[bit / 8]) | (value & 0xFF));
    if (value > 0xFF) packed[bit / 8 + 1] = static_cast<char>(value >> 8);
  }
  return packed;
}

// The list's entries, each cut to its low `width` bytes.
template <class List>
std::string cut_entries(const List& list, std::size_t width) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(list.size()) * width);
  for (const auto entry : list) bytes.append(reinterpret_cast<const char*>(&entry), width);
  return bytes;
}

// The bytes of the values where they are in the message, as raw_data would have them (6-bit types: a byte for each
// value).
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
    case uint64:
      return cut_entries(proto.uint64_data(), sizeof(std::uint64_t));
    default:
      return cut_entries(proto.int32_data(), std::max<std::size_t>(1, tensor::info(type).bits / 8));
  }
}

base::Expected<Tensor> make(ElementType type, tensor::Shape shape, Buffer data) {
  if (is_six_bit(type)) {
    const std::uint64_t count = tensor::element_count(shape).value_or(0);
    if (data.bytes().size() == (count * 6 + 7) / 8) data = Buffer::own(unpack_six_bit(data.view(), count));
  }
  return Tensor::make(type, std::move(shape), std::move(data));
}

base::Expected<Tensor> read_external(const Model& model, const onnx::TensorProto& proto) {
  if (model.weights_ignored && !was_inline(proto)) {
    return fail(ErrorKind::unsupported, "the values are external data, which was not loaded", {},
                "Run without --ignore-external-data");
  }
  ASSAY_ASSIGN(const ExternalData data, external_data(proto));
  ASSAY_ASSIGN(const FileRange range, find_range(*model.files, data, proto));
  return make(element_type(proto), shape(proto),
              Buffer(range.file->bytes().subspan(range.offset, range.length), range.file));
}

base::Expected<Tensor> read_values(const Model& model, const onnx::TensorProto& proto) {
  const ElementType type = element_type(proto);
  if (type == ElementType::undefined) {
    return fail(ErrorKind::invalid_input, fmt::format("the element type {} is not known", proto.data_type()));
  }
  if (proto.has_segment()) return fail(ErrorKind::unsupported, "the tensor is stored in segments");
  if (is_external(proto)) return read_external(model, proto);
  if (type == ElementType::string) {
    return Tensor::make_strings(shape(proto), {proto.string_data().begin(), proto.string_data().end()});
  }
  if (proto.has_raw_data()) return make(type, shape(proto), Buffer::own(proto.raw_data()));
  return Tensor::make(type, shape(proto), Buffer::own(typed_bytes(proto, type)));
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
  if (!bytes) return 0;
  return is_six_bit(element_type(proto)) ? (*count * 6 + 7) / 8 : *bytes;
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
    const std::string_view bytes = tensor.buffer().view();
    proto.set_raw_data(is_six_bit(tensor.type()) ? pack_six_bit(bytes) : std::string(bytes));
  }
  return proto;
}

}  // namespace assay::model
