#include "model/copy_model.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "model/load.h"
#include "model/save.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;

Model with_weights(const fs::path& folder) {
  Model model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Add(x, w) })")
                    .value();
  EXPECT_TRUE(save(model, folder / "m.onnx", {.external_data_path = "w.data", .size_threshold = 0}));
  return load(folder / "m.onnx").value();
}

TEST(CopyModel, TakesTheWeightsAlong) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  ASSERT_TRUE(copy_model(model, folder.path() / "elsewhere" / "copy.onnx"));
  EXPECT_EQ(base::read_file(folder.path() / "elsewhere" / "copy.onnx").value(),
            base::read_file(folder.path() / "m.onnx").value());
  EXPECT_EQ(base::read_file(folder.path() / "elsewhere" / "w.data").value(),
            base::read_file(folder.path() / "w.data").value());
}

TEST(CopyModel, LeavesWeightsThatAreThere) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  const auto before = fs::last_write_time(folder.path() / "w.data");
  ASSERT_TRUE(copy_model(model, folder.path() / "copy.onnx"));
  EXPECT_EQ(fs::last_write_time(folder.path() / "w.data"), before);
  EXPECT_TRUE(load(folder.path() / "copy.onnx"));
}

TEST(CopyModel, SaysThatWeightsAreMissing) {
  const base::TempDir folder = base::TempDir::create().value();
  const Model model = with_weights(folder.path());
  fs::remove(folder.path() / "w.data");
  const base::Status copied = copy_model(model, folder.path() / "elsewhere" / "copy.onnx");
  ASSERT_FALSE(copied);
  EXPECT_NE(copied.error().message().find("w.data"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere" / "copy.onnx"));
}

}  // namespace
}  // namespace assay::model
