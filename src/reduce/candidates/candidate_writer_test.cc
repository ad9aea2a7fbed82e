#include "reduce/candidates/candidate_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kLimit = 10000;   // bytes of weights that tests hold inline
constexpr std::int64_t kElements = 2000;  // 8000 bytes per weight

// x + w0 + w1 + w2; all elements of w_i are i + 1.
model::Model sum_of_three() {
  edit::test::GraphBuilder graph;
  graph.input("x").output("y3");
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    graph.node("Add", {i == 0 ? "x" : "y" + number, "w" + number}, {"y" + std::to_string(i + 1)});
    onnx::TensorProto& tensor = *graph.proto().mutable_graph()->add_initializer();
    tensor.set_name("w" + number);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(kElements);
    const std::vector<float> values(kElements, static_cast<float>(i + 1));
    tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  }
  model::Model model;
  model.proto = graph.proto();
  return model;
}

// Returns one value for each weight, or -1 if its elements aren't all equal.
std::vector<float> weights_of(const fs::path& path) {
  const auto model = model::load(path);
  if (!model) return {};
  std::vector<float> firsts;
  for (const onnx::TensorProto& proto : model->graph().initializer()) {
    const auto tensor = model::read_weight(*model, proto);
    if (!tensor) return {};
    std::vector<float> values(kElements);
    std::memcpy(values.data(), tensor->bytes().data(), values.size() * sizeof(float));
    const bool equal = std::ranges::all_of(values, [&](float value) { return value == values[0]; });
    firsts.push_back(equal ? values[0] : -1);
  }
  return firsts;
}

class Candidates : public testing::Test {
 protected:
  Candidates() { fs::create_directories(dir_.path() / "model"); }

  model::Model original(bool external) {
    const fs::path path = dir_.path() / "model" / "m.onnx";
    EXPECT_TRUE(model::save(sum_of_three(), path,
                            {.external_data_path = external ? std::optional<std::string>("m.data") : std::nullopt}));
    return model::load(path).value();
  }
  static model::Model first_weights(model::Model model, int count) {
    while (model.graph().initializer_size() > count) model.graph().mutable_initializer()->RemoveLast();
    return model;
  }
  std::unique_ptr<CandidateWriter> writer(const model::Model& model, IterWeights weights,
                                          const char* artifact = "a.onnx") {
    artifact_ = dir_.path() / artifact;
    scratch_.reset();
    scratch_ = ScratchFiles::claim(artifact_, log_).value();
    EXPECT_TRUE(scratch_->add(artifact_));
    return std::make_unique<CandidateWriter>(
        model, WriterOptions{.artifact = artifact_, .weights = weights, .inline_limit = kLimit}, *scratch_, stop_,
        log_);
  }
  // The names of the artifact's folder, without the list of scratch files.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(artifact_.parent_path())) {
      if (!entry.is_directory() && entry.path().extension() != ".assay") names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }

  base::TempDir dir_ = base::TempDir::create().value();
  base::Stop stop_;
  base::SilentLog log_;
  fs::path artifact_;
  std::unique_ptr<ScratchFiles> scratch_;
};

TEST_F(Candidates, OfASmallModelHoldTheirWeights) {
  for (const bool external : {false, true}) {
    const model::Model model = original(external);
    const auto writer = this->writer(first_weights(model, 1), IterWeights::automatic);
    ASSERT_TRUE(writer->write(first_weights(model, 1), artifact_));
    EXPECT_THAT(files(), ElementsAre("a.onnx"));
    EXPECT_GT(fs::file_size(artifact_), 8000u);
    EXPECT_THAT(weights_of(artifact_), ElementsAre(1));
  }
}

TEST_F(Candidates, ReferToExternalDataInTheirOwnFolder) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::automatic, "model/a.onnx");
  ASSERT_TRUE(writer->write(first_weights(model, 2), artifact_));
  EXPECT_THAT(files(), ElementsAre("a.onnx", "m.data", "m.onnx"));
  EXPECT_LT(fs::file_size(artifact_), 2000u);
  EXPECT_THAT(weights_of(artifact_), ElementsAre(1, 2));
}

TEST_F(Candidates, ReferToExternalDataInFoldersBelow) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::external);
  ASSERT_TRUE(writer->write(model, artifact_));
  EXPECT_THAT(files(), ElementsAre("a.onnx"));  // model/m.data is below
  EXPECT_THAT(weights_of(artifact_), ElementsAre(1, 2, 3));
}

TEST_F(Candidates, OfALargeModelReferHoweverFewWeightsTheyHave) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::automatic, "model/a.onnx");
  ASSERT_TRUE(writer->write(first_weights(model, 1), artifact_));
  EXPECT_LT(fs::file_size(artifact_), 2000u);
  EXPECT_THAT(weights_of(artifact_), ElementsAre(1));
}

TEST_F(Candidates, CopyEachWeightOnceWithTheFirstThatHasIt) {
  for (const bool external : {false, true}) {
    const model::Model model = original(external);
    const auto writer = this->writer(model, IterWeights::automatic, "elsewhere/a.onnx");
    const fs::path weights = dir_.path() / "elsewhere" / "a.onnx.weights";
    const auto zeros = [&] {
      const std::string bytes = base::read_file(weights).value();
      return std::ranges::count(bytes, '\0') == static_cast<std::ptrdiff_t>(bytes.size());
    };
    ASSERT_TRUE(writer->write(first_weights(model, 0), artifact_));
    EXPECT_TRUE(zeros());
    ASSERT_TRUE(writer->write(first_weights(model, 1), artifact_));
    EXPECT_THAT(files(), ElementsAre("a.onnx", "a.onnx.weights"));
    EXPECT_LT(fs::file_size(artifact_), 2000u);
    EXPECT_THAT(weights_of(artifact_), ElementsAre(1));
    EXPECT_FALSE(zeros());
    const model::Model before = model::load(artifact_).value();
    ASSERT_TRUE(writer->write(model, artifact_));
    EXPECT_THAT(weights_of(artifact_), ElementsAre(1, 2, 3));
    EXPECT_EQ(model::read_weight(before, before.graph().initializer(0))->load<float>(0), 1);  // still there
    scratch_.reset();
    EXPECT_THAT(files(), testing::IsEmpty());
  }
}

