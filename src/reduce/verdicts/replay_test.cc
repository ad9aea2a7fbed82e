#include "reduce/verdicts/replay.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

// As Polygraphy writes it, with json.dumps(..., indent=4).
constexpr const char* kTwoEntries = R"({
    "_N0_outputs": {
        "state": {
            "num_nodes": 3
        },
        "iteration_info": {
            "iteration": 0
        },
        "success": false,
        "polygraphy_class": "IterationContext"
    },
    "_N1": {
        "state": {},
        "iteration_info": {
            "iteration": 1
        },
        "success": true,
        "unresolved": true,
        "polygraphy_class": "IterationContext"
    }
})";

const ReplayEntry kFirst{.iteration = {0, "outputs"}, .nodes = 3, .success = false};
const ReplayEntry kSecond{.iteration = {1, ""}, .nodes = {}, .success = true, .unresolved = true};

class ReplayFile : public testing::Test {
 protected:
  [[nodiscard]] std::string saved(const Replay& replay) const {
    EXPECT_TRUE(replay.save(path_));
    return base::read_file(path_).value_or("");
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::filesystem::path path_ = folder_.path() / "replay.json";
};

TEST_F(ReplayFile, HasAMemberForEachEntry) {
  Replay replay;
  EXPECT_EQ(saved(replay), "{}");
  replay.set(kFirst);
  replay.set(kSecond);
  EXPECT_EQ(saved(replay), kTwoEntries);
  EXPECT_EQ(saved(Replay::load(path_).value()), kTwoEntries);
}

TEST_F(ReplayFile, HasAReplacedEntryInItsPlace) {
  Replay replay;
  replay.set({.iteration = kFirst.iteration, .nodes = 7, .success = true});
  replay.set(kSecond);
  replay.set(kFirst);
  EXPECT_EQ(replay.size(), 2u);
  EXPECT_EQ(saved(replay), kTwoEntries);
}

TEST_F(ReplayFile, SaveWithDoesNotChangeTheReplay) {
  Replay replay;
  replay.set(kFirst);
  ASSERT_TRUE(replay.save_with(kSecond, path_));
  EXPECT_EQ(base::read_file(path_).value(), kTwoEntries);
  EXPECT_EQ(replay.size(), 1u);

  replay.set(kSecond);
  ASSERT_TRUE(replay.save_with({.iteration = kFirst.iteration, .nodes = 3, .success = true}, path_));
  EXPECT_TRUE(Replay::load(path_)->find(kFirst.iteration)->success);
  EXPECT_EQ(saved(replay), kTwoEntries);
}

}  // namespace
}  // namespace assay::reduce
