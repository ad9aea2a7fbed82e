#include "worker/models/model_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <variant>

#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "tests/support/cache_of_links.h"
#include "tests/support/paths.h"

namespace assay::worker {
namespace {

namespace fs = std::filesystem;

class ModelSourceTest : public testing::Test {
 protected:
  ModelBytes source(std::uint64_t inline_limit) const {
    const auto source = model_source(model_, inline_limit);
    EXPECT_TRUE(source) << source.error().message();
    return std::get<ModelBytes>(source.value());
  }
  base::TempDir folder_ = base::TempDir::create().value();
  model::Model model_ = [this] {
    const fs::path file = folder_.path() / "model.onnx";
    fs::copy_file(test::models_dir() / "mnist_quantized.onnx", file);
    return model::load(file).value();
  }();
};

TEST_F(ModelSourceTest, PassesFewWeightsInTheBytes) {
  const ModelBytes whole = source(model::kInlineLimit);
  EXPECT_TRUE(whole.external_data_dir.empty());
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(std::string(whole.bytes.view())));
  EXPECT_EQ(proto.graph().node_size(), model_.graph().node_size());
  EXPECT_LT(source(0).bytes.view().size(), whole.bytes.view().size());
}

TEST_F(ModelSourceTest, NamesTheFolderOfWeightsThatStayInTheirFile) {
  EXPECT_EQ(source(0).external_data_dir, fs::canonical(folder_.path()));
}

TEST_F(ModelSourceTest, AModelWhoseDataIsBehindLinksIsPassedInTheBytes) {
  const fs::path folder = folder_.path() / "snapshot";
  fs::create_directories(folder);
  ASSERT_TRUE(model::save(model_, folder / "m.onnx", {.external_data_path = "m.data"}));
  EXPECT_TRUE(std::holds_alternative<ModelFile>(file_source(folder / "m.onnx").value()));
  fs::create_symlink("m.onnx", folder / "other.onnx");
  EXPECT_TRUE(std::holds_alternative<ModelFile>(file_source(folder / "other.onnx").value()));
  test::move_to_blobs(folder, {"m.onnx", "m.data"});
  const auto source = file_source(folder / "m.onnx");
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_TRUE(std::holds_alternative<ModelBytes>(*source));

  fs::remove(folder / "../blobs/1f00d");  // the data
  EXPECT_TRUE(std::holds_alternative<ModelFile>(file_source(folder / "m.onnx").value()));
}

TEST_F(ModelSourceTest, AModelThatIsTextIsPassedInTheBytes) {
  const fs::path text = folder_.path() / "m.json";
  ASSERT_TRUE(model::save(model_, text));
  const auto source = file_source(text);
  ASSERT_TRUE(source) << source.error().message();
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(std::string(std::get<ModelBytes>(*source).bytes.view())));
  EXPECT_EQ(proto.graph().node_size(), model_.graph().node_size());
}

}  // namespace
}  // namespace assay::worker
