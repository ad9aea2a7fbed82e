// Real models keep their meaning through load() and save(). Plain protobuf is the reference.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/external_data.h"
#include "model/load.h"
#include "model/save.h"
#include "model/serialize.h"
#include "model/visit_tensors.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;

// Reads the model with protobuf alone, and external data the simple way.
onnx::ModelProto plain(const fs::path& path) {
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(base::read_file(path).value())) << path;
  visit_tensors(proto, [&](onnx::TensorProto& tensor, TensorRole) {
    if (is_external(tensor)) {
      std::map<std::string, std::string> entries;
      for (const auto& entry : tensor.external_data()) entries[entry.key()] = entry.value();
      const std::string data = base::read_file(path.parent_path() / entries["location"]).value();
      const std::size_t offset = entries.contains("offset") ? std::stoul(entries["offset"]) : 0;
      const std::size_t length = entries.contains("length") ? std::stoul(entries["length"]) : std::string::npos;
      tensor.set_raw_data(data.substr(offset, length));
      tensor.clear_external_data();
    }
    tensor.clear_data_location();  // the default, explicit or not
  });
  return proto;
}

void expect_equal(const onnx::ModelProto& a, const onnx::ModelProto& b) {
  if (a.SerializeAsString() == b.SerializeAsString()) return;  // for the differencer, NaN differs from itself
  google::protobuf::util::MessageDifferencer differencer;
  std::string report;
  differencer.ReportDifferencesToString(&report);
  EXPECT_TRUE(differencer.Compare(a, b)) << report.substr(0, 1000);
}

// Expects the message of a file in the bytes of the model that was loaded from it.
void expect_content(const std::string& bytes, const fs::path& path) {
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(bytes));
  visit_tensors(proto, [](onnx::TensorProto& tensor, TensorRole) { tensor.clear_data_location(); });
  expect_equal(plain(path), proto);
}

void check_round_trip(const fs::path& path, const fs::path& folder) {
  SCOPED_TRACE(path);
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  const auto bytes = serialize(*model);
  ASSERT_TRUE(bytes) << bytes.error().message();
  expect_content(*bytes, path);

  // The model is saved to the file from which it was loaded.
  ASSERT_TRUE(save(*model, folder / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder / "copy.onnx").value(), *bytes);
  const auto copy = load(folder / "copy.onnx");
  ASSERT_TRUE(copy) << copy.error().message();
  ASSERT_TRUE(save(*copy, folder / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder / "copy.onnx").value(), *bytes);
}

// Returns the number of bytes that an element of int32_data or uint64_data stands for (onnx.proto, TensorProto).
std::size_t listed_bytes(const onnx::TensorProto& tensor) {
  switch (tensor.data_type()) {
    case onnx::TensorProto::UINT64:
      return 8;
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT32:
      return 4;
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::FLOAT16:
    case onnx::TensorProto::BFLOAT16:
      return 2;
    default:
      return 1;
  }
}

// Each element of int32_data holds one value of 6 bits; in raw_data, they follow each other bit by bit.
bool has_six_bits(const onnx::TensorProto& tensor) {
  return tensor.data_type() == onnx::TensorProto::FLOAT6E2M3 || tensor.data_type() == onnx::TensorProto::FLOAT6E3M2;
}

std::string pack_six_bits(const google::protobuf::RepeatedField<std::int32_t>& values) {
  std::string bytes((static_cast<std::size_t>(values.size()) * 6 + 7) / 8, '\0');
  for (int i = 0; i < values.size() * 6; ++i) {
    const int bit = (values.Get(i / 6) >> (i % 6)) & 1;
    bytes[static_cast<std::size_t>(i) / 8] |= static_cast<char>(bit << (i % 8));
  }
  return bytes;
}

void put_into_raw_data(onnx::TensorProto& tensor) {
  if (has_six_bits(tensor) && !tensor.int32_data().empty()) {
    tensor.set_raw_data(pack_six_bits(tensor.int32_data()));
    tensor.clear_int32_data();
    return;
  }
  const auto put = [&](auto& list, std::size_t bytes) {
    for (const auto& element : list) tensor.mutable_raw_data()->append(reinterpret_cast<const char*>(&element), bytes);
    list.Clear();
  };
  put(*tensor.mutable_float_data(), sizeof(float));
  put(*tensor.mutable_double_data(), sizeof(double));
  put(*tensor.mutable_int64_data(), sizeof(std::int64_t));
  put(*tensor.mutable_int32_data(), listed_bytes(tensor));
  put(*tensor.mutable_uint64_data(), listed_bytes(tensor));
}

void check_external_round_trip(const fs::path& path, const fs::path& folder, const SaveOptions& options) {
  SCOPED_TRACE(path);
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  const auto status = save(*model, folder / "external.onnx", options);
  ASSERT_TRUE(status) << status.error().message();
  onnx::ModelProto expected = plain(path);
  onnx::ModelProto actual = plain(folder / "external.onnx");
  // Moved values became raw_data, in whatever field they were.
  for (onnx::ModelProto* proto : {&expected, &actual}) {
    visit_tensors(*proto, [](onnx::TensorProto& tensor, TensorRole) { put_into_raw_data(tensor); });
  }
  expect_equal(expected, actual);
  const auto again = load(folder / "external.onnx");
  ASSERT_TRUE(again) << again.error().message();
}

void check_files(const std::vector<fs::path>& files, const SaveOptions& external) {
  for (const fs::path& path : files) {
    const auto dir = base::TempDir::create().value();
    check_round_trip(path, dir.path());
    check_external_round_trip(path, dir.path(), external);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RoundTrip, OwnModels) {
  const auto files = test::onnx_files(test::models_dir());
  EXPECT_GE(files.size(), 7u);
  check_files(files, {.external_data_path = "w.data", .size_threshold = 64});
  check_files(files, {.external_data_path = "", .size_threshold = 0, .all_tensors_to_one_file = false});
}

TEST(RoundTrip, SharedModels) {
  if (!test::shared_dir()) GTEST_SKIP() << test::kNoSharedDir;
  const auto files = test::onnx_files(*test::shared_dir() / "models");
  EXPECT_GE(files.size(), 20u);
  check_files(files, {.external_data_path = "below/w.data"});
}

TEST(RoundTrip, AllBackendTestModelsOfOnnx) {
  if (!test::onnx_backend_tests()) GTEST_SKIP() << test::kNoBackendTests;
  const auto files = test::onnx_files(*test::onnx_backend_tests());
  EXPECT_GE(files.size(), 1000u);
  for (const fs::path& path : files) {
    SCOPED_TRACE(path);
    const auto model = load(path);
    ASSERT_TRUE(model) << model.error().message();
    const auto bytes = serialize(*model);
    ASSERT_TRUE(bytes) << bytes.error().message();
    expect_content(*bytes, path);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace assay::model
