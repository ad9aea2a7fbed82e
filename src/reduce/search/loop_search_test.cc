#include "reduce/search/loop_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using testing::HasSubstr;

class LoopSearchTest : public testing::Test {
 protected:
  // The failure begins at iteration `first`; counts candidates.
  void search(const std::string& graph, int first) {
    const model::Model model = edit::test::parse(graph);
    const edit::ValueInfos known = edit::known_value_infos(model);
    const PassInput input{.model = model, .known = known, .values = values_};
    const std::vector<LoopNode> loops = loops_of(input);
    ASSERT_EQ(loops.size(), 1U);
    LoopSearch search(input, loops.front());
    while (const auto proposal = search.next()) {
      edit::test::expect_valid(*std::get<SharedModel>(proposal->draft));
      asked_.push_back(proposal->what);
      const int iteration = std::stoi(proposal->what.substr(proposal->what.find(" by iteration ") + 14));
      Verdict verdict;
      verdict.kind = iteration >= first ? Verdict::Kind::fails : Verdict::Kind::passes;
      verdict.output = "said";
      search.learn(verdict);
    }
    found_ = search.found() ? edit::test::text(*search.found()) : "";
    output_ = search.output();
  }

  static std::string loop(const std::string& rounds) {
    return "g (float[2] x, int64 m) => (float[2] y) <int64 hundred = {100}, int64 one = {1}> { y, z = Loop (" + rounds +
           ", , x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t, float[2] u) { t = Abs(s) "
           "u = Neg(t) }> }";
  }

  tensor::NamedTensors values_;
  std::vector<std::string> asked_;
  std::string found_, output_;
};

TEST_F(LoopSearchTest, FindsTheFirstIterationThatFails) {
  search(loop("hundred"), 37);
  EXPECT_THAT(found_, HasSubstr("int64 i_rounds =  {37}"));
  EXPECT_EQ(output_, "said");
  EXPECT_LE(asked_.size(), 11U);
}

TEST_F(LoopSearchTest, AsksOnceIfTheSecondFails) {
  search(loop("hundred"), 1);
  EXPECT_THAT(found_, HasSubstr("int64 i_rounds =  {1}"));
  EXPECT_EQ(asked_.size(), 1U);
}

TEST_F(LoopSearchTest, AsksTwiceIfNoneFails) {
  search(loop("hundred"), 1000);
  EXPECT_EQ(found_, "");
  EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(LoopSearchTest, TakesTheNumberOfRoundsFromARecordedValue) {
  values_.set("m", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {}, {3}));
  search(loop("m"), 2);
  EXPECT_THAT(found_, HasSubstr("int64 i_rounds =  {2}"));
  EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(LoopSearchTest, GuessesTheNumberOfIterationsIfItIsUnknown) {
  search(loop("m"), 60);
  EXPECT_THAT(found_, HasSubstr("int64 i_rounds =  {60}"));
}

TEST_F(LoopSearchTest, BearsAnyNumberThatAFileMaySay) {
  for (const std::int64_t rounds : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0}}) {
    values_.set("m", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {}, {rounds}));
    search(loop("m"), 0);
    EXPECT_TRUE(asked_.empty()) << rounds;
  }
  values_.set("m", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {},
                                                    {std::numeric_limits<std::int64_t>::max()}));  // until it ends
  search(loop("m"), 1000000);
  EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(LoopSearchTest, AsksNothingOfALoopThatRunsOnce) {
  search(loop("one"), 0);
  EXPECT_TRUE(asked_.empty());
}

}  // namespace
}  // namespace assay::reduce
