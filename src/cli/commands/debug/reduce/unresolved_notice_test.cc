#include "cli/commands/debug/reduce/unresolved_notice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace assay::cli {
namespace {

using Kind = reduce::Verdict::Kind;
using Cause = reduce::Verdict::Cause;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class UnresolvedNoticeTest : public testing::Test {
 protected:
  void judge(int times, Kind kind, Cause cause, std::string_view text, bool known = false) {
    for (int i = 0; i < times; ++i) {
      reduce::Progress progress;
      progress.ended = {.kind = kind, .cause = cause, .text = text, .known = known};
      if (auto message = notice_.update(progress)) messages_.push_back(*message);
    }
  }

  UnresolvedNotice notice_;
  std::vector<std::string> messages_;
};

TEST_F(UnresolvedNoticeTest, NamesTheMostFrequentReasonAndTheOptionOnce) {
  judge(9, Kind::passes, Cause::unknown, "exit status 0");
  judge(3, Kind::unresolved, Cause::rule, "exit status 125");
  judge(7, Kind::unresolved, Cause::other_error, "crashed with signal 6 (Aborted), but it is a different failure");
  EXPECT_THAT(messages_, IsEmpty());
  judge(20, Kind::unresolved, Cause::other_error, "crashed with signal 6 (Aborted), but it is a different failure");
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("11 of 20 candidates"), HasSubstr("(8 times): crashed"),
                                           HasSubstr("--same-failure any"), Not(HasSubstr("125")))));
}

// They can't be the failure that the user is after: a crash isn't an exception.
TEST_F(UnresolvedNoticeTest, DoesNotAdviseToCountFailuresThatEndDifferently) {
  judge(20, Kind::unresolved, Cause::other_ending, "exit status 1, but it is a different failure");
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("--values"), Not(HasSubstr("--same-failure")))));
}

TEST_F(UnresolvedNoticeTest, SaysNothingIfHalfCanBeJudged) {
  judge(50, Kind::fails, Cause::unknown, "exit status 1");
  judge(50, Kind::unresolved, Cause::rule, "exit status 125");
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(UnresolvedNoticeTest, CountsNoCandidateTwice) {
  judge(30, Kind::unresolved, Cause::rule, "exit status 125", true);
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(UnresolvedNoticeTest, ReasonsThatNameDifferentTensorsAreOne) {
  judge(8, Kind::unresolved, Cause::engine, "onnxrt can't load or run it, which isn't how the whole model fails");
  for (const char* name : {"a", "b", "c"}) {
    judge(4, Kind::unresolved, Cause::saved_outputs,
          std::string("the saved outputs can't judge it: no value of ") + name);
  }
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("(12 times): the saved outputs"), HasSubstr("another engine"))));
}

}  // namespace
}  // namespace assay::cli
