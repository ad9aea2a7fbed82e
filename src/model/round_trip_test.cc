// Real models keep their meaning through load() and save(). Plain protobuf is the reference.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/external_data.h"
#include "model/load.h"
#include "model/save.h"
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

void check_round_trip(const fs::path& path, const fs::path& folder) {
  SCOPED_TRACE(path);
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  const auto bytes = serialize(*model);
  ASSERT_TRUE(bytes) << bytes.error().message();
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(*bytes));
  visit_tensors(proto, [](onnx::TensorProto& tensor, TensorRole) { tensor.clear_data_location(); });
  expect_equal(plain(path), proto);

  // The model is saved to the file from which it was loaded.
  ASSERT_TRUE(save(*model, folder / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder / "copy.onnx").value(), *bytes);
  const auto copy = load(folder / "copy.onnx");
  ASSERT_TRUE(copy) << copy.error().message();
  ASSERT_TRUE(save(*copy, folder / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder / "copy.onnx").value(), *bytes);
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
    visit_tensors(*proto, [](onnx::TensorProto& tensor, TensorRole) {
      const auto to_raw = [&](const auto& list) {
        if (list.empty()) return;
        tensor.set_raw_data(list.data(), static_cast<std::size_t>(list.size()) * sizeof(list[0]));
      };
      to_raw(tensor.float_data());
      to_raw(tensor.double_data());
      tensor.clear_float_data();
      tensor.clear_double_data();
    });
  }
  expect_equal(expected, actual);
  const auto again = load(folder / "external.onnx");
  ASSERT_TRUE(again) << again.error().message();
}

void check_files(const std::vector<fs::path>& files, const SaveOptions& external) {
  const auto dir = base::TempDir::create().value();
  for (const fs::path& path : files) {
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
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(*bytes));
    visit_tensors(proto, [](onnx::TensorProto& tensor, TensorRole) { tensor.clear_data_location(); });
    expect_equal(plain(path), proto);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace assay::model
