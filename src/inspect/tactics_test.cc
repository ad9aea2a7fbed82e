#include "inspect/tactics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::inspect {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// One layer in the form that Polygraphy writes.
std::string layer(const std::string& name, int tactic) {
  return fmt::format(R"("{}": {{"implementation": 0, "tactic": {},
    "inputs": [{{"dtype": "DataType.FLOAT", "strides": [3, 1], "vectorized_dim": -1, "components_per_element": 1,
                 "polygraphy_class": "TensorInfo"}}],
    "outputs": [{{"dtype": "DataType.HALF", "strides": [1], "vectorized_dim": null, "components_per_element": null,
                  "polygraphy_class": "TensorInfo"}}],
    "polygraphy_class": "Algorithm"}})",
                     name, tactic);
}
std::string replay(const std::string& layers) {
  return "{\"replay\": {" + layers + "}, \"polygraphy_class\": \"TacticReplayData\"}";
}

class TacticsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
  }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_->path() / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(base::write_file(path, text));
    return path;
  }
  // Returns the layers that differ, and how many tactics of each.
  std::string suspects(const std::filesystem::path& good, const std::filesystem::path& bad) {
    const auto difference = diff_tactics(good, bad, log_);
    EXPECT_TRUE(difference) << difference.error().message();
    std::string text = fmt::format("{} {}", difference->good_files, difference->bad_files);
    for (const SuspectLayer& suspect : difference->suspects) {
      text += fmt::format(" {}:{}", suspect.layer, suspect.tactics.size());
    }
    return text;
  }

  std::optional<base::TempDir> folder_;
  base::SilentLog log_;
};

TEST_F(TacticsTest, ReadsAReplay) {
  const auto path = write("replay.json", replay(layer("conv", 2)));
  const auto loaded = load_tactic_replay(path);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(tactics_text(*loaded),
            "Layer: conv\n"
            "    implementation 0, tactic 2 | inputs: DataType.FLOAT strides (3, 1) vectorized dim -1 components 1 | "
            "outputs: DataType.HALF strides (1)");
  const json shown = json::parse(tactics_json(*loaded))["layers"][0];
  EXPECT_EQ(shown["layer"], "conv");
  EXPECT_EQ(shown["outputs"], json::parse(R"([{"dtype": "DataType.HALF", "strides": [1], "vectorized_dim": null,
                                               "components_per_element": null}])"));
}

TEST_F(TacticsTest, RejectsInvalidReplays) {
  EXPECT_EQ(load_tactic_replay("nowhere.json").error().kind, base::ErrorKind::not_found);
  for (const char* text :
       {"text", "[]", "{}", R"({"replay": [], "polygraphy_class": "TacticReplayData"})",
        R"({"replay": {"a": 1}, "polygraphy_class": "TacticReplayData"})",
        R"({"replay": {"a": {"implementation": 0, "tactic": "x"}}, "polygraphy_class": "TacticReplayData"})",
        R"({"replay": {"a": {"implementation": 0, "tactic": 1, "inputs": [3], "outputs": []}},
            "polygraphy_class": "TacticReplayData"})"}) {
    const auto loaded = load_tactic_replay(write("bad.json", text));
    ASSERT_FALSE(loaded) << text;
    EXPECT_EQ(loaded.error().kind, base::ErrorKind::invalid_input) << text;
    EXPECT_THAT(loaded.error().message(), HasSubstr("bad.json")) << text;
  }
}

TEST_F(TacticsTest, OnlyTacticsOfBadReplaysAreSuspects) {
  write("good/a.json", replay(layer("conv", 1) + "," + layer("gemm", 1)));
  write("good/deeper/b.json", replay(layer("conv", 2)));
  write("good/notes.txt", "not a replay");
  write("bad/a.json", replay(layer("conv", 1) + "," + layer("gemm", 1)));
  write("bad/b.json", replay(layer("conv", 3) + "," + layer("gemm", 1)));
  write("bad/c.json", replay(layer("conv", 3) + "," + layer("only_bad", 1)));
  EXPECT_EQ(suspects(folder_->path() / "good", folder_->path() / "bad"), "2 3 conv:1 only_bad:1");
}

TEST_F(TacticsTest, TakesSingleFiles) {
  const auto good = write("good.json", replay(layer("conv", 1)));
  const auto bad = write("bad.json", replay(layer("conv", 2)));
  EXPECT_EQ(suspects(good, bad), "1 1 conv:1");
  EXPECT_EQ(suspects(good, good), "1 1");
  EXPECT_EQ(suspects({}, bad), "0 1 conv:1");
  const auto difference = diff_tactics(good, bad, log_);
  const json shown = json::parse(suspects_json(*difference));
  EXPECT_EQ(shown["suspects"][0]["tactics"][0]["tactic"], 2);
  EXPECT_THAT(suspects_text(*difference), HasSubstr("Layer: conv\n    implementation 0, tactic 2 |"));
}

TEST_F(TacticsTest, AFileThatWasNamedMustBeAReplay) {
  const auto good = write("good.json", replay(layer("conv", 1)));
  EXPECT_FALSE(diff_tactics(good, write("bad.json", "{}"), log_));
  EXPECT_EQ(diff_tactics(good, folder_->path() / "missing", log_).error().kind, base::ErrorKind::not_found);
}

}  // namespace
}  // namespace assay::inspect
