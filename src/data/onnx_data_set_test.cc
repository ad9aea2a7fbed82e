#include "data/onnx_data_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "data/results_reader.h"
#include "data/saved_data.h"
#include "data/testdata/fixture.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using test::data_fixture;
using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kDataSet = data_fixture("test_data_set_0");

TEST(OnnxDataSetTest, ReadsInputsByNumber) {
  const auto inputs = read_data_set(kDataSet, DataSetPart::inputs);
  ASSERT_TRUE(inputs) << inputs.error().message();
  EXPECT_THAT(inputs->names(), ElementsAre("x", "input_1", "text", "flag"));
  EXPECT_EQ(inputs->find("x")->shape(), (tensor::Shape{2, 3}));
  EXPECT_EQ(inputs->find("x")->load<float>(5), 6.5F);
  EXPECT_EQ(inputs->find("input_1")->load<std::int64_t>(1), -8);
  EXPECT_THAT(inputs->find("text")->strings(), ElementsAre("a", "d\u00e9"));
  EXPECT_EQ(inputs->find("flag")->type(), ElementType::boolean);
}

TEST(OnnxDataSetTest, IsAFileOfInputsAndOneOfOutputs) {
  const auto iterations = load_inputs(kDataSet);
  ASSERT_TRUE(iterations) << iterations.error().message();
  ASSERT_EQ(iterations->size(), 1U);
  EXPECT_EQ(iterations->front().size(), 4U);

  const auto results = ResultsReader::open(kDataSet);
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ((*results)->runner_count(), 1U);
  EXPECT_EQ((*results)->runner_name(0), "expected");
  ASSERT_EQ((*results)->iteration_count(0), 1U);
  EXPECT_EQ((*results)->outputs(0, 0)->front().name, "y");
  EXPECT_EQ((*results)->outputs(0, 0)->front().bytes, 6U);
  const auto expected = (*results)->read(0, 0);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->outputs.find("y")->describe(), "float16, shape=(3,)");
  EXPECT_EQ(expected->outputs.find("y")->load<std::uint16_t>(2), 0x7BFF);  // 65504, the largest
  const std::unordered_set<std::string> other = {"z"};
  EXPECT_TRUE((*results)->read(0, 0, &other)->outputs.empty());
}

TEST(OnnxDataSetTest, ASingleFileIsAnInput) {
  const auto inputs = load_inputs(kDataSet / "input_0.pb");
  ASSERT_TRUE(inputs) << inputs.error().message();
  EXPECT_THAT(inputs->front().names(), ElementsAre("x"));
}

TEST(OnnxDataSetTest, IsShownAsInputsIfItHasAny) {
  EXPECT_EQ(*saved_class(kDataSet), "");
  const base::TempDir folder = base::TempDir::create().value();
  std::filesystem::copy_file(kDataSet / "output_0.pb", folder.path() / "output_0.pb");
  EXPECT_EQ(*saved_class(folder.path()), "RunResults");
  EXPECT_THAT(read_data_set(folder.path(), DataSetPart::inputs).error().message(), HasSubstr("no file input_0.pb"));
  EXPECT_TRUE(SavedData::open(folder.path())->holds_outputs());
}

TEST(OnnxDataSetTest, TensorsOfOneNameAreKeptApart) {
  const base::TempDir folder = base::TempDir::create().value();
  for (const char* name : {"input_0.pb", "input_1.pb"}) {
    std::filesystem::copy_file(kDataSet / "input_0.pb", folder.path() / name);
  }
  EXPECT_THAT(read_data_set(folder.path(), DataSetPart::inputs)->names(), ElementsAre("x", "input_1"));
}

TEST(OnnxDataSetTest, ATensorNamedLikeAnotherFileIsKeptApart) {
  const base::TempDir folder = base::TempDir::create().value();
  const std::string tensor = "\x08\x01\x10\x09\x42\x07input_1\x4a\x01\x01";  // dims, type, name and raw data
  for (const char* name : {"input_0.pb", "input_1.pb"}) ASSERT_TRUE(base::write_file(folder.path() / name, tensor));
  const auto inputs = read_data_set(folder.path(), DataSetPart::inputs);
  ASSERT_TRUE(inputs) << inputs.error().message();
  EXPECT_THAT(inputs->names(), ElementsAre("input_1", "input_1_"));
}

TEST(OnnxDataSetTest, OtherFilesAreRefused) {
  const base::TempDir folder = base::TempDir::create().value();
  const std::string whole = base::read_file(kDataSet / "input_0.pb").value();
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"cut.pb", whole.substr(0, whole.size() - 3)},
                                    {"text.pb", "no protobuf"},
                                    {"empty.pb", ""},
                                    {"sequence.pb", base::read_file(data_fixture("sequence.pb")).value()}}) {
    ASSERT_TRUE(base::write_file(folder.path() / name, bytes));
    const auto inputs = load_inputs(folder.path() / name);
    ASSERT_FALSE(inputs) << name;
    EXPECT_EQ(inputs.error().kind, base::ErrorKind::invalid_input);
    EXPECT_THAT(inputs.error().message(), HasSubstr(name));
  }
  EXPECT_THAT(load_inputs(data_fixture("sequence.pb")).error().message(), HasSubstr("Sequences"));
}

}  // namespace
}  // namespace assay::data
