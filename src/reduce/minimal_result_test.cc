#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "edit/test_models.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::reduce {
namespace {

bool holds_both(const model::Model& model) {
  const auto names = edit::test::node_names(model);
  return std::ranges::count_if(names, [](const auto& name) { return name == "n_t30" || name == "n_t60"; }) == 2;
}

// Candidates are made of the nodes of the original, and keep it alive.
TEST(MinimalResult, DoesNotKeepTheOriginal) {
  auto original = std::make_shared<const model::Model>(edit::test::chain(100));
  const std::weak_ptr<const model::Model> watched = original;
  test::FunctionJudges judges(1, [](const model::Model& model) {
    return Verdict{.kind = holds_both(model) ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
  });
  ReduceOptions options;
  options.limits.until_nodes = 99;  // a result with many nodes of the original
  const auto result = reduce_model(std::move(original), options, test::bare_parts(judges));
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_TRUE(watched.expired());
  EXPECT_TRUE(holds_both(*result->model));
  ASSERT_TRUE(result->passing);
  EXPECT_FALSE(holds_both(*result->passing));
}

}  // namespace
}  // namespace assay::reduce
