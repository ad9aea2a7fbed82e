#include "model/inference/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Returns what the official checker says about the file itself, as onnx.checker.check_model(path) does; empty if it
// accepts the file.
std::string official_verdict(const fs::path& path, bool full) {
  try {
    onnx::checker::check_model(path.string(), full);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string our_verdict(const fs::path& path, bool full) {
  const auto model = load(path);
  if (!model) return "cannot load: " + model.error().message();
  const auto status = full ? full_check(*model) : check(*model);
  return status ? "" : status.error().what;
}

// Returns the number of models that the checker refuses.
int compare(const std::vector<fs::path>& files, bool full) {
  int refused = 0;
  for (const fs::path& path : files) {
    const std::string expected = official_verdict(path, full);
    EXPECT_EQ(our_verdict(path, full), expected) << path;
    refused += expected.empty() ? 0 : 1;
  }
  return refused;
}

TEST(Check, AgreesWithTheOfficialCheckerOnOwnModels) {
  const auto files = test::onnx_files(test::models_dir());
  compare(files, false);
  compare(files, true);
}

TEST(Check, AgreesWithTheOfficialCheckerOnSharedModels) {
  if (!test::shared_dir()) GTEST_SKIP() << test::kNoSharedDir;
  const auto files = test::onnx_files(*test::shared_dir());
  EXPECT_GT(compare(files, false), 0) << "some are broken on purpose";
  compare(files, true);
}

TEST(Check, AgreesWithTheOfficialCheckerOnBackendTestModels) {
  if (!test::onnx_backend_tests()) GTEST_SKIP() << test::kNoBackendTests;
  const auto files = test::onnx_files(*test::onnx_backend_tests());
  EXPECT_GE(files.size(), 1000u);
  compare(files, false);
}

// A sound model with one tensor of 4000 bytes, which `spoil` may change before it is saved as plain protobuf.
template <class Spoil>
fs::path write(const fs::path& folder, const Spoil& spoil) {
  onnx::ModelProto proto = parse_text(
                               "<ir_version: 10, opset_import: [\"\" : 20]> g (float[1000] x) => (float[1000] y) "
                               "{ y = Add(x, w) }")
                               .value()
                               .proto;
  onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->add_dims(1000);
  tensor->set_raw_data(std::string(4000, '\0'));
  spoil(*tensor);
  EXPECT_TRUE(base::write_file(folder / "m.onnx", proto.SerializeAsString()));
  return folder / "m.onnx";
}

TEST(Check, WeightsByReferenceHideNoFault) {
  const auto dir = base::TempDir::create().value();
  EXPECT_EQ(our_verdict(write(dir.path(), [](auto&) {}), true), "");
  const auto expect_same_fault = [&](auto spoil) {
    const fs::path path = write(dir.path(), spoil);
    const std::string verdict = official_verdict(path, false);
    EXPECT_NE(verdict, "");
    EXPECT_EQ(our_verdict(path, false), verdict);
  };
  expect_same_fault([](auto& tensor) { tensor.set_dims(0, 1001); });
  expect_same_fault([](auto& tensor) { tensor.set_dims(0, 0); });
  expect_same_fault([](auto& tensor) { tensor.set_data_type(onnx::TensorProto::STRING); });
  expect_same_fault([](auto& tensor) { tensor.set_data_type(0); });
  expect_same_fault([](auto& tensor) { tensor.add_float_data(1); });
  expect_same_fault([](auto& tensor) { tensor.clear_name(); });
  expect_same_fault([](auto& tensor) {
    tensor.clear_raw_data();
    tensor.set_data_type(onnx::TensorProto::INT32);
    for (int i = 0; i < 1000; ++i) tensor.add_float_data(0);
  });
  expect_same_fault([](auto& tensor) {  // padding bits of a packed 6-bit type
    tensor.set_data_type(onnx::TensorProto::FLOAT6E2M3);
    tensor.set_dims(0, 1401);
    tensor.set_raw_data(std::string(1051, '\xff'));
  });
}

TEST(Check, ResolvesExternalDataRelativeToTheModel) {
  const auto dir = base::TempDir::create().value();
  const auto spoil = [](auto& tensor) {
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    tensor.add_external_data()->set_key("location");
    tensor.mutable_external_data(0)->set_value("w.bin");
  };
  const fs::path path = write(dir.path(), spoil);
  ASSERT_TRUE(base::write_file(dir.path() / "w.bin", std::string(4000, '\0')));
  EXPECT_EQ(official_verdict(path, true), "");
  EXPECT_EQ(our_verdict(path, true), "");

  // A second name for the file: engines read it, the checker refuses it.
  ASSERT_EQ(::link((dir.path() / "w.bin").c_str(), (dir.path() / "again.bin").c_str()), 0);
  EXPECT_THAT(our_verdict(path, false), HasSubstr("hard links"));
  EXPECT_EQ(our_verdict(path, false), official_verdict(path, false));
  fs::remove(dir.path() / "again.bin");

  const Model loaded = load(path).value();
  fs::remove(dir.path() / "w.bin");
  EXPECT_THAT(check(loaded).error().message(), HasSubstr("w.bin"));
  const Model structure = load(path, {.ignore_external_data = true}).value();
  EXPECT_TRUE(check(structure)) << "was told to do without";
}

TEST(Check, AndInferenceReadNoWeights) {
  constexpr std::int64_t kFloats = 625'000'000;  // 2.5 GB, sparse
  const auto dir = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(dir.path() / "w.bin", ""));
  fs::resize_file(dir.path() / "w.bin", kFloats * 4);
  const fs::path path = write(dir.path(), [](auto& tensor) {
    tensor.clear_raw_data();
    tensor.set_dims(0, kFloats);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    tensor.add_external_data()->set_key("location");
    tensor.mutable_external_data(0)->set_value("w.bin");
  });
  (void)our_verdict(path, true);  // operators register themselves on first use
  rusage before = {};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_THAT(our_verdict(path, true), HasSubstr("Incompatible dimensions"));
  rusage after = {};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 8'000) << "KiB";
}

TEST(Check, NamesTheFileAndTheFault) {
  Model model = load(test::models_dir() / "scan_1.onnx").value();
  EXPECT_TRUE(check(model));
  model.graph().mutable_node(0)->set_op_type("NoSuchOperator");
  const auto status = check(model);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), testing::AllOf(HasSubstr("NoSuchOperator"), HasSubstr("scan_1.onnx")));
}

}  // namespace
}  // namespace assay::model
