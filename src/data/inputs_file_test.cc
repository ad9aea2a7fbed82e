#include "data/inputs_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/testdata/fixture.h"
#include "tests/support/paths.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;
using test::data_fixture;
using test::floats;
using test::named;
using testing::ElementsAre;
using testing::HasSubstr;

class InputsFileTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(InputsFileTest, ReadsAFileOfPolygraphy) {
  const auto inputs = load_inputs(data_fixture("inputs.json"));
  ASSERT_TRUE(inputs) << inputs.error().message();
  ASSERT_EQ(inputs->size(), 2U);
  const NamedTensors& first = inputs->front();
  EXPECT_EQ(first.names().front(), "f32");
  EXPECT_EQ(first.find("f16")->type(), ElementType::float16);
  EXPECT_EQ(first.find("sc")->shape(), tensor::Shape());
  EXPECT_EQ(first.find("emp")->shape(), (tensor::Shape{0, 3}));
  EXPECT_EQ(first.find("b")->type(), ElementType::boolean);
  EXPECT_FLOAT_EQ(first.find("f32")->load<float>(0), 0.417022F);
}

TEST_F(InputsFileTest, WritesAFileOfPolygraphyByteForByte) {
  const auto inputs = load_inputs(data_fixture("inputs.json"));
  ASSERT_TRUE(inputs);
  ASSERT_TRUE(save_inputs(path("copy.json"), *inputs));
  EXPECT_EQ(*base::read_file(path("copy.json")), *base::read_file(data_fixture("inputs.json")));

  auto saver = InputsSaver::create(path("streamed.json"));
  ASSERT_TRUE(saver);
  for (const NamedTensors& iteration : *inputs) ASSERT_TRUE(saver->add(iteration));
  ASSERT_TRUE(saver->finish());
  EXPECT_EQ(*base::read_file(path("streamed.json")), *base::read_file(data_fixture("inputs.json")));
}

TEST_F(InputsFileTest, TheSaverRemovesWhatAKilledOneHasLeft) {
  ASSERT_TRUE(base::write_file(path(".inputs.json.assay-a1B2c3"), "half a file"));
  ASSERT_TRUE(InputsSaver::create(path("inputs.json")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(InputsFileTest, ReadsAndWritesFoldersOfPolygraphy) {
  const auto inputs = load_inputs(data_fixture("inputs"));
  ASSERT_TRUE(inputs) << inputs.error().message();
  ASSERT_EQ(inputs->size(), 3U);
  auto saver = InputsSaver::create(path("folder"));
  ASSERT_TRUE(saver);
  for (const NamedTensors& iteration : *inputs) ASSERT_TRUE(saver->add(iteration));
  ASSERT_TRUE(saver->finish());
  for (const char* name : {"0000000000.json", "0000000001.json", "0000000002.json"}) {
    EXPECT_EQ(*base::read_file(path("folder") / name), *base::read_file(data_fixture("inputs") / name));
  }
}

TEST_F(InputsFileTest, AnArchiveIsOneIteration) {
  std::filesystem::copy_file(test::source_dir() / "src/tensor/testdata/stored.npz", path("a.npz"));
  const auto inputs = load_inputs(path("a.npz"));
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 1U);
  EXPECT_THAT(inputs->front().names(), ElementsAre("x", "y", "a/b:c"));
}

TEST_F(InputsFileTest, JsonMayHaveTheNameOfAnArchive) {
  std::filesystem::copy_file(data_fixture("inputs") / "0000000000.json", path("a.npz"));
  EXPECT_TRUE(load_inputs(path("a.npz")));
}

TEST_F(InputsFileTest, AnUnfinishedFileIsRemoved) {
  {
    auto saver = InputsSaver::create(path("inputs.json"));
    ASSERT_TRUE(saver);
    ASSERT_TRUE(saver->add(named({{"x", floats({1}, {1})}})));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(InputsFileTest, ErrorsNameTheKindOfOtherFiles) {
  const auto message = [&](std::string_view text) {
    EXPECT_TRUE(base::write_file(path("f.json"), text));
    const auto inputs = load_inputs(path("f.json"));
    return inputs ? "no error" : inputs.error().message();
  };
  EXPECT_THAT(load_inputs(data_fixture("outputs.json")).error().message(),
              testing::AllOf(HasSubstr("outputs.json"), HasSubstr("data merge")));
  EXPECT_THAT(message("[[1]]"), HasSubstr("not an object"));
  EXPECT_THAT(message("3"), HasSubstr("not a file of inputs"));
  EXPECT_THAT(message(R"({"array": "x", "polygraphy_class": "ndarray"})"), HasSubstr("but of ndarray"));
  EXPECT_THAT(message(R"([{"x": [1, 2]}])"), testing::AllOf(HasSubstr("iteration 0"), HasSubstr("'x'")));
  EXPECT_THAT(message("[{\"x\""), HasSubstr("f.json"));
  EXPECT_EQ(message("[]"), "no error");
}

TEST_F(InputsFileTest, BlobsHoldTheRawBytes) {
  const auto inputs = named({{"x", floats({2}, {1, 2})}, {"../a/b", floats({1}, {3})}});
  ASSERT_TRUE(save_input_blobs(path("blobs"), 12, inputs));
  EXPECT_EQ(*base::read_file(path("blobs/0000000012/x.bin")), inputs.find("x")->buffer().view());
  EXPECT_EQ(*base::read_file(path("blobs/0000000012/.._a_b.bin")), inputs.find("../a/b")->buffer().view());
  const auto strings = named({{"s", *Tensor::make_strings({1}, {"text"})}});
  EXPECT_FALSE(save_input_blobs(path("blobs"), 0, strings));
}

TEST_F(InputsFileTest, BlobsOfTwoInputsDoNotShareAFile) {
  const auto inputs = named({{"a/b", floats({1}, {1})}, {"a_b", floats({1}, {2})}});
  const auto saved = save_input_blobs(path("blobs"), 0, inputs);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message(), testing::AllOf(HasSubstr("'a/b'"), HasSubstr("'a_b'"), HasSubstr("a_b.bin")));
}

TEST_F(InputsFileTest, ErrorsOfWritingComeBack) {
  const auto bad = named({{"s", *Tensor::make_strings({1}, {std::string("\0", 1)})}});
  EXPECT_FALSE(save_inputs(path("x.json"), {bad}));
  EXPECT_FALSE(std::filesystem::exists(path("x.json")));
  EXPECT_FALSE(save_inputs("/proc/nothing/x.json", {}));
}

}  // namespace
}  // namespace assay::data
