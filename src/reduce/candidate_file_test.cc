#include "reduce/candidate_file.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "edit/test_models.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

Candidate candidate(const model::Model& model) {
  return {.model = model, .nodes = model.graph().node_size(), .iteration = {}, .verbatim = {}};
}

TEST(CandidateFile, RefusesAFileThatIsThereAlready) {
  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "x.onnx";
  ASSERT_TRUE(base::write_file(path, "mine"));
  const auto file = CandidateFile::make(path);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, path.string());
  EXPECT_EQ(base::read_file(path).value(), "mine");
}

TEST(CandidateFile, IsGoneAfterwardsUnlessKept) {
  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "x.onnx";
  const model::Model model = edit::test::chain(3);
  {
    CandidateFile file = CandidateFile::make(path).value();
    ASSERT_TRUE(file.write(candidate(model)));
    EXPECT_EQ(model::load(path)->graph().node_size(), 3);
  }
  EXPECT_FALSE(fs::exists(path));
  {
    CandidateFile file = CandidateFile::make(path).value();
    file.keep();
    ASSERT_TRUE(file.write(candidate(model)));
  }
  EXPECT_TRUE(fs::exists(path));
}

TEST(CandidateFile, CopiesAFileByteForByte) {
  const base::TempDir folder = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(folder.path() / "original", "any bytes at all"));
  CandidateFile file = CandidateFile::make(folder.path() / "x.onnx").value();
  const model::Model model = edit::test::chain(1);
  Candidate original = candidate(model);
  original.verbatim = folder.path() / "original";
  ASSERT_TRUE(file.write(original));
  EXPECT_EQ(base::read_file(file.path()).value(), "any bytes at all");
}

TEST(CandidateFile, SharesTheWeightsOfLargeModels) {
  const base::TempDir folder = base::TempDir::create().value();
  fs::create_directories(folder.path() / "model");
  const fs::path original = folder.path() / "model" / "big.onnx";
  {  // two weights of 160 MiB each, in a file with holes
    edit::test::GraphBuilder graph;
    graph.input("x").output("z");
    graph.node("Add", {"x", "w0"}, {"y"});
    graph.node("Add", {"y", "w1"}, {"z"});
    const std::int64_t count = 40 << 20;
    for (int i = 0; i < 2; ++i) {
      onnx::TensorProto& tensor = *graph.proto().mutable_graph()->add_initializer();
      tensor.set_name("w" + std::to_string(i));
      tensor.set_data_type(onnx::TensorProto::FLOAT);
      tensor.add_dims(count);
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      for (const auto& [key, value] : {std::pair<std::string, std::string>("location", "big.data"),
                                       {"offset", std::to_string(i * count * 4)},
                                       {"length", std::to_string(count * 4)}}) {
        onnx::StringStringEntryProto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
      }
    }
    ASSERT_TRUE(base::write_file(original, graph.proto().SerializeAsString()));
    ASSERT_TRUE(base::write_file(folder.path() / "model" / "big.data", "begin"));
    fs::resize_file(folder.path() / "model" / "big.data", 2 * count * 4);
  }
  const fs::path path = folder.path() / "x.onnx";
  {
    CandidateFile file = CandidateFile::make(path).value();
    const model::Model model = file.share_weights(model::load(original).value()).value();
    EXPECT_EQ(model.path, original);
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file.write(candidate(model)));
    EXPECT_LT(fs::file_size(path), 10'000u);
    const model::Model written = model::load(path).value();
    const auto weight = model::read_weight(written, written.graph().initializer(0));
    ASSERT_TRUE(weight) << weight.error().message();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(weight->bytes().data()), 5), "begin");

    model::Model small = model;
    small.graph().mutable_initializer()->RemoveLast();
    ASSERT_TRUE(file.write(candidate(small)));
    EXPECT_GT(fs::file_size(path), 160u << 20);
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(folder.path() / "x.onnx.weights"));
}

}  // namespace
}  // namespace assay::reduce
