#include "edit/mark_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_log.h"
#include "model/load.h"

namespace assay::edit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// The expected outputs of the first three tests come from Polygraphy's `run --save-onnx` for the same model and words.
class MarkOutputs : public testing::Test {
 protected:
  MarkOutputs() {
    auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2,3] x, bool c) => (float[2,3] y, float[2,3] z)
      <float[3] w = {1,2,3}, float[2,3] b> {
        a = Add(x, w)
        b = Relu(a)
        k = Constant<value_float = 2.0>()
        y = If(c) <then_branch = t () => (float[2,3] ty) { tmid = Relu(b) ty = Neg(tmid) },
                   else_branch = e () => (float[2,3] ey) { ey = Identity(b) }>
        s = SequenceConstruct(a, b)
        s2 = Identity(s)
        z = Mul(b, k)
        dead = Exp(z)
      })");
    EXPECT_TRUE(model) << (model ? "" : model.error().message());
    model_ = std::move(*model);
  }

  std::vector<std::string> mark(const MarkOptions& options) {
    const base::Status status = mark_outputs(model_, options, log_);
    error_ = status ? "" : status.error().message();
    std::vector<std::string> names;
    for (const auto& output : model_.graph().output()) names.push_back(output.name());
    return names;
  }

  model::Model model_;
  base::test::TestLog log_;
  std::string error_;
};

TEST_F(MarkOutputs, TakesAllThatNodesMakeButConstantsAndSequences) {
  EXPECT_THAT(mark({.outputs = {"*"}}), ElementsAre("a", "b", "y", "z", "dead"));
  EXPECT_THAT(log_.text(), HasSubstr("s, s2"));
}

TEST_F(MarkOutputs, RejectsReversedRanges) {
  mark({.outputs = {"a", "[z-a]*"}});
  EXPECT_THAT(error_, HasSubstr("range out of order in character class at position 3 (in outputs: [z-a]*)"));
  mark({.outputs = {"*"}, .exclude = {"[z-a]*"}});
  EXPECT_THAT(error_, HasSubstr("position 3"));
  EXPECT_THAT(mark({}), ElementsAre("y", "z")) << "the model is unchanged";
}

TEST_F(MarkOutputs, KeepsTheGivenOrderAndMarksEachOnce) {
  EXPECT_THAT(mark({.outputs = {"z", "a", "a", "?"}}), ElementsAre("z", "a", "b", "y"));
}

TEST_F(MarkOutputs, TakesTypesInAnyCaseAndTakesExcludedAway) {
  EXPECT_THAT(mark({.types = {"relu", "MUL"}}), ElementsAre("b", "z"));
  EXPECT_THAT(mark({.outputs = {"*"}, .exclude = {"dea*", "b"}}), ElementsAre("a", "y", "z"));
}

TEST_F(MarkOutputs, NamesAndTypesMarkBoth) {
  EXPECT_THAT(mark({.outputs = {"z", "dead"}, .types = {"relu", "exp"}}), ElementsAre("z", "dead", "b"));
}

TEST_F(MarkOutputs, TypesAlsoMeanElementTypes) {
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) {
        h = Cast<to = 10>(x) i = Relu(h) f = Cast<to = 1>(i) n = Shape(f) y = Neg(f)
      })")
               .value();
  EXPECT_THAT(mark({.types = {"float16"}}), ElementsAre("h", "i"));
  EXPECT_THAT(mark({.types = {"INT64", "neg"}}), ElementsAre("n", "y"));
  mark({.types = {"bfloat16"}});
  EXPECT_THAT(error_, HasSubstr("no node of type bfloat16"));
}

TEST_F(MarkOutputs, ExcludesFromTheModelsOwnOutputs) {
  EXPECT_THAT(mark({.exclude = {"y"}}), ElementsAre("z"));
}

