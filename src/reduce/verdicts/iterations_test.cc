// Replay files, artifacts and the iteration file, against what Polygraphy 0.53.6 wrote for the same runs.
#include "reduce/verdicts/iterations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using Kind = Verdict::Kind;

constexpr const char* kReplay = R"({
    "_N0_outputs": {
        "state": {
            "num_nodes": 6
        },
        "iteration_info": {
            "iteration": 0
        },
        "success": false,
        "polygraphy_class": "IterationContext"
    },
    "_N1_outputs": {
        "state": {
            "num_nodes": 3
        },
        "iteration_info": {
            "iteration": 1
        },
        "success": true,
        "polygraphy_class": "IterationContext"
    }
})";

class InFolder : public testing::Test {
 protected:
  InFolder() : folder_(base::TempDir::create().value()) {}
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  IterationSetup options() const {
    IterationSetup result;
    result.artifact_folder = at("artifacts");
    result.save_replay = at("replay.json");
    return result;
  }
  Iterations iterations(IterationSetup options) {
    return Iterations::make(std::move(options), std::chrono::system_clock::time_point{}, log_).value();
  }
  static FindVerdict always(Kind kind) {
    return [kind]() -> base::Expected<Verdict> { return Verdict{.kind = kind, .text = {}}; };
  }
  std::vector<std::string> files_below(const std::string& name) const {
    std::vector<std::string> names;
    if (!fs::exists(at(name))) return names;
    for (const auto& entry : fs::recursive_directory_iterator(at(name))) {
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), at(name)).string());
    }
    std::ranges::sort(names);
    return names;
  }

  base::TempDir folder_;
  base::SilentLog log_;
};
using Replays = InFolder;
using Artifacts = InFolder;
using IterationInfo = InFolder;

TEST_F(Replays, AreWrittenAsPolygraphyWritesThem) {
  Iterations run = iterations(options());
  ASSERT_TRUE(run.run({0, "outputs"}, 6, always(Kind::fails)));
  ASSERT_TRUE(run.run({1, "outputs"}, 3, always(Kind::passes)));
  EXPECT_EQ(base::read_file(at("replay.json")).value(), kReplay);
}

TEST_F(Replays, OfCommandsWithoutPhasesHaveAnEmptyState) {
  Iterations run = iterations(options());
  ASSERT_TRUE(run.run({0, ""}, std::nullopt, always(Kind::passes)));
  EXPECT_THAT(base::read_file(at("replay.json")).value(), testing::HasSubstr("\"_N0\": {\n        \"state\": {},"));
}

TEST_F(Replays, CountTheRunningIterationAsFailedInAnotherFile) {
  Iterations run = iterations(options());
  ASSERT_TRUE(run.run({0, "outputs"}, 6, always(Kind::fails)));
  ASSERT_TRUE(run.run({1, "outputs"}, 3, [&]() -> base::Expected<Verdict> {
    const Replay skip = Replay::load(at("replay_skip_current.json")).value();
    EXPECT_EQ(skip.size(), 2u);
    EXPECT_FALSE(skip.find({1, "outputs"})->success);
    EXPECT_EQ(Replay::load(at("replay.json")).value().size(), 1u);
    return Verdict{.kind = Kind::passes, .text = {}};
  }));
}

TEST_F(Replays, CountAnIterationThatWasStoppedAsFailedInTheOtherFile) {
  Iterations run = iterations(options());
  run.note({0, "outputs"}, 6, {.kind = Kind::passes, .text = {}});
  EXPECT_FALSE(run.run({1, "outputs"}, 3, []() -> base::Expected<Verdict> {
    return base::fail(base::ErrorKind::interrupted, "stopped");
  }));
  ASSERT_TRUE(run.save());
  EXPECT_EQ(Replay::load(at("replay.json")).value().size(), 1u);
  const Replay skip = Replay::load(at("replay_skip_current.json")).value();
  EXPECT_TRUE(skip.find({0, "outputs"})->success);
  ASSERT_NE(skip.find({1, "outputs"}), nullptr);
  EXPECT_FALSE(skip.find({1, "outputs"})->success);
}

TEST_F(Replays, ACheckThatCannotRunLeavesNoFileThatSkipsTheIteration) {
  Iterations run = iterations(options());
  EXPECT_FALSE(run.run({0, "outputs"}, 6, []() -> base::Expected<Verdict> {
    return base::fail(base::ErrorKind::not_found, "there is no such program");
  }));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Replays, BelongToOneRunAtATime) {
  IterationSetup claiming = options();
  claiming.claim_replay = true;
  {
    const Iterations first = iterations(claiming);
    const auto second = Iterations::make(claiming, std::chrono::system_clock::time_point{}, log_);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, base::ErrorKind::invalid_input);
    EXPECT_THAT(second.error().message(), testing::AllOf(testing::HasSubstr("another run is writing this replay file"),
                                                         testing::HasSubstr("--save-debug-replay")));
    claiming.save_replay = at("other.json");
    EXPECT_TRUE(Iterations::make(claiming, std::chrono::system_clock::time_point{}, log_));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Replays, AreRefusedAtOnceIfThereIsNoPlaceForThem) {
  IterationSetup claiming = options();
  claiming.claim_replay = true;
  ASSERT_TRUE(base::write_file(at("file"), "x"));
  claiming.save_replay = at("file") / "replay.json";
  const auto refused = Iterations::make(claiming, std::chrono::system_clock::time_point{}, log_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("--save-debug-replay"));
}

