// Walks the wire format instead of parsing the model with protobuf, which would copy all weights. Field numbers are
// those of onnx.proto.
#include "backend/serve/model_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/mapped_file.h"
#include "model/wire.h"

namespace assay::backend {
namespace {

using model::wire::Field;
using model::wire::FieldReader;
using worker::Port;

constexpr int kMostDepth = 16;  // of nested types

// Returns the last field of that number, as protobuf does if a field that isn't repeated occurs twice.
std::string_view last(std::string_view message, std::uint32_t number) {
  std::string_view found;
  for (FieldReader fields(message); const auto field = fields.next();) {
    if (field->number == number) found = field->content;
  }
  return found;
}

void read_shape(std::string_view shape, std::vector<std::int64_t>& dims) {
  for (FieldReader fields(shape); const auto field = fields.next();) {
    if (field->number != 1) continue;
    std::int64_t size = -1;
    for (FieldReader parts(field->content); const auto part = parts.next();) {
      if (part->number == 1) size = std::max<std::int64_t>(-1, static_cast<std::int64_t>(part->value));
      if (part->number == 2) size = -1;
    }
    dims.push_back(size);
  }
}

void read_tensor_type(std::string_view type, Port& port) {
  for (FieldReader fields(type); const auto field = fields.next();) {
    if (field->number == 1) port.type = tensor::info(static_cast<tensor::ElementType>(field->value)).type;
    if (field->number == 2) read_shape(field->content, port.shape);
  }
}

void read_type(std::string_view type, Port& port, int depth);

// Sets a kind such as "sequence(tensor(float32))". An optional, but not a sequence, keeps its content's type and shape.
void read_container(std::string_view container, const char* name, bool keeps_type, Port& port, int depth) {
  Port inner;
  read_type(last(container, 1), inner, depth + 1);
  const std::string what = inner.kind == "tensor" ? fmt::format("tensor({})", tensor::name(inner.type)) : inner.kind;
  port.kind = fmt::format("{}({})", name, what);
  if (!keeps_type) return;
  port.type = inner.type;
  port.shape = std::move(inner.shape);
}

void read_type(std::string_view type, Port& port, int depth) {
  if (depth > kMostDepth) return;
  for (FieldReader fields(type); const auto field = fields.next();) {
    switch (field->number) {
      case 1:
        read_tensor_type(field->content, port);
        break;
      case 4:
        read_container(field->content, "sequence", false, port, depth);
        break;
      case 5:
        port.kind = "map";
        break;
      case 7:
        port.kind = "opaque";
        break;
      case 8:
        read_tensor_type(field->content, port);
        port.kind = fmt::format("sparse_tensor({})", tensor::name(port.type));
        break;
      case 9:
        read_container(field->content, "optional", true, port, depth);
        break;
      default:
        break;
    }
  }
}

Port read_value_info(std::string_view value_info) {
  Port port;
  port.name = last(value_info, 1);
  read_type(last(value_info, 2), port, 0);
  return port;
}

}  // namespace

Answer<ModelPorts> read_model_ports(std::string_view model) {
  constexpr std::uint32_t kTensorName = 8;
  std::string_view graph;
  FieldReader fields(model);
  while (const auto field = fields.next()) {
    if (field->number == 7) graph = field->content;
  }
  ModelPorts ports;
  std::set<std::string, std::less<>> initializers;
  FieldReader parts(graph);
  while (const auto part = parts.next()) {
    if (part->number == 5) initializers.emplace(last(part->content, kTensorName));
    if (part->number == 15) initializers.emplace(last(last(part->content, 1), kTensorName));
    if (part->number == 11) ports.inputs.push_back(read_value_info(part->content));
    if (part->number == 12) ports.outputs.push_back(read_value_info(part->content));
  }
  if (!fields.ended() || !parts.ended() || graph.empty()) {
    return refuse(worker::Phase::load, 0, "the model is damaged or not an ONNX model");
  }
  std::erase_if(ports.inputs, [&](const Port& port) { return initializers.contains(port.name); });
  return ports;
}

Answer<ModelPorts> read_model_ports(const worker::ModelSource& model) {
  if (const auto* bytes = std::get_if<worker::ModelBytes>(&model)) return read_model_ports(bytes->bytes.view());
  const auto file = base::MappedFile::open(std::get<worker::ModelFile>(model).path);
  if (!file) return refuse(worker::Phase::load, 0, file.error().message());
  (*file)->expect_sparse_access(true);
  const auto bytes = (*file)->bytes();
  return read_model_ports(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace assay::backend
