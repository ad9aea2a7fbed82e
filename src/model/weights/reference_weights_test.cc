#include "model/weights/reference_weights.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;

// Acts like an engine: takes the bytes and reads external data from the folder.
Model reopen(const ReferencedModel& referenced, const fs::path& scratch) {
  const fs::path path = scratch / "reopened.onnx";
  EXPECT_TRUE(base::write_file(path, referenced.bytes));
  LoadOptions options;
  if (!referenced.external_data_dir.empty()) options.external_data_dir = referenced.external_data_dir;
  auto model = load(path, options);
  EXPECT_TRUE(model) << (model ? "" : model.error().message());
  return model ? *std::move(model) : Model{};
}

void expect_same_weights(const Model& a, const Model& b) {
  ASSERT_EQ(a.graph().initializer_size(), b.graph().initializer_size());
  for (int i = 0; i < a.graph().initializer_size(); ++i) {
    const auto left = read_weight(a, a.graph().initializer(i));
    const auto right = read_weight(b, b.graph().initializer(i));
    ASSERT_TRUE(left && right);
    EXPECT_TRUE(tensor::identical(*left, *right)) << a.graph().initializer(i).name();
  }
}

class SerializeByReference : public testing::Test {
 protected:
  // A copy of a model with inline weights, in a separate folder.
  fs::path copy(const fs::path& file) {
    fs::copy_file(test::models_dir() / file, folder_.path() / file);
    return folder_.path() / file;
  }
  base::TempDir folder_ = base::TempDir::create().value();
  base::TempDir scratch_ = base::TempDir::create().value();
};

TEST_F(SerializeByReference, RefersToWeightsInsideTheModelFile) {
  const Model model = load(copy("mnist_quantized.onnx")).value();
  const ReferencedModel whole = serialize_by_reference(model).value();
  EXPECT_TRUE(whole.external_data_dir.empty()) << "few weights go into the bytes";
  const ReferencedModel referenced = serialize_by_reference(model, 0).value();
  EXPECT_EQ(referenced.external_data_dir, fs::canonical(folder_.path()));
  EXPECT_LT(referenced.bytes.size(), whole.bytes.size());
  expect_same_weights(model, reopen(referenced, scratch_.path()));
}

TEST_F(SerializeByReference, RefersToExternalDataInPlace) {
  copy("ext_weights.data");
  const Model model = load(copy("ext_weights.onnx")).value();
  const ReferencedModel referenced = serialize_by_reference(model, 0).value();
  EXPECT_EQ(referenced.external_data_dir, fs::canonical(folder_.path()));
  expect_same_weights(model, reopen(referenced, scratch_.path()));
}

TEST_F(SerializeByReference, FindsExternalDataInAnotherFolder) {
  const fs::path path = copy("ext_weights.onnx");
  fs::copy_file(test::models_dir() / "ext_weights.data", scratch_.path() / "ext_weights.data");
  const Model model = load(path, {.external_data_dir = scratch_.path()}).value();
  const ReferencedModel referenced = serialize_by_reference(model, 0).value();
  EXPECT_EQ(referenced.external_data_dir, fs::canonical(scratch_.path()));
  expect_same_weights(model, reopen(referenced, scratch_.path()));
}

TEST_F(SerializeByReference, IncludesTheWeightsIfTheFileWasReplaced) {
  const fs::path path = copy("mnist_quantized.onnx");
  const Model model = load(path).value();
  ASSERT_TRUE(base::write_file(path, "something else"));
  const ReferencedModel referenced = serialize_by_reference(model, 0).value();
  EXPECT_TRUE(referenced.external_data_dir.empty());
  expect_same_weights(model, reopen(referenced, scratch_.path()));
}

}  // namespace
}  // namespace assay::model
