#include "model/copy_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Creates a model in that folder, with its weights next to it.
Model with_weights(const fs::path& folder) {
  EXPECT_TRUE(copy_model(load(test::models_dir() / "ext_weights.onnx").value(), folder / "m.onnx"));
  return load(folder / "m.onnx").value();
}

// Lists the files next to the model.
fs::path weights_of(const fs::path& folder) {
  const auto files = base::list_folder(folder).value();
  for (const fs::path& file : files) {
    if (file.filename() != "m.onnx") return file.filename();
  }
  return {};
}

TEST(CopyModel, TakesTheWeightsAlong) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  const fs::path weights = weights_of(folder.path());
  ASSERT_TRUE(copy_model(model, folder.path() / "elsewhere" / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder.path() / "elsewhere" / "copy.onnx").value(),
            base::read_file(folder.path() / "m.onnx").value());
  EXPECT_EQ(base::read_file(folder.path() / "elsewhere" / weights).value(),
            base::read_file(folder.path() / weights).value());
}

TEST(CopyModel, LeavesWeightsThatAreThere) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  const fs::path weights = folder.path() / weights_of(folder.path());
  const auto before = fs::last_write_time(weights);
  ASSERT_TRUE(copy_model(model, folder.path() / "copy.onnx"));
  EXPECT_EQ(fs::last_write_time(weights), before);
  EXPECT_TRUE(load(folder.path() / "copy.onnx"));
}

TEST(CopyModel, DoesNotReplaceOtherFiles) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  const fs::path weights = weights_of(folder.path());
  const fs::path other = folder.path() / "elsewhere" / weights;
  ASSERT_TRUE(base::write_file(other, "of another model"));
  const base::Status copied = copy_model(model, folder.path() / "elsewhere" / "copy.onnx");
  ASSERT_FALSE(copied);
  EXPECT_THAT(copied.error().message(), HasSubstr("would replace this file"));
  EXPECT_EQ(copied.error().where, other.string());
  EXPECT_EQ(base::read_file(other).value(), "of another model");
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere" / "copy.onnx"));

  // The model can't have the name of its weights either.
  EXPECT_FALSE(copy_model(model, folder.path() / "third" / weights));
  EXPECT_FALSE(fs::exists(folder.path() / "third"));
}

TEST(CopyModel, ReportsMissingWeights) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  const fs::path weights = weights_of(folder.path());
  fs::remove(folder.path() / weights);
  const base::Status copied = copy_model(model, folder.path() / "elsewhere" / "copy.onnx");
  ASSERT_FALSE(copied);
  EXPECT_NE(copied.error().message().find(weights.string()), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere" / "copy.onnx"));
}

}  // namespace
}  // namespace assay::model
