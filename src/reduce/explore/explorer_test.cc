#include "reduce/explore/explorer.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "reduce/explore/explorer_test_support.h"
#include "reduce/judge/test_judges.h"
#include "reduce/verdicts/candidate_hash.h"
#include "reduce/verdicts/replay.h"

namespace assay::reduce {
namespace {

TEST(Explorer, SavesTheReplayFileAlsoIfALimitEndsTheSearch) {
  const base::TempDir folder = base::TempDir::create().value();
  Journal journal = Journal::open(folder.path() / "journal", "check").value();
  std::vector<Draft> models;
  for (int nodes = 5; nodes > 0; --nodes) {
    const SharedModel model = std::make_shared<const model::Model>(edit::test::chain(nodes));
    ASSERT_TRUE(journal.record(candidate_hash(*model), {.kind = Verdict::Kind::passes, .text = {}}));
    models.emplace_back(model);
  }
  base::SilentLog log;
  IterationSetup setup;
  setup.save_replay = folder.path() / "replay.json";
  Iterations iterations = Iterations::make(setup, std::chrono::system_clock::time_point{}, log).value();
  test::FunctionJudges judges(1, [](const model::Model&) {
    ADD_FAILURE() << "checked";
    return Verdict{.kind = Verdict::Kind::passes, .text = {}};
  });
  ExploreParts parts = test::bare_explorer_parts(judges);
  parts.journal = &journal;
  parts.iterations = &iterations;
  Explorer explorer(parts, {}, {.until_nodes = {}, .max_checks = 3});
  test::InTurn search(models);
  EXPECT_EQ(explorer.run(search, build_model).value(), LimitReached::checks);
  EXPECT_EQ(Replay::load(setup.save_replay).value().size(), 3U);
}

}  // namespace
}  // namespace assay::reduce
