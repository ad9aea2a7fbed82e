#include "reduce/explore/draft_hashes.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "edit/test_models.h"
#include "reduce/explore/known_candidates.h"

namespace assay::reduce {
namespace {

edit::Selection choose(std::vector<edit::NodeId> nodes) {
  edit::Selection selection;
  selection.nodes = std::move(nodes);
  selection.outputs = {3};
  return selection;
}

class DraftHashesTest : public testing::Test {
 protected:
  // Returns whether the hash is found without building the draft.
  bool is_known(const Draft& draft) {
    const int before = built_;
    EXPECT_TRUE(hashes_.hash(draft, build_));
    return built_ == before;
  }

  int built_ = 0;
  const SharedModel model_ = std::make_shared<const model::Model>(edit::test::chain(1));
  const Build build_ = [this](const Draft&) -> base::Expected<SharedModel> { return ++built_, model_; };
  DraftHashes hashes_;
};

Draft cut(CutSelection selection) {
  return std::make_shared<const CutSelection>(std::move(selection));
}

TEST_F(DraftHashesTest, BuildsEqualSelectionsOnce) {
  const edit::Selection selection = choose({1, 2});
  EXPECT_FALSE(is_known(std::make_shared<const edit::Selection>(selection)));
  EXPECT_TRUE(is_known(std::make_shared<const edit::Selection>(selection)));
  EXPECT_FALSE(is_known(std::make_shared<const edit::Selection>(choose({1}))));
}

TEST_F(DraftHashesTest, DistinguishesHowASelectionIsCut) {
  const edit::Selection selection = choose({1, 2});
  const CutSelection plain{.selection = selection, .cut = {4}, .limit = 9, .freeze_cut = false};
  CutSelection frozen = plain;
  frozen.freeze_cut = true;
  CutSelection elsewhere = plain;
  elsewhere.cut = {5};
  EXPECT_FALSE(is_known(std::make_shared<const edit::Selection>(selection)));
  for (const CutSelection& one : {plain, frozen, elsewhere}) EXPECT_FALSE(is_known(cut(one)));
  for (const CutSelection& one : {plain, frozen, elsewhere}) EXPECT_TRUE(is_known(cut(one)));
  hashes_.clear();
  EXPECT_FALSE(is_known(cut(plain)));
}

TEST_F(DraftHashesTest, GivesTheModelOnlyIfItWasBuilt) {
  const Draft draft = std::make_shared<const edit::Selection>(choose({1}));
  const Built first = hashes_.hash(draft, build_).value();
  EXPECT_EQ(first.model, model_);
  const Built again = hashes_.hash(draft, build_).value();
  EXPECT_EQ(again.model, nullptr);
  EXPECT_EQ(again.hash, first.hash);
  EXPECT_EQ(hashes_.build(draft, build_).value().model, model_);
}

TEST_F(DraftHashesTest, KnowsDraftsThatBuildNothing) {
  const Build nothing = [](const Draft&) -> base::Expected<SharedModel> { return nullptr; };
  EXPECT_EQ(hashes_.build(model_, nothing).value().hash, kNoCandidate);
}

}  // namespace
}  // namespace assay::reduce