TEST_F(Replays, OfAKilledRunLeaveNoTemporaryFiles) {
  for (const char* name : {".replay.json.assay-abc123", ".replay_skip_current.json.assay-XYZ789"}) {
    ASSERT_TRUE(base::write_file(at(name), "{"));
  }
  const Iterations run = iterations(options());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Replays, SpareTheCheck) {
  ASSERT_TRUE(base::write_file(at("old.json"), kReplay));
  IterationSetup with_replay = options();
  with_replay.load_replay = at("old.json");
  Iterations run = iterations(with_replay);
  const auto never = []() -> base::Expected<Verdict> {
    ADD_FAILURE() << "checked";
    return Verdict{};
  };
  EXPECT_EQ(run.run({0, "outputs"}, 6, never)->kind, Kind::fails);
  EXPECT_EQ(run.run({1, "outputs"}, 3, never)->kind, Kind::passes);
  EXPECT_EQ(run.run({2, "outputs"}, 5, always(Kind::fails))->kind, Kind::fails);
  EXPECT_EQ(run.run({0, "inputs"}, 5, always(Kind::passes))->kind, Kind::passes);
}

TEST_F(Replays, RememberWhatCouldNotBeJudged) {
  Iterations run = iterations(options());
  ASSERT_TRUE(run.run({0, "outputs"}, 6, always(Kind::unresolved)));
  const Replay saved = Replay::load(at("replay.json")).value();
  EXPECT_TRUE(saved.find({0, "outputs"})->success) << "for Polygraphy, which looks at this member alone";
  IterationSetup with_replay = options();
  with_replay.load_replay = at("replay.json");
  EXPECT_EQ(iterations(with_replay).run({0, "outputs"}, 6, always(Kind::fails))->kind, Kind::unresolved);
}

TEST_F(Replays, AreNotTakenForAModelOfAnotherSize) {
  ASSERT_TRUE(base::write_file(at("old.json"), kReplay));
  IterationSetup with_replay = options();
  with_replay.load_replay = at("old.json");
  Iterations run = iterations(with_replay);
  EXPECT_EQ(run.run({0, "outputs"}, 7, always(Kind::passes))->kind, Kind::passes);
}

// Polygraphy's `debug precision` begins with all layers, and writes what this writes without nodes.
TEST_F(Replays, ThatDontTellWhatWasJudgedAreIgnored) {
  ASSERT_TRUE(iterations(options()).run({0, ""}, std::nullopt, always(Kind::passes)));
  IterationSetup with_replay = options();
  with_replay.load_replay = at("replay.json");
  Iterations run = iterations(with_replay);
  EXPECT_EQ(run.run({0, ""}, 0, always(Kind::fails))->kind, Kind::fails);
  EXPECT_EQ(run.run({0, ""}, std::nullopt, always(Kind::fails))->kind, Kind::passes);
}

TEST_F(Replays, ThatAreNoneAreRefused) {
  ASSERT_TRUE(base::write_file(at("bad.json"), "{\"_N0\": {\"success\": 3}}"));
  const auto replay = Replay::load(at("bad.json"));
  ASSERT_FALSE(replay);
  EXPECT_EQ(replay.error().where, at("bad.json").string());
  EXPECT_FALSE(Replay::load(at("absent.json")));
  for (const char* other : {"null", "[]", "3"}) {
    ASSERT_TRUE(base::write_file(at("bad.json"), other));
    EXPECT_FALSE(Replay::load(at("bad.json"))) << other;
  }
}

TEST_F(Replays, WithNumbersThatDoNotFitAreRefused) {
  for (const std::string number : {"4294967299", "-1", "1e30", "2.5"}) {
    ASSERT_TRUE(
        base::write_file(at("bad.json"), R"({"_N0": {"state": {"num_nodes": 3}, "iteration_info": {"iteration": )" +
                                             number + R"(}, "success": true}})"));
    const auto replay = Replay::load(at("bad.json"));
    ASSERT_FALSE(replay) << number;
    EXPECT_THAT(replay.error().what, testing::HasSubstr("doesn't fit"));
  }
}

