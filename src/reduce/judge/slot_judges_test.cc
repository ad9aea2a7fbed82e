#include "reduce/judge/slot_judges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <set>

#include "base/files.h"
#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "model/load.h"
#include "reduce/judge/check_command.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using Kind = Verdict::Kind;

std::shared_ptr<const model::Model> chain(int nodes) {
  return std::make_shared<const model::Model>(edit::test::chain(nodes));
}

int nodes_in(const fs::path& path) {
  const auto model = model::load(path);
  return model ? model->graph().node_size() : -1;
}

class Slots : public testing::Test {
 protected:
  std::unique_ptr<SlotJudges> judges(int slots, ModelFileJudge judge) {
    const SlotSetup options{.artifact = artifact_, .slots = slots, .weights = IterWeights::automatic, .keep = false};
    return SlotJudges::make(options, *chain(9), std::move(judge), stop_, log_).value();
  }
  // A check command that receives its file.
  ModelFileJudge command(std::vector<std::string> words) {
    CheckSetup options;
    options.command = std::move(words);
    options.artifact = artifact_;
    options.show_output = CheckSetup::Show::never;
    return [check = CheckCommand::make(options, process_runner(), log_).value()](
               const fs::path& model, const base::Stop& stop) { return check.run(model, stop); };
  }
  model::Model saved(int nodes) {
    const fs::path path = dir_.path() / "original.onnx";
    EXPECT_TRUE(base::write_file(path, edit::test::chain(nodes).proto.SerializeAsString()));
    return model::load(path).value();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path())) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  base::TempDir dir_ = base::TempDir::create().value();
  const fs::path artifact_ = dir_.path() / "a.onnx";
  base::Stop stop_;
  base::SilentLog log_;
};

Verdict verdict_of(const fs::path& path) {
  const int nodes = nodes_in(path);
  return {.kind = nodes % 2 == 0 ? Kind::fails : Kind::passes, .text = std::to_string(nodes)};
}

TEST_F(Slots, GiveEachCandidateItsOwnVerdict) {
  const auto judges = this->judges(3, [](const fs::path& path, const base::Stop&) { return verdict_of(path); });
  std::map<Judges::Ticket, int> open;
  int next = 1;
  int heard = 0;
  while (heard < 40) {
    while (open.size() < 3 && next <= 40) {
      open[judges->start(chain(next))] = next;
      ++next;
    }
    const Judges::Ended ended = judges->wait();
    ASSERT_TRUE(ended.verdict) << ended.verdict.error().message();
    EXPECT_EQ(ended.verdict->text, std::to_string(open.at(ended.ticket)));
    open.erase(ended.ticket);
    ++heard;
  }
}

TEST_F(Slots, RunAtOnceOnFilesOfTheirOwn) {
  std::latch all(3);
  std::mutex mutex;
  std::set<std::string> paths;
  const auto judges = this->judges(3, [&](const fs::path& path, const base::Stop&) {
    all.arrive_and_wait();  // would wait forever if they ran one after the other
    const std::lock_guard lock(mutex);
    paths.insert(path.filename().string());
    return Verdict{};
  });
  for (int i = 0; i < 3; ++i) judges->start(chain(2));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(judges->wait().verdict);
  EXPECT_THAT(paths, testing::ElementsAre("a.1.onnx", "a.2.onnx", "a.onnx"));
}

