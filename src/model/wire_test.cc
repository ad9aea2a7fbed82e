#include "model/wire.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <limits>

namespace assay::model::wire {
namespace {

TEST(FieldReader, ReadsEveryKindOfField) {
  onnx::AttributeProto attribute;
  attribute.set_name("alpha");
  attribute.set_f(1.5F);
  attribute.set_i(-1);
  const std::string bytes = attribute.SerializeAsString();
  FieldReader reader(bytes);
  std::string whole;
  auto field = reader.next();
  ASSERT_TRUE(field);
  EXPECT_EQ(field->number, 1u);
  EXPECT_EQ(field->content, "alpha");
  whole += field->whole;
  field = reader.next();
  ASSERT_TRUE(field);
  EXPECT_EQ(field->type, Type::fixed32);
  whole += field->whole;
  field = reader.next();
  ASSERT_TRUE(field);
  EXPECT_EQ(static_cast<std::int64_t>(field->value), -1);
  whole += field->whole;
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.ended());
  EXPECT_EQ(whole, bytes);
}

TEST(FieldReader, DetectsTruncatedMessages) {
  onnx::NodeProto node;
  node.set_op_type("Conv");
  const std::string bytes = node.SerializeAsString();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    FieldReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.ended());
    EXPECT_TRUE(reader.overruns()) << size;
    EXPECT_FALSE(reader.next()) << "it stays at the error";
  }
}

TEST(FieldReader, RejectsGroupsFieldZeroAndEndlessNumbers) {
  for (const std::string& bytes : {std::string("\x0b\x0c"), std::string("\x00\x01", 2), std::string(11, '\xff')}) {
    FieldReader reader(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.ended());
    EXPECT_FALSE(reader.overruns());
  }
}

TEST(Varint, ComesBack) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 35,
                                    std::numeric_limits<std::uint64_t>::max()}) {
    std::string bytes;
    append_varint(bytes, value);
    std::string_view rest = bytes;
    EXPECT_EQ(read_varint(rest), value);
    EXPECT_TRUE(rest.empty());
  }
}

// Compares the table of message_of() with the field numbers in the code generated from onnx.proto.
TEST(MessageOf, AgreesWithTheSchema) {
  const std::map<std::string, Message> kinds = {{"ModelProto", Message::model},
                                                {"TrainingInfoProto", Message::training_info},
                                                {"FunctionProto", Message::function},
                                                {"GraphProto", Message::graph},
                                                {"NodeProto", Message::node},
                                                {"AttributeProto", Message::attribute},
                                                {"SparseTensorProto", Message::sparse_tensor},
                                                {"TensorProto", Message::tensor}};
  int checked = 0;
  for (const auto& [name, kind] : kinds) {
    const auto* type = onnx::ModelProto::descriptor()->file()->FindMessageTypeByName(name);
    ASSERT_NE(type, nullptr) << name;
    for (int i = 0; i < type->field_count(); ++i) {
      const auto* field = type->field(i);
      const auto* child = field->message_type();
      const auto at = child == nullptr ? kinds.end() : kinds.find(child->name());
      const auto expected = at == kinds.end() ? std::nullopt : std::optional(at->second);
      EXPECT_EQ(message_of(kind, static_cast<std::uint32_t>(field->number())), expected) << field->full_name();
      ++checked;
    }
  }
  EXPECT_GT(checked, 60);
}

}  // namespace
}  // namespace assay::model::wire
