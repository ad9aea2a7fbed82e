#include "surgeon/graph/no_such_tensor.h"

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> similar(const std::string& name) {
  const model::Model model = parse(
      "g (float[1] input) => (float[1] out) { block1_conv = Abs(input)  block2_conv = Neg(block1_conv)  x = "
      "Abs(block2_conv)  out = Neg(x) }");
  return similar_names(model::GraphView(model.graph()), name);
}

TEST(TensorNames, SuggestsTyposAndSubstrings) {
  EXPECT_THAT(similar("block1_covn"), ElementsAre("block1_conv", "block2_conv"));
  EXPECT_THAT(similar("conv"), ElementsAre("block1_conv", "block2_conv"));
  EXPECT_THAT(similar("Input"), ElementsAre("input"));
  EXPECT_THAT(similar("input:0"), ElementsAre("input"));
}

TEST(TensorNames, ALetterInCommonIsNot) {
  EXPECT_THAT(similar("proxy"), IsEmpty());
}

TEST(TensorNames, ThoseInBodiesAreSaidToBeThere) {
  const model::Model model = parse(R"(g (float[1] a, bool c) => (float[1] b) { d = Abs(a) b = If (c) <
      then_branch = t () => (float[1] u) { inner = Abs(d) u = Neg(inner) },
      else_branch = e () => (float[1] v) { v = Neg(d) }> })");
  const base::Error error = no_such_tensor(model::GraphView(model.graph()), "inner", "--outputs");
  EXPECT_THAT(error.message(), HasSubstr("'inner' is in a body of If 'b' (node #1) (in --outputs)"));
}

TEST(TensorNames, WithoutALikeOneTheFirstAreListed) {
  const model::Model model = parse("g (float[1] a) => (float[1] b) { b = Abs(a) }");
  const base::Error error = no_such_tensor(model::GraphView(model.graph()), "something", "--outputs");
  EXPECT_EQ(error.kind, base::ErrorKind::not_found);
  EXPECT_THAT(error.message(), HasSubstr("'something' (in --outputs). Available: a, b;"));
}

TEST(TensorNames, LettersAreNotSimilar) {
  const model::Model model = parse("g (float[1] a) => (float[1] b) { b = Abs(a) }");
  const model::GraphView view(model.graph());
  EXPECT_THAT(no_such_tensor(view, "k", "--outputs").message(), HasSubstr("Available: a, b;"));
  EXPECT_THAT(no_such_tensor(view, "A", "--outputs").message(), HasSubstr("Did you mean a?"));
}

}  // namespace
}  // namespace assay::surgeon