TEST_F(Slots, LeaveNothingBehind) {
  {
    const auto judges = this->judges(2, [](const fs::path& path, const base::Stop&) { return verdict_of(path); });
    judges->start(chain(2));
    judges->start(chain(3));
    (void)judges->wait();
  }
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(Slots, LeaveTheLastCandidateUntilTheEndIfItIsSorted) {
  {
    const SlotSetup options{.artifact = artifact_, .slots = 1, .leave = true};
    const auto judge = [](const fs::path& path, const base::Stop&) { return verdict_of(path); };
    const auto judges = SlotJudges::make(options, *chain(9), judge, stop_, log_).value();
    for (const int nodes : {4, 3}) {
      judges->start(chain(nodes));
      (void)judges->wait();
      EXPECT_EQ(nodes_in(artifact_), nodes);
    }
    fs::rename(artifact_, dir_.path() / "sorted.onnx");
    judges->start(chain(2));
    (void)judges->wait();
  }
  EXPECT_THAT(files(), testing::ElementsAre("sorted.onnx"));
}

TEST_F(Slots, RefuseFilesThatAreThere) {
  ASSERT_TRUE(base::write_file(dir_.path() / "a.1.onnx", "mine"));
  const auto judge = [](const fs::path&, const base::Stop&) { return Verdict{}; };
  const auto refused = SlotJudges::make({.artifact = artifact_, .slots = 2}, *chain(2), judge, stop_, log_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().where, testing::EndsWith("a.1.onnx"));
  EXPECT_THAT(files(), testing::ElementsAre("a.1.onnx"));
}

TEST_F(Slots, AreFreeAgainOnceTheirCheckIsCancelled) {
  std::atomic<int> ended_by_stop = 0;
  const auto judges = this->judges(2, [&](const fs::path& path, const base::Stop& stop) -> base::Expected<Verdict> {
    if (nodes_in(path) != 5) return Verdict{.kind = Kind::fails, .text = "other"};
    while (!stop.requested()) std::this_thread::yield();
    ++ended_by_stop;
    return base::fail(base::ErrorKind::interrupted, "stopped");
  });
  for (int i = 0; i < 20; ++i) {
    const auto first = judges->start(chain(5));
    const auto second = judges->start(chain(5));
    judges->cancel(first);
    judges->cancel(second);
    const auto other = judges->start(chain(3));
    const Judges::Ended ended = judges->wait();
    EXPECT_EQ(ended.ticket, other);
    EXPECT_EQ(ended.verdict->text, "other");
  }
  EXPECT_LE(ended_by_stop, 40);
}

TEST_F(Slots, SayNothingOfAVerdictThatWasCancelledWhenItWasThere) {
  std::atomic<bool> judged = false;
  const auto judges = this->judges(1, [&](const fs::path&, const base::Stop&) {
    judged = true;
    judged.notify_all();
    return Verdict{.kind = Kind::passes, .text = "first"};
  });
  const auto first = judges->start(chain(1));
  judged.wait(false);
  judges->cancel(first);
  const auto second = judges->start(chain(2));
  EXPECT_EQ(judges->wait().ticket, second);
}

TEST_F(Slots, EndACommandWithAllThatItStarted) {
  const fs::path mark = dir_.path() / "started";
  const auto judges =
      this->judges(1, command({"sh", "-c", "sleep 1000 & sleep 1000 & echo $! > " + mark.string() + "; wait; : a"}));
  const auto ticket = judges->start(chain(2));
  base::Expected<std::string> pid;
  while (!(pid = base::read_file(mark)) || !pid->ends_with("\n")) std::this_thread::yield();
  judges->cancel(ticket);
  const fs::path process = fs::path("/proc") / pid->substr(0, pid->size() - 1);
  while (fs::exists(process)) std::this_thread::yield();  // otherwise the tests' time limit ends this
}

TEST_F(Slots, EndWithTheWholeRun) {
  const auto judges = this->judges(2, command({"sleep", "1000"}));
  judges->start(chain(2));
  judges->start(chain(3));
  stop_.request();
  for (int i = 0; i < 2; ++i) {
    const Judges::Ended ended = judges->wait();
    ASSERT_FALSE(ended.verdict);
    EXPECT_EQ(ended.verdict.error().kind, base::ErrorKind::interrupted);
  }
}

TEST_F(Slots, TellTheCommandOfItsFileInAllThreeWays) {
  // Fails unless the three paths are the same existing file.
  const auto judges =
      this->judges(3, command({"sh", "-c", "test \"$1\" = \"$2\" && test \"$2\" = \"$ASSAY_MODEL\" && test -s \"$1\"",
                               "sh", artifact_.string(), "{model}"}));
  for (int i = 0; i < 3; ++i) judges->start(chain(2 + i));
  for (int i = 0; i < 3; ++i) {
    const Judges::Ended ended = judges->wait();
    ASSERT_TRUE(ended.verdict) << ended.verdict.error().message();
    EXPECT_EQ(ended.verdict->kind, Kind::passes) << ended.verdict->output;
  }
}

TEST_F(Slots, HandOnTheErrorOfACommandThatIsNotThere) {
  const auto judges = this->judges(1, command({"./no-such-command"}));
  judges->start(chain(1));
  const Judges::Ended ended = judges->wait();
  ASSERT_FALSE(ended.verdict);
  EXPECT_EQ(ended.verdict.error().kind, base::ErrorKind::not_found);
}

TEST_F(Slots, JudgeTheOriginalByteForByte) {
  const fs::path original = dir_.path() / "original.onnx";
  const std::string bytes = edit::test::chain(4).proto.SerializeAsString() + std::string("\xa2\x06\x01x", 4);
  ASSERT_TRUE(base::write_file(original, bytes));  // with an unknown field
  std::string seen;
  const auto judges = SlotJudges::make(
                          {.artifact = artifact_, .slots = 2}, model::load(original).value(),
                          [&](const fs::path& path, const base::Stop&) {
                            seen = base::read_file(path).value();
                            return Verdict{.kind = Kind::fails, .text = "seen"};
                          },
                          stop_, log_)
                          .value();
  EXPECT_EQ(judges->judge_original()->kind, Kind::fails);
  EXPECT_EQ(seen, bytes);
}

// The candidates end before the original, but only wait() returns their verdicts.
TEST_F(Slots, JudgeTheOriginalWhileCandidatesEnd) {
  constexpr int kCandidates = 7;
  std::latch judged(kCandidates);
  const auto judges = SlotJudges::make(
                          {.artifact = artifact_, .slots = kCandidates + 1}, saved(4),
                          [&](const fs::path& path, const base::Stop&) {
                            if (nodes_in(path) == 4) {
                              judged.wait();
                              return Verdict{.kind = Kind::fails, .text = "the original"};
                            }
                            judged.count_down();
                            return Verdict{.kind = Kind::passes, .text = "a candidate"};
                          },
                          stop_, log_)
                          .value();
  for (int i = 0; i < kCandidates; ++i) judges->start(chain(2));
  EXPECT_EQ(judges->judge_original()->text, "the original");
  for (int i = 0; i < kCandidates; ++i) EXPECT_EQ(judges->wait().verdict->text, "a candidate");
}

}  // namespace
}  // namespace assay::reduce
