#include "model/weights.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/strings.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::HasSubstr;

// Returns the elements unpacked, as NumPy stores them: at least one byte each.
std::string as_numpy_hex(const Tensor& tensor) {
  const auto& info = tensor::info(tensor.type());
  std::string hex;
  const auto add = [&](unsigned byte) { hex += fmt::format("{:02x}", byte & 0xFF); };
  if (info.bits >= 8) {
    for (const std::byte byte : tensor.bytes()) add(static_cast<unsigned>(byte));
    return hex;
  }
  const auto bits = static_cast<unsigned>(info.bits);
  for (std::uint64_t i = 0; i < tensor.size(); ++i) {
    unsigned value = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const unsigned at = static_cast<unsigned>(i) * bits + bit;
      value |= (static_cast<unsigned>(tensor.bytes()[at / 8]) >> at % 8 & 1U) << bit;
    }
    add(value);
  }
  return hex;
}

const Model& element_types() {
  static const Model model = load(test::models_dir() / "element_types.onnx").value();
  return model;
}

const onnx::TensorProto& initializer(const Model& model, const std::string& name) {
  for (const auto& tensor : model.graph().initializer()) {
    if (tensor.name() == name) return tensor;
  }
  ADD_FAILURE() << "no initializer " << name;
  return onnx::TensorProto::default_instance();
}

// The expected values were read from the same tensors by the onnx Python package (tests/models/make_element_types.py).
TEST(ReadWeight, ReadsAllTypesInAllFormsAsNumpyDoes) {
  std::map<std::string, std::string> expected;
  for (const auto& entry : element_types().proto.metadata_props()) expected[entry.key()] = entry.value();
  ASSERT_EQ(expected.size(), 60u);
  std::set<ElementType> seen;
  for (const auto& proto : element_types().graph().initializer()) {
    SCOPED_TRACE(proto.name());
    const auto tensor = read_weight(element_types(), proto);
    ASSERT_TRUE(tensor) << tensor.error().message();
    seen.insert(tensor->type());
    EXPECT_EQ(tensor->shape(), shape(proto));
    if (tensor->type() == ElementType::string) {
      EXPECT_EQ(base::join(tensor->strings(), "|"), expected[proto.name()]);
    } else {
      EXPECT_EQ(as_numpy_hex(*tensor), expected[proto.name()]);
    }
  }
  EXPECT_EQ(seen.size(), tensor::element_types().size() - 1) << "all but undefined";
}

TEST(ToProto, ReversesFromProto) {
  for (const auto& proto : element_types().graph().initializer()) {
    SCOPED_TRACE(proto.name());
    const Tensor tensor = read_weight(element_types(), proto).value();
    const onnx::TensorProto again = to_proto("again", tensor);
    EXPECT_EQ(again.name(), "again");
    EXPECT_EQ(again.data_type(), proto.data_type());
    EXPECT_TRUE(identical(read_weight(Model{}, again).value(), tensor));
    if (proto.has_raw_data()) {
      EXPECT_EQ(again.raw_data(), proto.raw_data());
    }
  }
}

TEST(ReadWeight, LargeTensorsAreViewsOfTheFile) {
  for (const char* name : {"float.large", "double.large", "FLOAT16.large"}) {
    const auto& proto = initializer(element_types(), name);
    EXPECT_EQ(proto.data_location(), onnx::TensorProto::EXTERNAL) << name;
    EXPECT_TRUE(proto.raw_data().empty() && proto.float_data().empty() && proto.double_data().empty()) << name;
    const std::byte* file = element_types().files->begin()->second->bytes().data();
    const std::byte* values = read_weight(element_types(), proto).value().bytes().data();
    EXPECT_TRUE(values > file && values < file + element_types().files->begin()->second->bytes().size()) << name;
  }
}

TEST(DataBytes, EqualTheSizeOfRawData) {
  for (const auto& proto : element_types().graph().initializer()) {
    if (proto.has_raw_data()) {
      EXPECT_EQ(data_bytes(proto), proto.raw_data().size()) << proto.name();
    }
  }
  onnx::TensorProto proto;
  EXPECT_EQ(data_bytes(proto), 0u);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  EXPECT_EQ(data_bytes(proto), 4u) << "a scalar";
  proto.add_dims(-1);
  EXPECT_EQ(data_bytes(proto), 0u);
  proto.set_dims(0, std::int64_t{1} << 62);
  EXPECT_EQ(data_bytes(proto), 0u) << "overflow";
}

std::string error_of(const onnx::TensorProto& proto, const Model& model = {}) {
  const auto tensor = read_weight(model, proto);
  return tensor ? "" : tensor.error().message();
}

TEST(HasNoValues, CountsTheFormThatHoldsTheData) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::FLOAT);
  EXPECT_TRUE(has_no_values(proto)) << "a scalar";
  proto.add_float_data(1);
  EXPECT_FALSE(has_no_values(proto));
  proto.set_raw_data("");
  EXPECT_TRUE(has_no_values(proto)) << "raw data counts before a list";
  proto.add_dims(0);
  EXPECT_FALSE(has_no_values(proto)) << "no elements";
  proto.set_dims(0, 1);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_FALSE(has_no_values(proto));
}

TEST(ReadWeight, ErrorsNameTheTensorAndTheCause) {
  onnx::TensorProto proto;
  proto.set_name("w");
  EXPECT_THAT(error_of(proto), AllOf(HasSubstr("element type"), HasSubstr("'w'")));
  proto.set_data_type(99);
  EXPECT_THAT(error_of(proto), HasSubstr("99"));
  proto.set_data_type(onnx::TensorProto::FLOAT);
  proto.add_dims(3);
  EXPECT_THAT(error_of(proto), AllOf(HasSubstr("the weight has no values"), HasSubstr("weight-reconstruct")));
  proto.set_raw_data("12345678");
  EXPECT_THAT(error_of(proto), HasSubstr("but has 8"));
  proto.set_dims(0, -3);
  EXPECT_THAT(error_of(proto), HasSubstr("(-3,)"));
  proto.mutable_segment();
  EXPECT_THAT(error_of(proto), HasSubstr("segments"));
  proto.clear_segment();
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_THAT(error_of(proto), HasSubstr("'w'"));
  proto.add_external_data()->set_key("location");
  proto.mutable_external_data(0)->set_value("w.bin");
  EXPECT_THAT(error_of(proto), HasSubstr("were not loaded"));
  Model model;
  model.weights_ignored = true;
  EXPECT_THAT(error_of(proto, model), AllOf(HasSubstr("--ignore-external-data"), HasSubstr("--external-data-dir")));
}

}  // namespace
}  // namespace assay::model
