// assay debug reduce without --mode: each option does what its help says.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "base/strings.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr auto kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) {
    a = Neg(x) b = Exp(a) c = Abs(b) d = Tan(c) e = Sin(d) f = Cos(e) h = Floor(f) i = Ceil(h) j = Relu(i) y = Sqrt(j)
  })";
// Fails if the model has a Tan. Logs the models that it checks; the fourth check hangs if the file `hang` exists.
constexpr auto kTan = R"sh([ -e hang ] && [ "$(wc -l < made)" -ge 3 ] && exec sleep 60
cksum < "$1" >> made
echo "$1" >> paths
grep -q Tan "$1" || exit 0
echo "NOT_IMPLEMENTED: Tan"
exit 1
)sh";

class ReduceMinimalTest : public Workspace {
 protected:
  void SetUp() override {
    write_model("m.onnx", kChain);
    write("check.sh", kTan);
    write("made", "");
  }
  [[nodiscard]] static Words command(const Words& options, const Words& check = {"sh", "check.sh", "{model}"}) {
    Words words = {"debug", "reduce", "m.onnx", "-o", "r.onnx"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--check");
    words.insert(words.end(), check.begin(), check.end());
    return words;
  }
  [[nodiscard]] Finished reduce(const Words& options, const Words& check = {"sh", "check.sh", "{model}"}) const {
    return assay(command(options, check));
  }
  // Runs a reduction that succeeds, and returns the remaining operators.
  [[nodiscard]] std::vector<std::string> left(const Words& options, std::string* output = nullptr) const {
    const Finished finished = reduce(options);
    EXPECT_EQ(finished.status, 0) << finished.output;
    if (output != nullptr) *output = finished.output;
    return operators("r.onnx");
  }
  // A line for each completed check, sorted.
  [[nodiscard]] std::vector<std::string> made() const {
    std::ifstream file(path("made"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
  }
  void forget() const {
    for (const char* name : {"r.onnx", "polygraphy_debug_replay.json", "polygraphy_debug_replay_skip_current.json"}) {
      fs::remove(path(name));
    }
    write("made", "");
    write("paths", "");
  }
};

TEST_F(ReduceMinimalTest, EndsWithTheCulpritAloneAndLeavesNothingElse) {
  std::string output;
  EXPECT_THAT(left({}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, AllOf(HasSubstr("Reduced 10 nodes to 1. Removing it makes the failure disappear (verified)."),
                            HasSubstr("Tan 'd'"), HasSubstr("The result failed in 3 of 3 more runs")));
  EXPECT_THAT(files(), ElementsAre("check.sh", "m.onnx", "made", "paths", "polygraphy_debug_replay.json",
                                   "polygraphy_debug_replay_skip_current.json", "r.onnx"));
  EXPECT_THAT(output, HasSubstr("\n[I] " + std::to_string(made().size()) + " checks ("));
}

TEST_F(ReduceMinimalTest, ListsTheNodesThatRemainInBodies) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (bool c, float[2] x) => (float[2] y) {
      s = Sin(x)
      y = If(c) <then_branch = t () => (float[2] p) { p = Tan(s) }, else_branch = e () => (float[2] q) { q = Cos(s) }>
    })");
  std::string output;
  EXPECT_THAT(left({"--mode", "linear"}, &output), ElementsAre("If"));
  EXPECT_THAT(output, HasSubstr("\n    If 'y' (node #0)\n        Tan 'p' (node #0)\n        Cos 'q' (node #0)\n"));
}

TEST_F(ReduceMinimalTest, EndsEarlyAtItsLimits) {
  std::string output;
  const auto few = left({"--until-nodes", "6"}, &output);
  EXPECT_THAT(output, HasSubstr("Stopped by --until-nodes"));
  EXPECT_LE(few.size(), 6U);
  EXPECT_GT(few.size(), 1U);
  EXPECT_THAT(few, Contains("Tan"));

  forget();
  EXPECT_THAT(left({"--max-checks", "2"}, &output), Contains("Tan"));
  EXPECT_THAT(output, AllOf(HasSubstr("Stopped by --max-checks"), HasSubstr("2 checks (")));
  EXPECT_EQ(made().size(), 2U);
}

TEST_F(ReduceMinimalTest, ATimeLimitEndsWellWithAModelThatFails) {
  write("hang", "");
  std::string output;
  EXPECT_THAT(left({"--time-limit", "2"}, &output), Contains("Tan"));
  EXPECT_THAT(output, AllOf(HasSubstr("Stopped early: a smaller model may fail, too."),
                            HasSubstr("When the time of --time-limit was up, a check was still running, after")));
  EXPECT_TRUE(no_process_left());
  EXPECT_THAT(files(), Not(Contains("polygraphy_debug.onnx")));
}

TEST_F(ReduceMinimalTest, ATimeLimitThatIsOverBeforeAnyFailureIsAnError) {
  const Finished finished = reduce({"--time-limit", "1"}, {"sh", "-c", "exec sleep 60"});
  EXPECT_EQ(finished.status, 1) << "130 is for Ctrl-C";
  EXPECT_THAT(finished.output,
              HasSubstr("the time was up before any check failed (in --time-limit). Allow more time: a "
                        "check was still running, after"));
  EXPECT_THAT(files(), Not(Contains(HasSubstr("journal"))));
}

TEST_F(ReduceMinimalTest, NumbersThatMakeNoSenseAreRefused) {
  for (const char* option : {"--until-nodes", "--max-checks", "--time-limit"}) {
    const Finished refused = reduce({option, "0"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output, AllOf(HasSubstr(option), HasSubstr("must be above 0, but is 0")));
  }
  EXPECT_THAT(reduce({"--repeat", "0"}).output, HasSubstr("--repeat must be from 1 to 1000, but is 0"));
  EXPECT_EQ(reduce({"--fail-ratio", "1.5"}).status, 2);
  EXPECT_EQ(reduce({"--values", "guess"}).status, 2);
  EXPECT_EQ(reduce({"--same-failure", "maybe"}).status, 2);
  EXPECT_THAT(made(), IsEmpty());
}

TEST_F(ReduceMinimalTest, AnotherFailureIsKeptAsideUnlessAnyIsWanted) {
  write("check.sh", R"(grep -q Tan "$1" || exit 0
grep -q Neg "$1" && { echo "NOT_IMPLEMENTED: node ${#1}"; exit 1; }
echo "INVALID_GRAPH: Tan alone"; exit 1
)");
  for (const std::string mode : {"class", "strict"}) {
    write(".r.other-1.onnx.assay-killed", "a temporary file of a run that was killed");
    std::string output;
    EXPECT_THAT(left({"--same-failure", mode}, &output), ElementsAre("Neg", "Tan")) << mode;
    EXPECT_THAT(output, AllOf(HasSubstr("INVALID_GRAPH: Tan alone"), HasSubstr("r.other-1.onnx"))) << mode;
    EXPECT_THAT(operators("r.other-1.onnx"), ElementsAre("Tan")) << mode;
    EXPECT_FALSE(fs::exists(path(".r.other-1.onnx.assay-killed")));
    fs::remove(path("r.other-1.onnx"));
  }
  EXPECT_THAT(left({"--same-failure", "any"}), ElementsAre("Tan"));
  EXPECT_FALSE(fs::exists(path("r.other-1.onnx")));
}

// The same kind of error with another text.
TEST_F(ReduceMinimalTest, OnlyStrictTellsTwoTextsOfOneKindApart) {
  write("check.sh", R"(grep -q Tan "$1" || exit 0
grep -q Neg "$1" && { echo "NOT_IMPLEMENTED: with its friend"; exit 1; }
echo "NOT_IMPLEMENTED: lonely"; exit 1
)");
  EXPECT_THAT(left({}), ElementsAre("Tan"));
  EXPECT_THAT(left({"--same-failure", "strict"}), ElementsAre("Neg", "Tan"));
}

TEST_F(ReduceMinimalTest, FailuresThatComeAndGoAreRunAgain) {
  write("check.sh", R"(grep -q Tan "$1" || exit 0
n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n
[ $((n % 3)) -eq 0 ] || { echo NOT_IMPLEMENTED; exit 1; }
)");
  std::string output;
  EXPECT_THAT(left({"--repeat", "3"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("The result failed in 2 of 3 more runs (its probability of failing is "));
  EXPECT_THAT(left({"--repeat", "3", "--fail-ratio", "0.6"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("2 of 3 runs failed"));
  const Finished never = reduce({"--repeat", "3", "--fail-ratio", "0.9"});
  EXPECT_EQ(never.status, 1) << never.output;
  EXPECT_THAT(never.output, HasSubstr("does not fail"));
  write("n", "0");
  EXPECT_THAT(left({}, &output), ElementsAre("Tan")) << "seen to come and go, though the first run passes";
  EXPECT_THAT(output, HasSubstr("The failure is intermittent"));
}

TEST_F(ReduceMinimalTest, PassesAreListedChosenAndLeftOut) {
  const Finished list = assay({"debug", "reduce", "--list-passes"});
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.output, AllOf(HasSubstr("  prefix  "), HasSubstr("  remove-nodes  "), HasSubstr("  tidy-names ")));

  std::string output;
  EXPECT_THAT(left({"--passes", "prefix"}, &output), ElementsAre("Neg", "Exp", "Abs", "Tan"));
  EXPECT_THAT(output, AllOf(HasSubstr("The skipped passes might remove more nodes"), Not(HasSubstr("verified"))));
  EXPECT_THAT(left({"-v", "--skip-passes", "Prefix", "shrink-dimensions"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, AllOf(Not(HasSubstr("    prefix ")), Not(HasSubstr("shrink-dimensions:"))));
  forget();
  for (const char* option : {"--passes", "--skip-passes"}) {
    const Finished unknown = reduce({option, "prefix", "nonsense"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.output,
                AllOf(HasSubstr(std::string(option) + " must be one of "), HasSubstr(" more, but is nonsense\n")));
  }
  EXPECT_THAT(made(), IsEmpty());
}

TEST_F(ReduceMinimalTest, ThoroughSimplifiesWhatElseIsNotTouched) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "unused.domain" : 1]>
    g (float[2] long_name_of_the_input) => (float[2] y) { a = Neg(long_name_of_the_input) y = Tan(a) })");
  std::string output;
  EXPECT_THAT(left({}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, Not(HasSubstr("tidy-names")));
  EXPECT_THAT(left({"--thorough"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("\n    tidy-names"));
}

TEST_F(ReduceMinimalTest, CtrlCLeavesTheBestAndTheSameCommandResumes) {
  EXPECT_THAT(left({}), ElementsAre("Tan"));
  const std::string result = read("r.onnx");
  const std::string replay = read("polygraphy_debug_replay.json");
  const std::vector<std::string> usual = made();
  const std::vector<std::string> usual_files = files();
  for (const int signal : {SIGINT, SIGKILL}) {
    forget();
    write("hang", "");
    const auto running = start(command({"-v"}));
    ASSERT_TRUE(running->wait_for("after 3 checks"));
    running->send(signal);
    const Finished stopped = running->finish();
    EXPECT_EQ(stopped.status, signal == SIGINT ? 130 : 128 + SIGKILL) << stopped.output;
    EXPECT_TRUE(no_process_left());
    EXPECT_TRUE(fs::exists(path("r.onnx.journal")));
    if (signal == SIGINT) {
      EXPECT_THAT(operators("r.onnx"), Contains("Tan"));
      EXPECT_THAT(stopped.output, HasSubstr("The same command resumes"));
      EXPECT_FALSE(fs::exists(path("polygraphy_debug.onnx")));
    }
    EXPECT_EQ(made().size(), 3U);

    fs::remove(path("hang"));
    const Finished again = reduce({});
    EXPECT_EQ(again.status, 0) << again.output;
    EXPECT_THAT(again.output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
    EXPECT_EQ(made(), usual) << "no check is made twice";
    EXPECT_EQ(read("r.onnx"), result);
    EXPECT_EQ(read("polygraphy_debug_replay.json"), replay);
    EXPECT_THAT(again.output, HasSubstr("3 more verdicts of an earlier run ("));
    EXPECT_THAT(again.output, HasSubstr("\n[I] " + std::to_string(usual.size() - 3) + " checks ("));
    EXPECT_EQ(files(), usual_files);
  }
}

// The check's words name the files that it writes, which aren't a part of it.
TEST_F(ReduceMinimalTest, ACheckThatWritesFilesResumes) {
  const Words check = {"sh", "-c", kTan, "sh", "{model}"};
  write("hang", "");
  const auto running = start(command({"-v"}, check));
  ASSERT_TRUE(running->wait_for("after 3 checks"));
  running->send(SIGINT);
  EXPECT_EQ(running->finish().status, 130);
  fs::remove(path("hang"));
  const Finished again = reduce({}, check);
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan"));
}

TEST_F(ReduceMinimalTest, ACheckThatHangsCanBeGivenATimeLimitWithoutLosingVerdicts) {
  EXPECT_THAT(left({}), ElementsAre("Tan"));
  const std::vector<std::string> usual = made();
  forget();
  write("hang", "");
  const auto running = start(command({"-v"}));
  ASSERT_TRUE(running->wait_for("after 3 checks"));
  running->send(SIGINT);
  EXPECT_EQ(running->finish().status, 130);
  fs::remove(path("hang"));
  const Finished again = reduce({"--check-timeout", "600"});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
  EXPECT_EQ(made(), usual) << "no check is made twice";
}

TEST_F(ReduceMinimalTest, StoppedBeforeTheFirstVerdictItSaysThatTheSameCommandResumes) {
  write("check.sh", "echo > begun; exec sleep 60\n");
  const std::vector<std::string> before = files();
  const auto running = start(command({"-v"}));
  ASSERT_TRUE(running->wait_for("(10 nodes)"));
  running->send(SIGINT);
  const Finished stopped = running->finish();
  EXPECT_EQ(stopped.status, 130) << stopped.output;
  EXPECT_THAT(stopped.output, testing::AllOf(HasSubstr("The same command resumes"), HasSubstr("add --check-timeout")));
  EXPECT_TRUE(no_process_left());
  fs::remove(path("begun"));
  fs::remove(path("polygraphy_debug_replay_skip_current.json"));
  EXPECT_EQ(files(), before);
}

TEST_F(ReduceMinimalTest, AnotherCommandWithTheSameOutputKeepsTheVerdictsOfTheFirst) {
  write("hang", "");
  const auto first = start(command({"-v"}));
  ASSERT_TRUE(first->wait_for("after 3 checks"));
  first->send(SIGINT);
  EXPECT_EQ(first->finish().status, 130);
  const auto second = start(command({"-v", "--check-memory", "16G"}));
  ASSERT_TRUE(second->wait_for("(10 nodes)"));  // its check hangs at once
  second->send(SIGINT);
  EXPECT_EQ(second->finish().status, 130);
  EXPECT_THAT(reduce({"--check-memory", "16G"}, {"true"}).output, HasSubstr("does not fail the check"));
  fs::remove(path("hang"));
  const Finished again = reduce({});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
}

// The system sends SIGBUS if a mapped file became shorter or can't be read.
TEST_F(ReduceMinimalTest, LostBytesOfAFileEndItWithAMessage) {
  write("hang", "");
  const auto running = start(command({"-v"}));
  ASSERT_TRUE(running->wait_for("after 3 checks"));
  running->send(SIGBUS);
  const Finished ended = running->finish();
  EXPECT_EQ(ended.status, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("\n[E] the rest of a file can't be read: the file became shorter"));
  EXPECT_TRUE(no_process_left());
  fs::remove(path("hang"));
  EXPECT_THAT(reduce({}).output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
}

TEST_F(ReduceMinimalTest, TheReplayFileIsNamedAfterTheArtifact) {
  EXPECT_THAT(left({"--iter-artifact", "sub/other.onnx"}), ElementsAre("Tan"));
  EXPECT_THAT(files(), AllOf(Contains("sub/other_replay.json"), Contains("sub/other_replay_skip_current.json"),
                             Not(Contains("polygraphy_debug_replay.json"))));
}

TEST_F(ReduceMinimalTest, TwoRunsDoNotShareAReplayFile) {
  write("hang", "");
  const auto running = start(command({"-v"}));
  ASSERT_TRUE(running->wait_for("after 3 checks"));
  const Finished second = assay({"debug", "reduce", "m.onnx", "-o", "r2.onnx", "--iter-artifact", "two.onnx",
                                 "--save-debug-replay", "polygraphy_debug_replay.json", "--check", "false"});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.output, AllOf(HasSubstr("another run is writing this replay file"),
                                   HasSubstr("Name another file with --save-debug-replay")));
  running->send(SIGINT);
  EXPECT_EQ(running->finish().status, 130);
}

// Like Polygraphy, which doesn't distinguish the file under test from other artifacts.
TEST_F(ReduceMinimalTest, CandidatesAreSortedAsArtifacts) {
  for (const std::string mode : {"minimal", "bisect"}) {
    forget();
    std::string output;
    EXPECT_THAT(left({"--mode", mode, "--artifacts", "polygraphy_debug.onnx"}, &output), ElementsAre("Tan"));
    EXPECT_THAT(output, Not(HasSubstr("is skipped")));
    std::size_t sorted = 0;
    for (const std::string verdict : {"good", "bad"}) {
      for (const auto& entry : fs::directory_iterator(path("polygraphy_artifacts/" + verdict))) {
        ++sorted;
        const auto found = operators("polygraphy_artifacts/" + verdict + "/" + entry.path().filename().string());
        EXPECT_EQ(std::ranges::count(found, "Tan"), verdict == "bad" ? 1 : 0);
      }
    }
    // The three repetitions of the result, and a model without nodes, aren't iterations.
    EXPECT_GE(sorted, made().size() - 4);
    EXPECT_FALSE(fs::exists(path("polygraphy_debug.onnx")));
    fs::remove_all(path("polygraphy_artifacts"));
  }
}

TEST_F(ReduceMinimalTest, ConstantsCountAsValuesEverywhere) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      one = Constant <value = float[1] {1}> () a = Add(x, one) b = Exp(a) d = Tan(b)
      two = Constant <value = float[1] {2}> () y = Mul(d, two)
    })");
  std::string output;
  for (const std::string mode : {"minimal", "bisect"}) {
    EXPECT_THAT(left({"--mode", mode}, &output), ElementsAre("Tan"));
    EXPECT_THAT(output, AllOf(HasSubstr("The model has 4 nodes. Its 2 Constant nodes count as values, not as nodes."),
                              HasSubstr("Reduced 4 nodes to 1."), Not(HasSubstr("of 6 nodes"))));
  }
}

TEST_F(ReduceMinimalTest, TheSameOutputOfTheCheckIsShownOnce) {
  const auto times = [](const std::string& text) {
    return std::ranges::count(base::split(text, '\n'), "NOT_IMPLEMENTED: Tan");
  };
  std::string output;
  EXPECT_THAT(left({}, &output), ElementsAre("Tan"));
  EXPECT_EQ(times(output), 1) << output;
  EXPECT_THAT(left({"--show-output"}, &output), ElementsAre("Tan"));
  EXPECT_GT(times(output), 1) << output;
  EXPECT_THAT(left({"--hide-fail-output"}, &output), ElementsAre("Tan"));
  EXPECT_EQ(times(output), 0) << output;
  EXPECT_THAT(output, HasSubstr("The result fails: exit status 1: NOT_IMPLEMENTED: Tan"));
}

TEST_F(ReduceMinimalTest, AJournalThatIsNamedStaysAndKnowsAllRuns) {
  EXPECT_THAT(left({"--journal", "verdicts.db"}), ElementsAre("Tan"));
  const std::string result = read("r.onnx");
  EXPECT_THAT(files(), AllOf(Contains("verdicts.db"), Not(Contains("r.onnx.journal"))));
  forget();
  EXPECT_THAT(left({"--journal", "verdicts.db"}), ElementsAre("Tan"));
  EXPECT_EQ(read("r.onnx"), result);
  EXPECT_THAT(made(), testing::IsEmpty());
}

// Verdicts of the old check must not be used after it was corrected.
TEST_F(ReduceMinimalTest, VerdictsOfAScriptThatWasChangedAreNotTaken) {
  EXPECT_THAT(left({"--journal", "verdicts.db"}), ElementsAre("Tan"));
  write("check.sh", "grep -q Floor \"$1\" || exit 0\necho NOT_IMPLEMENTED; exit 1\n");
  EXPECT_THAT(left({"--journal", "verdicts.db"}), ElementsAre("Floor"));
}

// An engine may read weights differently if they are in another file.
TEST_F(ReduceMinimalTest, VerdictsOnFilesWithTheirWeightsElsewhereAreNotTaken) {
  EXPECT_THAT(left({"--journal", "verdicts.db"}), ElementsAre("Tan"));
  forget();
  EXPECT_THAT(left({"--journal", "verdicts.db", "--iter-weights", "external"}), ElementsAre("Tan"));
  EXPECT_THAT(made(), Not(IsEmpty()));
}

TEST_F(ReduceMinimalTest, ChecksAtOnceGiveTheSameBytes) {
  EXPECT_THAT(left({}), ElementsAre("Tan"));
  const std::string result = read("r.onnx");
  const std::string replay = read("polygraphy_debug_replay.json");
  EXPECT_THAT(read("paths"), Not(HasSubstr("polygraphy_debug.1.onnx")));
  forget();
  EXPECT_THAT(left({"--jobs", "4"}), ElementsAre("Tan"));
  EXPECT_EQ(read("r.onnx"), result);
  EXPECT_EQ(read("polygraphy_debug_replay.json"), replay);
  EXPECT_THAT(read("paths"), HasSubstr("polygraphy_debug.1.onnx"));
  EXPECT_THAT(files(), Not(Contains(HasSubstr("polygraphy_debug.1"))));
}

TEST_F(ReduceMinimalTest, EachWayToNameTheModelLetsChecksRunAtOnce) {
  for (const std::string word : {"{model}", "polygraphy_debug.onnx", "$ASSAY_MODEL"}) {
    const Finished finished = reduce({"--jobs", "2"}, {"sh", "-c", "sh check.sh \"" + word + "\""});
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output, Not(HasSubstr("is ignored"))) << word;
    EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan")) << word;
  }
  write("alone.sh", "exec sh check.sh polygraphy_debug.onnx\n");
  const Finished alone = reduce({"--jobs", "2"}, {"sh", "alone.sh"});
  EXPECT_EQ(alone.status, 0) << alone.output;
  EXPECT_THAT(alone.output, AllOf(HasSubstr("--jobs 2 is ignored"), HasSubstr("{model}"), HasSubstr("ASSAY_MODEL")));
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan"));
}

TEST_F(ReduceMinimalTest, APassingModelIsSavedIfOneWasFound) {
  std::string output;
  EXPECT_THAT(left({"--min-good", "good.onnx"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(operators("good.onnx"), AllOf(Not(IsEmpty()), Not(Contains("Tan"))));
  fs::remove(path("good.onnx"));
  write("check.sh", "exit 1\n");
  const Finished none = reduce({"--min-good", "good.onnx"});
  EXPECT_EQ(none.status, 0) << none.output;
  EXPECT_THAT(none.output, HasSubstr("No candidate passed"));
  EXPECT_FALSE(fs::exists(path("good.onnx")));
}

TEST_F(ReduceMinimalTest, ReplayFilesOfEitherModeAreTaken) {
  EXPECT_THAT(left({"--save-debug-replay", "minimal.json"}), ElementsAre("Tan"));
  const std::string result = read("r.onnx");
  write("made", "");
  EXPECT_THAT(left({"--load-debug-replay", "minimal.json"}), ElementsAre("Tan"));
  EXPECT_EQ(read("r.onnx"), result);
  EXPECT_EQ(made().size(), 4U) << "the result is run again at the end, and a model without nodes";

  EXPECT_THAT(left({"--mode", "bisect", "--save-debug-replay", "bisect.json"}), ElementsAre("Tan"));
  write("made", "");
  std::string output;
  EXPECT_THAT(left({"--load-debug-replay", "bisect.json"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("--mode bisect"));
  EXPECT_THAT(made(), IsEmpty());
  EXPECT_EQ(reduce({"--load-debug-replay", "nowhere.json"}).status, 1);
}

TEST_F(ReduceMinimalTest, OptionsOfOneModeAreRefusedInTheOther) {
  std::string output;
  EXPECT_THAT(left({"--no-reduce-inputs"}, &output), ElementsAre("Neg", "Exp", "Abs", "Tan"));
  EXPECT_THAT(output, HasSubstr("--mode minimal may remove more")) << "so it was a bisection";
  for (const char* option : {"--no-reduce-inputs", "--no-reduce-outputs"}) {
    const Finished refused = reduce({"--mode", "minimal", option});
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.output, HasSubstr(std::string("minimal mode doesn't have this option (in ") + option + ")"));
  }
  const std::vector<Words> options = {{"--passes", "prefix"}, {"--skip-passes", "prefix"}, {"--thorough"}};
  write("made", "");
  for (Words words : options) {
    const std::string name = words[0];
    words.insert(words.end(), {"--mode", "bisect"});
    const Finished refused = reduce(words);
    EXPECT_EQ(refused.status, 1) << name;
    EXPECT_THAT(refused.output, HasSubstr("only minimal mode has this option (in " + name + ")"));
  }
  EXPECT_THAT(made(), IsEmpty());
}

TEST_F(ReduceMinimalTest, ABisectionSaysThatItHasMovedToAnotherFailure) {
  write("check.sh", R"sh(grep -q Tan "$1" || exit 0
grep -q Neg "$1" && echo "NOT_IMPLEMENTED: Tan" && exit 1
echo "INVALID_GRAPH: Tan"
exit 1
)sh");
  std::string output;
  EXPECT_THAT(left({"--mode", "bisect"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("[W] The result may show another failure than the model. The first candidate that "
                                "failed: exit status 1: NOT_IMPLEMENTED: Tan. The result: exit status 1: "
                                "INVALID_GRAPH: Tan. --same-failure class keeps to the failure of the whole model\n"));
  EXPECT_THAT(left({"--mode", "bisect", "--same-failure", "class"}, &output), ElementsAre("Neg", "Exp", "Abs", "Tan"));
  EXPECT_THAT(output, Not(HasSubstr("may show another failure")));
}

TEST_F(ReduceMinimalTest, AllModesTakeTheOptionsOfTheSearch) {
  const std::vector<Words> options = {
      {"--jobs", "4"},        {"--repeat", "2"},      {"--same-failure", "class"},  {"--journal", "j"},
      {"--time-limit", "60"}, {"--max-checks", "50"}, {"--iter-weights", "inline"}, {"--values", "input"}};
  for (const std::string mode : {"bisect", "linear"}) {
    for (Words words : options) {
      words.insert(words.end(), {"--mode", mode});
      EXPECT_THAT(left(words), ElementsAre("Tan")) << mode << " " << words[0];
    }
  }
  EXPECT_TRUE(fs::exists(path("j"))) << "the user named the journal";
  std::string output;
  EXPECT_THAT(left({"--mode", "bisect", "--journal", "j"}, &output), ElementsAre("Tan"));
  EXPECT_THAT(output, HasSubstr("reused from the journal"));
  EXPECT_THAT(left({"--mode", "bisect", "--max-checks", "1"}, &output), SizeIs(testing::Gt(1U)));
  EXPECT_THAT(output, HasSubstr("Stopped by --max-checks"));
}

TEST_F(ReduceMinimalTest, ModelsThatCannotBeJudgedAreSteppedRound) {
  write("check.sh", "grep -q Exp \"$1\" || exit 7\ngrep -q Tan \"$1\" || exit 0\nexit 1\n");
  std::string output;
  EXPECT_THAT(left({"-v", "--unresolved-code", "7"}, &output), ElementsAre("Exp", "Tan"));
  EXPECT_THAT(output, HasSubstr("cannot be judged: exit status 7"));
}

TEST_F(ReduceMinimalTest, APersonIsAskedIfThereIsNoCheck) {
  const std::string asked = "\"$0\" debug reduce m.onnx -o r.onnx --max-checks 3";
  const auto answer = [&](const std::string& answers) {
    return run({"sh", "-c", "printf '" + answers + "' | " + asked, with_program({})[0]});
  };
  const Finished cut_off = answer("f\\n");
  EXPECT_EQ(cut_off.status, 1);
  EXPECT_THAT(cut_off.output, HasSubstr("standard input ended"));
  const Finished finished = answer("what\\nf\\np\\n");
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output,
              AllOf(HasSubstr("Reusing 1 verdict from"), HasSubstr("Please answer p or f"),
                    HasSubstr("'polygraphy_debug.onnx' pass or fail?"), Not(HasSubstr("The result fails"))));
  EXPECT_THAT(operators("r.onnx"), Not(IsEmpty()));
}

TEST_F(ReduceMinimalTest, APersonGetsNoAdviceOnChecks) {
  const std::string asked = "yes f | \"$0\" debug reduce m.onnx -o r.onnx";
  const Finished finished = run({"sh", "-c", asked, with_program({})[0]});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("By your answer, a model without any node fails, too"),
                                     Not(HasSubstr("--same-failure")), Not(HasSubstr("Does the check"))));
}

TEST_F(ReduceMinimalTest, AFolderForABugReportIsWritten) {
  EXPECT_THAT(left({"--repro", "report"}), ElementsAre("Tan"));
  EXPECT_EQ(read("report/model.onnx"), read("r.onnx"));
  EXPECT_THAT(read("report/README.md"),
              AllOf(HasSubstr("1 of 10 nodes of m.onnx remains"), HasSubstr("NOT_IMPLEMENTED: Tan")));
}

TEST_F(ReduceMinimalTest, TheCandidateFileIsWhereTheUserWants) {
  EXPECT_THAT(left({"--no-remove-intermediate"}), ElementsAre("Tan"));
  EXPECT_THAT(files(), Contains("polygraphy_debug.onnx"));
  fs::remove(path("polygraphy_debug.onnx"));
  forget();
  const Finished finished = reduce({"--iter-artifact", "there/it.onnx"}, {"sh", "check.sh", "there/it.onnx"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan"));
  EXPECT_THAT(read("paths"), AllOf(HasSubstr("there/it.onnx"), Not(HasSubstr("polygraphy_debug"))));
  EXPECT_THAT(files(), Not(Contains(HasSubstr("it.onnx"))));
}

TEST_F(ReduceMinimalTest, TheCheckIsToldItsIterationAndItsFilesAreSorted) {
  write("more.sh", "cat info.json >> infos || exit 1; cp \"$1\" seen.onnx; exec sh check.sh \"$1\"\n");
  const Finished finished =
      reduce({"--iter-info", "info.json", "--artifacts", "seen.onnx", "--artifacts-dir", "sorted"},
             {"sh", "more.sh", "{model}"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("infos"), AllOf(HasSubstr("\"iteration\": 0\n"), HasSubstr("\"iteration\": 4\n")));
  EXPECT_THAT(finished.output, HasSubstr("(verified)")) << "the runs that confirm the result have a number, too";
  EXPECT_THAT(files(),
              AllOf(Not(Contains("info.json")), Not(Contains("seen.onnx")), Contains(HasSubstr("_again.onnx"))));
  int bad = 0;
  int good = 0;
  for (const std::string& name : files()) {
    if (!name.starts_with("sorted/")) continue;
    const bool failed = name.starts_with("sorted/bad/");
    ++(failed ? bad : good);
    EXPECT_EQ(std::ranges::count(operators(name), "Tan"), failed ? 1 : 0) << name;
  }
  EXPECT_GT(bad, 1);
  EXPECT_GT(good, 1);
}

// The converted weights are in another temporary file in each run.
TEST_F(ReduceMinimalTest, AModelThatIsConvertedToFloat16Resumes) {
  model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,1024] x) => (float[2,1024] y) { a = Neg(x) b = Exp(a) c = Mul(b, w) d = Abs(c) y = Sin(d) })")
                           .value();
  onnx::TensorProto& weight = *model.graph().add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(1024);
  for (int i = 0; i < 1024; ++i) weight.add_float_data(static_cast<float>(i));
  ASSERT_TRUE(model::save(model, path("m.onnx")));
  std::string check = kTan;
  for (std::size_t at = 0; (at = check.find("Tan", at)) != std::string::npos;) check.replace(at, 3, "Mul");
  write("check.sh", check);

  write("hang", "");
  const auto running = start(command({"-v", "--fp-to-fp16"}));
  ASSERT_TRUE(running->wait_for("Converted to float16: 5 nodes"));
  ASSERT_TRUE(running->wait_for("after 3 checks"));
  running->send(SIGKILL);
  running->finish();
  fs::remove(path("hang"));
  const Finished resumed = reduce({"--fp-to-fp16"});
  EXPECT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("Reusing 3 verdicts from r.onnx.journal"));
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Mul"));
  const model::Model result = model::load(path("r.onnx")).value();
  ASSERT_EQ(result.graph().initializer_size(), 1);
  EXPECT_EQ(result.graph().initializer(0).data_type(), onnx::TensorProto::FLOAT16);
  EXPECT_TRUE(model::read_weight(result, result.graph().initializer(0)));

  const Finished passes = reduce({"--fp-to-fp16", "-o", "other.onnx"}, {"true"});
  EXPECT_THAT(passes.output, AllOf(HasSubstr("`assay convert --fp-to-fp16` saves it"),
                                   HasSubstr("the model does not fail the check (in m.onnx)")));
}

// The check would pass on the file, which is in float32.
TEST_F(ReduceMinimalTest, AModelThatAnEngineRejectsOnceItIsConvertedIsReduced) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) <float[2] w = {2,3}> { a = Neg(x) b = Exp(a) c = Mul(b, w) d = Abs(c) y = Sin(d) })");
  write("engine.py", R"(
import numpy, onnx
def load(path):
    return onnx.load(path)
def infer(model, feeds, wanted):
    if any(weight.data_type == onnx.TensorProto.FLOAT16 for weight in model.graph.initializer):
        raise RuntimeError("no kernel for float16")
    return {name: next(iter(feeds.values()), numpy.zeros(2, numpy.float32)) for name in wanted}
)");
  const Finished finished =
      reduce({"--fp-to-fp16"}, {"assay", "run", "{model}", "--python", "engine.py", "--python-interpreter", python});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(operators("r.onnx"), SizeIs(1)) << finished.output;
}

TEST_F(ReduceMinimalTest, TheLineOfThePyTorchProgramIsNamed) {
  model::Model model = model::load(path("m.onnx")).value();
  onnx::StringStringEntryProto& trace = *model.graph().mutable_node(3)->add_metadata_props();
  trace.set_key("pkg.torch.onnx.stack_trace");
  trace.set_value("File \"net.py\", line 12, in forward\n    d = c.tan()\n");
  ASSERT_TRUE(model::save(model, path("m.onnx")));
  const Finished finished = reduce({});
  EXPECT_THAT(finished.output, HasSubstr("Tan 'd' (node #0), from net.py:12, in forward: d = c.tan()"))
      << finished.output;
}

}  // namespace
}  // namespace assay::e2e