TEST_F(Candidates, ReferToAHardLinkIfLinkedIsChosen) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::linked, "elsewhere/a.onnx");
  ASSERT_TRUE(writer->write(first_weights(model, 2), artifact_));
  EXPECT_THAT(files(), ElementsAre("a.onnx", "a.onnx.weights"));
  EXPECT_TRUE(fs::equivalent(dir_.path() / "elsewhere/a.onnx.weights", dir_.path() / "model/m.data"));
  EXPECT_THAT(weights_of(artifact_), ElementsAre(1, 2));
  scratch_.reset();
  EXPECT_THAT(files(), testing::IsEmpty());
  EXPECT_THAT(weights_of(dir_.path() / "model/m.onnx"), ElementsAre(1, 2, 3));
}

TEST_F(Candidates, SayIfAHardLinkCannotBeCreated) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::linked, "elsewhere/a.onnx");
  fs::remove(dir_.path() / "model/m.data");  // it is open, but has no name to link to
  const auto status = writer->write(model, artifact_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::io);
  EXPECT_THAT(status.error().message(), testing::HasSubstr("hard link"));
}

TEST_F(Candidates, SayThatAFolderIsInTheirPlace) {
  const model::Model model = original(false);
  const auto writer = this->writer(first_weights(model, 1), IterWeights::automatic);
  fs::create_directory(artifact_);
  const auto status = writer->write(first_weights(model, 1), artifact_);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), AllOf(HasSubstr("it is a folder"), Not(HasSubstr("--iter-weights"))));
}

// A program that saves a new model over the old one usually writes into the old file, and often as many bytes.
TEST_F(Candidates, SayThatTheModelHasBeenOverwritten) {
  const model::Model model = original(false);
  const auto writer = this->writer(first_weights(model, 1), IterWeights::automatic);
  fs::last_write_time(model.path, fs::file_time_type::clock::now() + std::chrono::hours(1));
  const auto status = writer->write(first_weights(model, 1), artifact_);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), AllOf(HasSubstr("m.onnx"), HasSubstr("overwritten or truncated after"),
                                              HasSubstr("Load the model again"), Not(HasSubstr("--iter-weights"))));
  EXPECT_FALSE(fs::exists(artifact_));
}

TEST_F(Candidates, FollowTheOption) {
  const model::Model model = original(true);
  {
    const auto writer = this->writer(model, IterWeights::inlined, "model/a.onnx");
    ASSERT_TRUE(writer->write(model, artifact_));
    EXPECT_GT(fs::file_size(artifact_), 24000u);
    EXPECT_THAT(weights_of(artifact_), ElementsAre(1, 2, 3));
  }
  const auto writer = this->writer(model, IterWeights::external, "model/a.onnx");
  ASSERT_TRUE(writer->write(first_weights(model, 1), artifact_));
  EXPECT_LT(fs::file_size(artifact_), 2000u);
  EXPECT_THAT(weights_of(artifact_), ElementsAre(1));
}

TEST_F(Candidates, HoldWhatComesFromAnotherFile) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::external, "model/a.onnx");
  model::Model other = model;  // the same location, but a different file
  ASSERT_TRUE(base::write_file(dir_.path() / "other", std::string(3 * kElements * sizeof(float), '\0')));
  other.files = std::make_shared<const model::WeightFiles>(
      model::WeightFiles{{"m.data", base::MappedFile::open(dir_.path() / "other").value()}});
  ASSERT_TRUE(writer->write(other, artifact_));
  EXPECT_THAT(weights_of(artifact_), ElementsAre(0, 0, 0));
}

TEST_F(Candidates, EndWithAStopWhileWeightsAreCopied) {
  const model::Model model = original(true);
  const auto writer = this->writer(model, IterWeights::external, "elsewhere/a.onnx");
  stop_.request();
  const auto status = writer->write(model, artifact_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
  scratch_.reset();
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(Candidates, CopyTheOriginalOnlyWhereItsExternalDataIs) {
  const model::Model model = original(true);
  EXPECT_FALSE(this->writer(model, IterWeights::automatic)->can_copy_original());
  const auto writer = this->writer(model, IterWeights::automatic, "model/a.onnx");
  EXPECT_TRUE(writer->can_copy_original());
  EXPECT_TRUE(writer->copy_original(artifact_));
  EXPECT_EQ(base::read_file(artifact_).value(), base::read_file(model.path).value());
}

// Hugging Face's cache has such links.
TEST_F(Candidates, DoNotCopyAnOriginalWhoseDataIsALinkOutOfItsFolder) {
  (void)original(true);
  fs::create_directories(dir_.path() / "snapshot");
  for (const std::string name : {"m.onnx", "m.data"}) {
    fs::create_symlink("../model/" + name, dir_.path() / "snapshot" / name);
  }
  const model::Model model = model::load(dir_.path() / "snapshot" / "m.onnx").value();
  EXPECT_FALSE(this->writer(model, IterWeights::automatic, "snapshot/a.onnx")->can_copy_original());
  EXPECT_TRUE(this->writer(model, IterWeights::automatic, "model/a.onnx")->can_copy_original());
}

}  // namespace
}  // namespace assay::reduce
