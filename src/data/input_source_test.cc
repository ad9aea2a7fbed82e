#include "data/input_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "data/inputs_file.h"
#include "data/testdata/fixture.h"

namespace assay::data {
namespace {

using test::data_fixture;
using test::floats;
using test::named;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<tensor::TensorSpec> kNoPorts;

// Returns the first value of "x" in an iteration, or nothing past the end.
std::optional<float> first_x(InputSource& source, std::int64_t index) {
  const auto inputs = source.iteration(index, kNoPorts);
  EXPECT_TRUE(inputs) << inputs.error().message();
  if (!inputs || !*inputs) return std::nullopt;
  return (*inputs)->find("x")->load<float>(0);
}

TEST(InputSourceTest, GeneratedInputsFollowThePorts) {
  base::SilentLog log;
  const auto source = generated_inputs({}, 2, log);
  const std::vector<tensor::TensorSpec> ports = {{"x", tensor::ElementType::float32, {2}}};
  const auto first = source->iteration(0, ports);
  const auto second = source->iteration(1, ports);
  ASSERT_TRUE(first && *first && second && *second);
  EXPECT_FLOAT_EQ((*first)->find("x")->load<float>(0), 0.417022F);    // numpy.random.RandomState(1)
  EXPECT_FLOAT_EQ((*second)->find("x")->load<float>(0), 0.4359949F);  // numpy.random.RandomState(2)
  EXPECT_EQ(*source->iteration(2, ports), std::nullopt);
}

TEST(InputSourceTest, TheEndOfGeneratedInputsIsKnownInAdvance) {
  base::SilentLog log;
  const auto generated = generated_inputs({}, 2, log);
  EXPECT_FALSE(generated->ends_before(1));
  EXPECT_TRUE(generated->ends_before(2));
}

class LoadedInputsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    save("a.json", {1, 2});
    save("empty.json", {});
    save("b.json", {3});
  }
  void save(const std::string& name, const std::vector<float>& values) {
    std::vector<tensor::NamedTensors> iterations;
    for (const float value : values) iterations.push_back(named({{"x", floats({1}, {value})}}));
    ASSERT_TRUE(save_inputs(path(name), iterations));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }
  std::optional<base::TempDir> folder_;
  base::test::TestLog log_;
};

TEST_F(LoadedInputsTest, FilesAreChained) {
  const auto source = loaded_inputs({path("a.json"), path("empty.json"), path("b.json")}, log_);
  ASSERT_TRUE(source);
  EXPECT_EQ(first_x(**source, 0), 1);
  EXPECT_EQ(first_x(**source, 1), 2);
  EXPECT_EQ(first_x(**source, 2), 3);
  EXPECT_EQ(first_x(**source, 3), std::nullopt);
}

TEST_F(LoadedInputsTest, AnyIterationMayBeAskedForAtAnyTime) {
  const auto source = loaded_inputs({path("a.json"), path("b.json")}, log_);
  ASSERT_TRUE(source);
  EXPECT_EQ(first_x(**source, 2), 3);
  EXPECT_EQ(first_x(**source, 0), 1);
  EXPECT_EQ(first_x(**source, 7), std::nullopt);
  EXPECT_EQ(first_x(**source, 7), std::nullopt);
  EXPECT_EQ(first_x(**source, 1), 2);
}

TEST_F(LoadedInputsTest, FoldersAndFilesMix) {
  const auto source = loaded_inputs({path("b.json"), data_fixture("inputs")}, log_);
  ASSERT_TRUE(source);
  EXPECT_EQ(first_x(**source, 0), 3);
  EXPECT_FLOAT_EQ(first_x(**source, 1).value_or(0), 0.417022F);
  EXPECT_TRUE(first_x(**source, 3).has_value());
  EXPECT_EQ(first_x(**source, 4), std::nullopt);
}

TEST_F(LoadedInputsTest, NoIterationAtAllIsAnError) {
  const auto source = loaded_inputs({path("empty.json")}, log_);
  ASSERT_TRUE(source);
  const auto inputs = (*source)->iteration(0, kNoPorts);
  ASSERT_FALSE(inputs);
  EXPECT_THAT(inputs.error().message(), HasSubstr("no iteration"));
}

TEST_F(LoadedInputsTest, MissingAndBrokenFilesAreNamed) {
  EXPECT_THAT(loaded_inputs({path("a.json"), path("nothing.json")}, log_).error().message(), HasSubstr("nothing.json"));
  ASSERT_TRUE(base::write_file(path("broken.json"), "["));
  const auto source = loaded_inputs({path("a.json"), path("broken.json")}, log_);
  ASSERT_TRUE(source);
  EXPECT_EQ(first_x(**source, 1), 2);
  EXPECT_THAT((*source)->iteration(2, kNoPorts).error().message(), HasSubstr("broken.json"));
}

TEST_F(LoadedInputsTest, AnArrayThatTheModelDoesNotNeedMayBeUnreadable) {
  save("mixed.json", {5, 6});
  std::string text = base::read_file(path("mixed.json")).value();
  for (const auto at : {text.rfind("\"x\""), text.find("\"x\"")}) text.insert(at, R"("note": "a text", )");
  ASSERT_TRUE(base::write_file(path("mixed.json"), text));
  const auto source = loaded_inputs({path("mixed.json")}, log_);
  ASSERT_TRUE(source);
  const auto inputs_for = [&](const std::string& name, std::int64_t iteration) {
    return (*source)->iteration(iteration, std::vector<tensor::TensorSpec>{{name, tensor::ElementType::float32, {1}}});
  };

  for (const std::int64_t iteration : {0, 1}) {
    const auto inputs = inputs_for("x", iteration);
    ASSERT_TRUE(inputs && *inputs);
    EXPECT_THAT((*inputs)->names(), ElementsAre("x"));
  }
  EXPECT_THAT(log_.messages(), ElementsAre(HasSubstr("'note' is left out")));

  for (const std::string name : {"note", "other"}) {  // "other" might be meant to get the first array
    EXPECT_THAT(inputs_for(name, 0).error().message(), HasSubstr("mixed.json: iteration 0: array 'note'"));
  }
}

}  // namespace
}  // namespace assay::data
