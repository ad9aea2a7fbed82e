// A reduction that is interrupted after any number of verdicts resumes with those in the journal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "reduce/reduce_model.h"
#include "reduce/verdicts/candidate_hash.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

// Fails after some verdicts, as if the process had been killed.
class MortalJudges final : public Judges {
 public:
  MortalJudges(Judges& judges, int verdicts) : judges_(judges), left_(verdicts) {}
  [[nodiscard]] int slots() const override { return judges_.slots(); }
  Ticket start(SharedModel candidate) override { return judges_.start(std::move(candidate)); }
  Ended wait() override { return count(judges_.wait()); }
  std::optional<Ended> poll() override {
    std::optional<Ended> ended = judges_.poll();
    return ended ? std::optional(count(*std::move(ended))) : std::nullopt;
  }
  std::optional<Ended> cancel(Ticket ticket) override { return judges_.cancel(ticket); }

 private:
  Ended count(Ended ended) {
    if (left_-- <= 0) ended.verdict = base::fail(base::ErrorKind::io, "killed");
    return ended;
  }

  Judges& judges_;
  int left_;
};

class Resuming : public testing::TestWithParam<int> {
 protected:
  // The failure needs n_t4 and n_t34. Without n_t4, n_t34 fails in another way.
  base::Expected<Reduction> run(const fs::path& folder, int verdicts) {
    test::FunctionJudges judges(GetParam(), [this](const model::Model& candidate) {
      ++checks_;
      const std::vector<std::string> names = edit::test::node_names(candidate);
      if (!std::ranges::count(names, "n_t34")) return Verdict{.kind = Verdict::Kind::passes, .text = "exit status 0"};
      return Verdict{.kind = Verdict::Kind::fails,
                     .text = std::ranges::count(names, "n_t4") ? "exit status 1" : "exit status 3"};
    });
    MortalJudges mortal(judges, verdicts);
    IterationSetup options;
    options.save_replay = folder / "replay.json";
    Iterations iterations = Iterations::make(std::move(options), std::chrono::system_clock::time_point{}, log_).value();
    FailureFilter filter(SameFailure::same_class, log_);
    Journal journal = Journal::open(folder / "journal", "check").value();
    auto result = test::reduce(model_, {},
                               {.explore = {.judges = mortal,
                                            .journal = &journal,
                                            .iterations = &iterations,
                                            .log = log_,
                                            .stop = stop_,
                                            .filter = &filter}});
    recorded_ = journal.size();
    return result;
  }

  const model::Model model_ = edit::test::chain(40);
  const base::Stop stop_;
  base::SilentLog log_;
  std::size_t checks_ = 0;    // that were made
  std::size_t recorded_ = 0;  // verdicts in the journal
};
INSTANTIATE_TEST_SUITE_P(Slots, Resuming, testing::Values(1, 3));

TEST_P(Resuming, EndsAsIfNothingHadHappenedWithNoCheckMadeTwice) {
  const base::TempDir undisturbed = base::TempDir::create().value();
  const auto expected = run(undisturbed.path(), 1'000'000);
  ASSERT_TRUE(expected) << expected.error().message();
  const std::string replay = base::read_file(undisturbed.path() / "replay.json").value();
  const std::string result = candidate_hash(*expected->model);
  bool ended = false;
  for (int verdicts = 0; !ended; ++verdicts) {
    SCOPED_TRACE(verdicts);
    checks_ = 0;
    const base::TempDir folder = base::TempDir::create().value();
    const auto killed = run(folder.path(), verdicts);
    ended = killed && !killed->error;
    const auto resumed = run(folder.path(), 1'000'000);
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_EQ(candidate_hash(*resumed->model), result);
    EXPECT_EQ(base::read_file(folder.path() / "replay.json").value(), replay);
    EXPECT_EQ(resumed->counts.asked(), expected->counts.asked());
    EXPECT_EQ(resumed->counts.all_failing(), expected->counts.failing);
    EXPECT_LE(resumed->counts.failing + resumed->counts.unresolved, resumed->counts.checks);
    EXPECT_LE(resumed->counts.replayed_failing + resumed->counts.replayed_unresolved, resumed->counts.replayed);
    EXPECT_LE(checks_, recorded_ + 1) << "only the one whose verdict was not heard is made twice";
  }
}

}  // namespace
}  // namespace assay::reduce