TEST_F(MarkOutputs, ATensorThatIsNoOutputNeedNotBeExcluded) {
  EXPECT_THAT(mark({.outputs = {"a", "b"}, .exclude = {"y", "b"}}), ElementsAre("a"));
  EXPECT_EQ(error_, "");
  EXPECT_THAT(log_.text(), HasSubstr("'y' isn't an output, so it needn't be excluded"));
}

TEST_F(MarkOutputs, KeepsDeclaredTypesAndLeavesOthersOpen) {
  mark({.outputs = {"a", "b", "x"}});
  EXPECT_FALSE(model_.graph().output(0).has_type());
  EXPECT_EQ(model_.graph().output(1).type().tensor_type().shape().dim(1).dim_value(), 3);
  EXPECT_EQ(model_.graph().output(2).type().tensor_type().elem_type(), 1) << "a graph input can be an output";
}

TEST_F(MarkOutputs, RejectsUnknownNamesAndKeepsTheModel) {
  EXPECT_THAT(mark({.outputs = {"a", "nope", "tmid"}}), ElementsAre("y", "z"));
  EXPECT_THAT(error_, HasSubstr("nope, tmid")) << "a tensor inside a body cannot be an output";
  EXPECT_THAT(error_, HasSubstr("weights, and those inside bodies"));
  mark({.exclude = {"nope"}});
  EXPECT_THAT(error_, HasSubstr("no such output: nope"));
  mark({.types = {"Conv"}});
  EXPECT_THAT(error_,
              AllOf(HasSubstr("no node of type Conv"), HasSubstr("Its nodes have the types "), HasSubstr("Mul")));
}

TEST_F(MarkOutputs, ErrorsNameTheOptionAndASimilarTensor) {
  const MarkOptions::Labels options = {.outputs = "--onnx-outputs", .types = "--by-type", .exclude = "--exclude"};
  mark({.outputs = {"Tmid"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("no such tensor: Tmid (in --onnx-outputs)"));
  mark({.outputs = {"A"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("Did you mean a or b or "));
  mark({.types = {"Conv"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("(in --by-type)"));
  mark({.exclude = {"nope"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("(in --exclude)"));
  mark({.outputs = {"q*"}, .exclude = {"a"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("no outputs would remain (in --onnx-outputs)"));
  mark({.outputs = {"a"}, .exclude = {"a"}, .labels = options});
  EXPECT_THAT(error_, HasSubstr("no outputs would remain (in --exclude)"));
}

TEST_F(MarkOutputs, NamesTheFirstOfManyUnknownTensors) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back("nope" + std::to_string(i));
  mark({.outputs = names});
  EXPECT_THAT(error_, HasSubstr("nope8, nope9, and 2990 more (in"));
}

TEST_F(MarkOutputs, RejectsAnEmptyResult) {
  EXPECT_THAT(mark({.outputs = {"q*"}}), ElementsAre("y", "z"));
  EXPECT_THAT(log_.text(), HasSubstr("'q*' matches no tensor"));
  EXPECT_THAT(error_, HasSubstr("no outputs would remain"));
  mark({.outputs = {"a"}, .exclude = {"*"}});
  EXPECT_THAT(error_, HasSubstr("no outputs would remain"));
}

TEST_F(MarkOutputs, TakesANameBeforeAPattern) {
  model_.graph().mutable_node(0)->set_output(0, "a[0]");
  model_.graph().mutable_node(1)->set_input(0, "a[0]");
  EXPECT_THAT(mark({.outputs = {"a[0]"}}), ElementsAre("a[0]"));
  EXPECT_THAT(log_.text(), HasSubstr("'a[0]' is the name of a tensor, so it isn't used as a pattern"));
}

TEST_F(MarkOutputs, TakesAllEvenIfATensorIsNamedLikeTheWildcard) {
  model_.graph().mutable_node(0)->set_output(0, "*");
  model_.graph().mutable_node(1)->set_input(0, "*");
  EXPECT_THAT(mark({.outputs = {"*"}}), ElementsAre("*"));
  EXPECT_THAT(mark({.all = true}), ElementsAre("*", "b", "y", "z", "dead"));
}

}  // namespace
}  // namespace assay::edit