TEST_F(Artifacts, GoToGoodOrBadWithTimeIterationAndPhase) {
  IterationSetup sorted = options();
  fs::create_directories(at("sub"));
  sorted.artifacts = {at("art.txt"), at("noext"), at("sub") / "deep.tar.gz", at("missing")};
  Iterations run = iterations(sorted);
  for (const Kind kind : {Kind::fails, Kind::passes}) {
    ASSERT_TRUE(run.run({kind == Kind::fails ? 0 : 1, "outputs"}, 1, [&]() -> base::Expected<Verdict> {
      for (const fs::path& file : {at("art.txt"), at("noext"), at("sub") / "deep.tar.gz"}) {
        EXPECT_TRUE(base::write_file(file, "x"));
      }
      return Verdict{.kind = kind, .text = {}};
    }));
  }
  const std::vector<std::string> names = files_below("artifacts");
  ASSERT_EQ(names.size(), 6u);
  EXPECT_THAT(names[0], testing::MatchesRegex("bad/art_[0-9-]+_[0-9-]+_N0_outputs.txt"));
  EXPECT_THAT(names[1], testing::MatchesRegex("bad/deep.tar_[0-9-]+_[0-9-]+_N0_outputs.gz"));
  EXPECT_THAT(names[2], testing::MatchesRegex("bad/noext_[0-9-]+_[0-9-]+_N0_outputs"));
  EXPECT_THAT(names[3], testing::MatchesRegex("good/art_[0-9-]+_[0-9-]+_N1_outputs.txt"));
}

TEST_F(Artifacts, OfWhatCannotBeJudgedAreNeitherGoodNorBad) {
  IterationSetup sorted = options();
  sorted.artifacts = {at("art.txt")};
  ASSERT_TRUE(base::write_file(at("art.txt"), "x"));
  ASSERT_TRUE(iterations(sorted).run({0, ""}, std::nullopt, always(Kind::unresolved)));
  const std::vector<std::string> names = files_below("artifacts");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_TRUE(names[0].starts_with("unresolved/art_")) << names[0];
}

TEST_F(Artifacts, ThatAreLinksAreCopied) {
  IterationSetup sorted = options();
  sorted.artifacts = {at("sub") / "latest.txt", at("linked")};
  fs::create_directories(at("sub"));
  fs::create_directories(at("real"));
  ASSERT_TRUE(base::write_file(at("sub") / "target.txt", "x"));
  ASSERT_TRUE(base::write_file(at("real") / "inside.txt", "y"));
  fs::create_symlink("target.txt", at("sub") / "latest.txt");
  fs::create_symlink("real", at("linked"));
  ASSERT_TRUE(iterations(sorted).run({0, ""}, std::nullopt, always(Kind::passes)));
  const std::vector<std::string> names = files_below("artifacts");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_TRUE(names[0].starts_with("good/latest_")) << names[0];
  EXPECT_TRUE(names[1].starts_with("good/linked_")) << names[1];
  EXPECT_FALSE(fs::is_symlink(at("artifacts") / names[0]));
  EXPECT_EQ(base::read_file(at("artifacts") / names[0]).value(), "x");
  EXPECT_EQ(base::read_file(at("artifacts") / names[1]).value(), "y");
  EXPECT_TRUE(fs::exists(at("sub") / "target.txt"));
  EXPECT_FALSE(fs::is_symlink(at("sub") / "latest.txt"));
}

TEST_F(Artifacts, AreNeverOverwritten) {
  IterationSetup sorted = options();
  sorted.artifacts = {at("art.txt")};
  for (const std::string text : {"first", "second"}) {
    Iterations run = iterations(sorted);
    ASSERT_TRUE(base::write_file(at("art.txt"), text));
    ASSERT_TRUE(run.run({0, ""}, std::nullopt, always(Kind::passes)));
  }
  const std::vector<std::string> names = files_below("artifacts");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(base::read_file(at("artifacts") / names[0]).value(), "first");
  EXPECT_EQ(base::read_file(at("art.txt")).value(), "second");
}

TEST_F(IterationInfo, ExistsWhileTheCheckRuns) {
  IterationSetup with_info = options();
  with_info.info = at("info.json");
  Iterations run = iterations(with_info);
  ASSERT_TRUE(run.run({4, "inputs"}, 1, [&]() -> base::Expected<Verdict> {
    EXPECT_EQ(base::read_file(at("info.json")).value(), "{\n    \"iteration\": 4\n}");
    return Verdict{};
  }));
  EXPECT_FALSE(fs::exists(at("info.json")));
}

TEST_F(IterationInfo, IsWrittenForRunsThatAreNotSaved) {
  IterationSetup setup = options();
  setup.info = at("info.json");
  setup.artifacts = {at("art.txt")};
  Iterations run = iterations(setup);
  const auto verdict = run.run_unsaved({7, "again"}, [&]() -> base::Expected<Verdict> {
    EXPECT_EQ(base::read_file(at("info.json")).value(), "{\n    \"iteration\": 7\n}");
    EXPECT_TRUE(base::write_file(at("art.txt"), "x"));
    return Verdict{.kind = Kind::fails, .text = {}};
  });
  EXPECT_EQ(verdict.value().kind, Kind::fails);
  EXPECT_FALSE(fs::exists(at("info.json")));
  EXPECT_FALSE(fs::exists(setup.save_replay));
  EXPECT_THAT(files_below("artifacts"), testing::ElementsAre(testing::MatchesRegex("bad/art_.*_N7_again.txt")));
}

}  // namespace
}  // namespace assay::reduce
