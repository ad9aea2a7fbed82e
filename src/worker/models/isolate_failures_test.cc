#include "worker/models/isolate_failures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace assay::worker {
namespace {

// Nodes that run in memory: a part fails if it has one of the nodes `bad`.
class Search {
 public:
  explicit Search(int size, std::set<model::NodeId> bad = {})
      : nodes_(static_cast<std::size_t>(size)), bad_(std::move(bad)) {
    std::iota(nodes_.begin(), nodes_.end(), 0);
  }

  base::Status isolate() { return isolate_failures(nodes_, parts(), failed_runs_); }
  base::Status isolate_failed() { return isolate_failures(nodes_, "together", parts(), failed_runs_); }

  FailedRuns failed_runs_ = FailedRuns("the engine");
  Failure failure_ = Failed{Phase::run, 1, "bad node"};
  std::set<model::NodeId> unrunnable_;
  std::vector<NodeIds> runs_;
  NodeIds failing_, skipped_;
  std::string reason_;
  bool splits_ = true;

 private:
  PartRuns parts() {
    return {.runnable =
                [this](const NodeIds& nodes) {
                  NodeIds runnable;
                  std::ranges::remove_copy_if(nodes, std::back_inserter(runnable),
                                              [&](model::NodeId id) { return unrunnable_.contains(id); });
                  return runnable;
                },
            .run = [this](const NodeIds& nodes) -> base::Expected<std::optional<std::string>> {
              runs_.push_back(nodes);
              if (std::ranges::none_of(nodes, [&](model::NodeId id) { return bad_.contains(id); })) return std::nullopt;
              ASSAY_TRY(failed_runs_.add(failure_));
              return describe(failure_);
            },
            .fails =
                [this](const NodeIds& nodes, const std::string& reason) {
                  failing_.insert(failing_.end(), nodes.begin(), nodes.end());
                  reason_ = reason;
                },
            .is_skipped = [this](const NodeIds& nodes) { skipped_.insert(skipped_.end(), nodes.begin(), nodes.end()); },
            .splits = splits_};
  }

  NodeIds nodes_;
  std::set<model::NodeId> bad_;
};

TEST(IsolateFailures, RunsOnceIfNothingFails) {
  Search search(1000);
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_.size(), 1);
  EXPECT_TRUE(search.failing_.empty());
}

TEST(IsolateFailures, FindsEveryFailingNodeWithFewRuns) {
  Search search(1024, {0, 700, 1023});
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.failing_, (NodeIds{0, 700, 1023}));
  EXPECT_LE(search.runs_.size(), 3 * 2 * 10 + 1);  // two for each node and each of the 10 halvings
}

TEST(IsolateFailures, RunsTheFirstHalfFirst) {
  Search search(4, {3});
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_, (std::vector<NodeIds>{{0, 1, 2, 3}, {0, 1}, {2, 3}, {2}, {3}}));
}

TEST(IsolateFailures, DoesNotRepeatAKnownFailure) {
  Search search(2, {1});
  ASSERT_TRUE(search.isolate_failed());
  EXPECT_EQ(search.runs_, (std::vector<NodeIds>{{0}, {1}}));
  Search single(1, {0});
  ASSERT_TRUE(single.isolate_failed());
  EXPECT_TRUE(single.runs_.empty());
  EXPECT_EQ(single.failing_, NodeIds{0});
  EXPECT_EQ(single.reason_, "together");
}

TEST(IsolateFailures, LeavesOutWhatCannotRun) {
  Search search(4, {1});
  search.unrunnable_ = {1, 2};
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_, (std::vector<NodeIds>{{0, 3}}));
  search.unrunnable_ = {0, 1, 2, 3};
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_.size(), 1) << "an empty part ran";
}

TEST(IsolateFailures, KeepsPartsThatAreNotToBeSplit) {
  Search search(4, {1});
  search.splits_ = false;
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_.size(), 1);
  EXPECT_EQ(search.failing_, (NodeIds{0, 1, 2, 3}));
}

TEST(IsolateFailures, SkipsTheRestAfterEnoughFailures) {
  Search search(8, {0, 7});
  search.failed_runs_ = FailedRuns("the engine", 4);
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.failing_, NodeIds{0});
  EXPECT_EQ(search.skipped_, (NodeIds{1, 2, 3, 4, 5, 6, 7}));
}

TEST(IsolateFailures, SkipsTheRestAfterTwoTimeouts) {
  Search search(8, {0});
  search.failure_ = TimedOut{10};
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.runs_.size(), 2);
  EXPECT_TRUE(search.failing_.empty());
  EXPECT_EQ(search.skipped_.size(), 8);
}

TEST(IsolateFailures, MoreTimeoutsCanBeAllowed) {
  Search search(8, {0, 5});
  search.failure_ = TimedOut{10};
  search.failed_runs_ = FailedRuns("the engine", 100, 4);
  ASSERT_TRUE(search.isolate());
  EXPECT_EQ(search.failing_, NodeIds{0});
  EXPECT_EQ(search.skipped_, (NodeIds{1, 2, 3, 4, 5, 6, 7}));
}

TEST(IsolateFailures, EndsIfNoRunCanSucceed) {
  for (const auto& [failure, kind] : {std::pair<Failure, base::ErrorKind>(Stopped{}, base::ErrorKind::interrupted),
                                      {Failed{Phase::start, 0, "no library"}, base::ErrorKind::engine}}) {
    Search search(8, {0});
    search.failure_ = failure;
    const base::Status status = search.isolate();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, kind);
    EXPECT_EQ(status.error().where, "the engine");
    EXPECT_EQ(search.runs_.size(), 1);
  }
}

}  // namespace
}  // namespace assay::worker
