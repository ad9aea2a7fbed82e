#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(ConstantConditions, AreTrueOrFalse) {
  const model::Model before = test::parse(
      "g (float[2] x, float a) => (float[2] y) <float b = {1}> { c = Less(a, b) n = Not(c) y = Where(n, x, x) }");
  std::vector<std::string> texts;
  for (const edit::ModelChange& change : test::propose(constant_conditions, before)) {
    const model::Model applied = test::apply_all(before, {change});
    test::expect_valid(applied);
    ASSERT_GE(applied.graph().initializer_size(), 1);
    const onnx::TensorProto& made = applied.graph().initializer(applied.graph().initializer_size() - 1);
    texts.push_back(change.what + ": " + std::to_string(applied.graph().node_size()) + " " + made.name() + " " +
                    std::to_string(static_cast<int>(made.raw_data().at(0))));
  }
  EXPECT_THAT(texts, testing::ElementsAre("Less 'c' made true: 2 c 1", "Less 'c' made false: 2 c 0",
                                          "Not 'n' made true: 2 n 1", "Not 'n' made false: 2 n 0"));
}

TEST(ConstantConditions, LeaveOutputsMasksAndTheLastNode) {
  for (const std::string text :
       {"g (float a, float b) => (bool y) { y = Less(a, b) }",
        "g (float a, float b, float[2] x) => (bool c, float[2] y) { c = Less(a, b) y = Where(c, x, x) }",
        "g (float[2] a, float[2] b) => (float[2] y) { c = Less(a, b) y = Where(c, a, b) }"}) {
    EXPECT_TRUE(test::propose(constant_conditions, test::parse(text)).empty()) << text;
  }
}

}  // namespace
}  // namespace assay::reduce
