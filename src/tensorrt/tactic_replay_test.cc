#include "tensorrt/tactic_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::tensorrt {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kReplay = R"({"replay": {
  "pool": {"implementation": 2147483653, "tactic": -6343453444442151343,
           "inputs": [{"dtype": "DataType.FLOAT", "strides": [3, 1], "vectorized_dim": -1, "components_per_element": 1,
                       "polygraphy_class": "TensorInfo"}],
           "outputs": [{"dtype": "DataType.HALF", "strides": [], "vectorized_dim": null,
                        "components_per_element": null, "polygraphy_class": "TensorInfo"}],
           "polygraphy_class": "Algorithm"},
  "conv": {"implementation": 0, "tactic": 1, "inputs": [], "outputs": [], "polygraphy_class": "Algorithm"}},
  "polygraphy_class": "TacticReplayData"})";

class TacticReplayFile : public testing::Test {
 protected:
  base::Expected<TacticReplay> load(const std::string& text) const {
    const std::filesystem::path path = folder_.path() / "replay.json";
    EXPECT_TRUE(base::write_file(path, text));
    return load_tactic_replay(path);
  }
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(TacticReplayFile, IsWrittenAsItWasRead) {
  const auto replay = load(kReplay);
  ASSERT_TRUE(replay) << replay.error().message();
  ASSERT_EQ(replay->size(), 2U);
  EXPECT_EQ(replay->front().first, "pool") << "layers stay in the order of the file";
  EXPECT_EQ(replay->front().second.tactic, -6343453444442151343);
  EXPECT_THAT(replay->front().second.inputs.at(0).strides, ElementsAre(3, 1));
  EXPECT_EQ(json::parse(write_tactic_replay(*replay)), json::parse(kReplay));
  EXPECT_EQ(load(write_tactic_replay(*replay)).value(), *replay);
}

TEST_F(TacticReplayFile, AnEmptyReplayIsOne) {
  EXPECT_EQ(load(write_tactic_replay({})).value(), TacticReplay());
}

TEST_F(TacticReplayFile, NamesNeedNotBeText) {
  const auto replay = load(write_tactic_replay({{"conv\xff", {}}}));
  ASSERT_TRUE(replay) << replay.error().message();
  EXPECT_EQ(replay->front().first, "conv\xEF\xBF\xBD");
}

TEST_F(TacticReplayFile, ErrorsSayWhere) {
  const auto wrong = load(R"({"replay": {"conv": {"implementation": 0}}, "polygraphy_class": "TacticReplayData"})");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), HasSubstr("'tactic' isn't an integer"));
  EXPECT_THAT(wrong.error().message(), HasSubstr("layer 'conv'"));
  EXPECT_THAT(wrong.error().message(), HasSubstr("replay.json"));
}

TEST(TacticType, IsThatOfTensorRtsPythonModule) {
  EXPECT_EQ(tactic_type(0), "DataType.FLOAT");
  EXPECT_EQ(tactic_type(1), "DataType.HALF");
  EXPECT_EQ(tactic_type(8), "DataType.INT64");
  EXPECT_EQ(tactic_type(99), "DataType.99");
}

}  // namespace
}  // namespace assay::tensorrt
