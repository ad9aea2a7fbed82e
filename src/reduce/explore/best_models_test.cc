#include "reduce/explore/best_models.h"

#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

Judged judged(std::int64_t nodes) {
  return {.model = std::make_shared<const model::Model>(), .nodes = nodes};
}

TEST(BestModels, KeepTheSmallestThatFailsAndTheLatestOfEqualOnes) {
  BestModels models;
  EXPECT_EQ(models.best().model, nullptr);
  EXPECT_EQ(models.add_failing(judged(9)), 0);
  EXPECT_EQ(models.add_failing(judged(5)), 4);
  EXPECT_EQ(models.add_failing(judged(7)), 0);
  const Judged latest = judged(5);
  EXPECT_EQ(models.add_failing(latest), 0);
  EXPECT_EQ(models.best().model, latest.model);
}

TEST(BestModels, CompareTheFirstWithTheWholeModel) {
  BestModels models;
  models.set_whole(12);
  EXPECT_EQ(models.add_failing(judged(9)), 3);
  EXPECT_EQ(models.add_failing(judged(5)), 4);
}

TEST(BestModels, GoBackToTheOnesBefore) {
  BestModels models;
  models.add_failing(judged(9));
  models.add_failing(judged(5));
  EXPECT_TRUE(models.drop_best());
  EXPECT_EQ(models.best().nodes, 9);
  EXPECT_FALSE(models.drop_best());
  EXPECT_EQ(models.best().nodes, 9);
}

TEST(BestModels, FindThePassingOneOfASimilarSize) {
  BestModels models;
  models.add_failing(judged(6));
  EXPECT_EQ(models.nearest_passing().model, nullptr);
  for (const std::int64_t nodes : {1, 5, 20, 30'000}) models.add_passing(judged(nodes));
  EXPECT_EQ(models.nearest_passing().nodes, 5);
}

}  // namespace
}  // namespace assay::reduce
