// Field numbers are those of onnx.proto.
#include "onnx_model.h"

#include <algorithm>
#include <cstring>

#include "model/wire.h"

namespace fake_tensorrt {
namespace {

using assay::model::wire::Field;
using assay::model::wire::FieldReader;
using assay::model::wire::Type;

template <class T>
void append(std::string& bytes, T element) {
  bytes.append(reinterpret_cast<const char*>(&element), sizeof element);
}

// Appends the numbers of a repeated field, which is packed or has one number.
void read_numbers(const Field& field, std::vector<std::int64_t>& numbers) {
  if (field.type == Type::varint) {
    numbers.push_back(static_cast<std::int64_t>(field.value));
    return;
  }
  for (std::string_view rest = field.content; !rest.empty();) {
    const auto number = assay::model::wire::read_varint(rest);
    if (!number) return;
    numbers.push_back(static_cast<std::int64_t>(*number));
  }
}

void read_external(std::string_view entry, OnnxTensor& tensor) {
  std::string key;
  std::string value;
  for (FieldReader fields(entry); const auto field = fields.next();) {
    if (field->number == 1) key = field->content;
    if (field->number == 2) value = field->content;
  }
  if (key == "location") tensor.location = value;
  if (key == "offset") tensor.offset = std::strtoull(value.c_str(), nullptr, 10);
  if (key == "length") tensor.length = std::strtoull(value.c_str(), nullptr, 10);
}

// Writes the elements of int32_data with the size of the tensor's type.
void append_narrow(const std::vector<std::int64_t>& numbers, OnnxTensor& tensor) {
  constexpr int kUint8 = 2;
  constexpr int kInt8 = 3;
  constexpr int kInt32 = 6;
  constexpr int kBool = 9;
  for (const std::int64_t number : numbers) {
    if (tensor.type == kInt32) {
      append(tensor.bytes, static_cast<std::int32_t>(number));
    } else if (tensor.type == kUint8 || tensor.type == kInt8 || tensor.type == kBool) {
      append(tensor.bytes, static_cast<std::uint8_t>(number));
    } else {
      append(tensor.bytes, static_cast<std::uint16_t>(number));  // float16 and bfloat16
    }
  }
}

OnnxTensor read_tensor(std::string_view bytes) {
  OnnxTensor tensor;
  std::vector<std::int64_t> narrow;
  std::vector<std::int64_t> wide;
  for (FieldReader fields(bytes); const auto field = fields.next();) {
    switch (field->number) {
      case 1:
        read_numbers(*field, tensor.dims);
        break;
      case 2:
        tensor.type = static_cast<int>(field->value);
        break;
      case 4:  // float_data has the same bytes packed and single
      case 9:
        tensor.bytes += field->content;
        break;
      case 5:
        read_numbers(*field, narrow);
        break;
      case 7:
        read_numbers(*field, wide);
        break;
      case 8:
        tensor.name = field->content;
        break;
      case 13:
        read_external(field->content, tensor);
        break;
      default:
        break;
    }
  }
  append_narrow(narrow, tensor);
  for (const std::int64_t number : wide) append(tensor.bytes, number);
  return tensor;
}

std::int64_t read_dim(std::string_view dimension) {
  std::int64_t size = -1;
  for (FieldReader fields(dimension); const auto field = fields.next();) {
    if (field->number == 1) size = static_cast<std::int64_t>(field->value);
  }
  return size;
}

// Descends through ValueInfoProto.type (2), TypeProto.tensor_type (1), and its elem_type (1) and shape (2).
OnnxValueInfo read_value_info(std::string_view bytes) {
  OnnxValueInfo info;
  std::string_view type;
  for (FieldReader fields(bytes); const auto field = fields.next();) {
    if (field->number == 1) info.name = field->content;
    if (field->number == 2) type = field->content;
  }
  std::string_view tensor_type;
  for (FieldReader fields(type); const auto field = fields.next();) {
    if (field->number == 1) tensor_type = field->content;
  }
  for (FieldReader fields(tensor_type); const auto field = fields.next();) {
    if (field->number == 1) info.type = static_cast<int>(field->value);
    if (field->number != 2) continue;
    for (FieldReader dims(field->content); const auto dim = dims.next();) {
      if (dim->number == 1) info.dims.push_back(read_dim(dim->content));
    }
  }
  return info;
}

float float_of(std::string_view bytes) {
  float number = 0;
  if (bytes.size() >= sizeof number) std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

// AttributeProto: f (2), i (3), s (4), t (5), floats (7) and ints (8).
void read_attribute(std::string_view bytes, OnnxNode& node) {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::int64_t> whole;
  for (FieldReader fields(bytes); const auto field = fields.next();) {
    if (field->number == 1) name = field->content;
    if (field->number == 3 || field->number == 8) read_numbers(*field, whole);
    if (field->number == 4 && name == "auto_pad") node.auto_pad = field->content;
    if (field->number == 5) node.value = read_tensor(field->content);
    if (field->number != 2 && field->number != 7) continue;
    for (std::string_view rest = field->content; rest.size() >= sizeof(float); rest.remove_prefix(sizeof(float))) {
      numbers.push_back(static_cast<double>(float_of(rest)));
    }
  }
  numbers.insert(numbers.end(), whole.begin(), whole.end());
  if (!numbers.empty()) node.attributes[name] = numbers;
}

OnnxNode read_node(std::string_view bytes) {
  OnnxNode node;
  for (FieldReader fields(bytes); const auto field = fields.next();) {
    if (field->number == 1) node.inputs.emplace_back(field->content);
    if (field->number == 2) node.outputs.emplace_back(field->content);
    if (field->number == 3) node.name = field->content;
    if (field->number == 4) node.op_type = field->content;
    if (field->number == 5) read_attribute(field->content, node);
    if (field->number == 7) node.domain = field->content;
  }
  return node;
}

// OperatorSetIdProto: domain (1) and version (2).
void read_opset(std::string_view bytes, OnnxModel& model) {
  std::int64_t version = 0;
  bool is_own = true;
  for (FieldReader fields(bytes); const auto field = fields.next();) {
    if (field->number == 1) is_own = field->content.empty() || field->content == "ai.onnx";
    if (field->number == 2) version = static_cast<std::int64_t>(field->value);
  }
  if (is_own) model.opset = version;
}

}  // namespace

std::optional<OnnxModel> read_onnx_model(std::string_view bytes) {
  std::string_view graph;
  FieldReader fields(bytes);
  OnnxModel model;
  while (const auto field = fields.next()) {
    if (field->number == 7) graph = field->content;
    if (field->number == 8) read_opset(field->content, model);
  }
  FieldReader parts(graph);
  while (const auto part = parts.next()) {
    if (part->number == 1) model.nodes.push_back(read_node(part->content));
    if (part->number == 2) model.graph_name = part->content;
    if (part->number == 5) model.initializers.push_back(read_tensor(part->content));
    if (part->number == 11) model.inputs.push_back(read_value_info(part->content));
    if (part->number == 12) model.outputs.push_back(read_value_info(part->content).name);
  }
  if (graph.empty() || !fields.ended() || !parts.ended()) return std::nullopt;
  std::erase_if(model.inputs, [&](const OnnxValueInfo& input) {
    return std::any_of(model.initializers.begin(), model.initializers.end(),
                       [&](const OnnxTensor& tensor) { return tensor.name == input.name; });
  });
  return model;
}

}  // namespace fake_tensorrt
