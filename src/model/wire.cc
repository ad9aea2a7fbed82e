#include "model/wire.h"

#include <onnx/onnx_pb.h>

#include <array>

namespace assay::model::wire {

std::optional<std::uint64_t> read_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) return std::nullopt;
    const auto byte = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<Field> FieldReader::next() {
  if (rest_.empty() || broken_) return std::nullopt;
  const std::string_view start = rest_;
  broken_ = true;  // until the whole field is read
  const auto number = [&] {
    const auto value = read_varint(rest_);
    overruns_ |= !value && rest_.empty();
    return value;
  };
  const auto tag = number();
  if (!tag || *tag >> 3 == 0 || *tag >> 32 != 0) return std::nullopt;
  Field field;
  field.number = static_cast<std::uint32_t>(*tag >> 3);
  field.type = static_cast<Type>(*tag & 7);
  std::uint64_t length = 0;
  switch (field.type) {
    case Type::varint: {
      const std::string_view before = rest_;
      const auto value = number();
      if (!value) return std::nullopt;
      field.value = *value;
      field.content = before.substr(0, before.size() - rest_.size());
      break;
    }
    case Type::fixed64:
      length = 8;
      break;
    case Type::fixed32:
      length = 4;
      break;
    case Type::bytes: {
      const auto value = number();
      if (!value) return std::nullopt;
      length = *value;
      break;
    }
    default:
      return std::nullopt;  // a group, which ONNX does not use, or an invalid type
  }
  if (length > rest_.size()) {
    overruns_ = true;
    return std::nullopt;
  }
  if (field.type != Type::varint) {
    field.content = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }
  field.whole = start.substr(0, start.size() - rest_.size());
  broken_ = false;
  return field;
}

std::optional<Message> message_of(Message parent, std::uint32_t field_number) {
  struct Row {
    Message parent;
    std::uint32_t number;
    Message child;
  };
  static constexpr std::array kRows = {
      Row{Message::graph, onnx::GraphProto::kNodeFieldNumber, Message::node},
      Row{Message::graph, onnx::GraphProto::kInitializerFieldNumber, Message::tensor},
      Row{Message::graph, onnx::GraphProto::kSparseInitializerFieldNumber, Message::sparse_tensor},
      Row{Message::node, onnx::NodeProto::kAttributeFieldNumber, Message::attribute},
      Row{Message::attribute, onnx::AttributeProto::kTFieldNumber, Message::tensor},
      Row{Message::attribute, onnx::AttributeProto::kGFieldNumber, Message::graph},
      Row{Message::attribute, onnx::AttributeProto::kTensorsFieldNumber, Message::tensor},
      Row{Message::attribute, onnx::AttributeProto::kGraphsFieldNumber, Message::graph},
      Row{Message::attribute, onnx::AttributeProto::kSparseTensorFieldNumber, Message::sparse_tensor},
      Row{Message::attribute, onnx::AttributeProto::kSparseTensorsFieldNumber, Message::sparse_tensor},
      Row{Message::sparse_tensor, onnx::SparseTensorProto::kValuesFieldNumber, Message::tensor},
      Row{Message::sparse_tensor, onnx::SparseTensorProto::kIndicesFieldNumber, Message::tensor},
      Row{Message::function, onnx::FunctionProto::kNodeFieldNumber, Message::node},
      Row{Message::function, onnx::FunctionProto::kAttributeProtoFieldNumber, Message::attribute},
      Row{Message::model, onnx::ModelProto::kGraphFieldNumber, Message::graph},
      Row{Message::model, onnx::ModelProto::kTrainingInfoFieldNumber, Message::training_info},
      Row{Message::model, onnx::ModelProto::kFunctionsFieldNumber, Message::function},
      Row{Message::training_info, onnx::TrainingInfoProto::kInitializationFieldNumber, Message::graph},
      Row{Message::training_info, onnx::TrainingInfoProto::kAlgorithmFieldNumber, Message::graph},
  };
  for (const Row& row : kRows) {
    if (row.parent == parent && row.number == field_number) return row.child;
  }
  return std::nullopt;
}

void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void append_header(std::string& out, std::uint32_t field_number, std::uint64_t length) {
  append_varint(out, static_cast<std::uint64_t>(field_number) << 3 | static_cast<std::uint64_t>(Type::bytes));
  append_varint(out, length);
}

void append_bytes(std::string& out, std::uint32_t field_number, std::string_view content) {
  append_header(out, field_number, content.size());
  out.append(content);
}

}  // namespace assay::model::wire
