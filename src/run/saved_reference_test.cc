#include "run/saved_reference.h"

#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;

std::string why(const SavedReferenceSetup& setup, const std::string& model) {
  const model::Model whole = edit::test::parse(
      "agraph (float[2] a, float[2] b) => (float[2] y) "
      "{ s = Add(a, b) t = Relu(s) y = Neg(t) }");
  return SavedReference(setup, whole).why_not(edit::test::parse(model)).value_or("");
}

TEST(SavedReference, NeedsTheOutputs) {
  const SavedReferenceSetup last{.outputs = {"y"}, .loaded_inputs = Names{"a", "b", "s", "t"}};
  EXPECT_EQ(why(last, "agraph (float[2] s) => (float[2] y) { t = Relu(s) y = Neg(t) }"), "");
  EXPECT_EQ(why(last, "agraph (float[2] s) => (float[2] t) { t = Relu(s) }"), "its output 't' wasn't saved");
  const SavedReferenceSetup two{.outputs = {"s", "y"}, .loaded_inputs = Names{"a", "b", "s", "t"}};
  EXPECT_EQ(why(two, "agraph (float[2] s, float[2] t) => (float[2] t1, float[2] y) { t1 = Relu(s) y = Neg(t) }"),
            "its output 't1' wasn't saved");
}

// A marked tensor that wasn't saved is ignored if every saved output has its partner. Otherwise it would be compared
// with the one that is left.
TEST(SavedReference, ConsidersTheOutputsThatTheRunMarks) {
  SavedReferenceSetup all{.outputs = {"y"}, .loaded_inputs = Names{"s"}};
  all.marks.all = true;
  EXPECT_EQ(why(all, "agraph (float[2] s) => (float[2] y) { t = Relu(s) y = Neg(t) }"), "");
  EXPECT_EQ(why(all, "agraph (float[2] s) => (float[2] t) { t = Relu(s) }"), "its output 't' wasn't saved");
  all.outputs = {"s", "t", "y"};
  EXPECT_EQ(why(all, "agraph (float[2] s) => (float[2] t) { t = Relu(s) }"), "");
}

TEST(SavedReference, NeedsTheInputs) {
  const std::string cut = "agraph (float[2] s) => (float[2] t) { t = Relu(s) }";
  EXPECT_EQ(why({.outputs = {"t"}, .loaded_inputs = Names{"s"}}, cut), "");
  EXPECT_EQ(why({.outputs = {"t"}, .loaded_inputs = Names{"a", "b"}}, cut),
            "the check loads no value for its input 's'");
}

TEST(SavedReference, TellsWhetherARunCanStart) {
  const model::Model whole = edit::test::parse("agraph (float[2] a) => (float[2] y) { s = Abs(a) y = Neg(s) }");
  const model::Model cut = edit::test::parse("agraph (float[2] s) => (float[2] t) { t = Neg(s) }");
  EXPECT_EQ(SavedReference({.outputs = {"y"}, .loaded_inputs = Names{"s"}}, whole).find_missing_input(cut),
            std::nullopt);
  EXPECT_TRUE(SavedReference({.outputs = {"y"}, .loaded_inputs = Names{"a"}}, whole).find_missing_input(cut));
  EXPECT_EQ(SavedReference({.outputs = {"y"}}, whole).find_missing_input(cut), std::nullopt) << "it is generated";
}

TEST(SavedReference, GeneratedInputsDependOnThoseBeforeThem) {
  const SavedReferenceSetup generated{.outputs = {"s", "t", "u"}};
  EXPECT_EQ(why(generated, "agraph (float[2] a, float[2] b) => (float[2] s) { s = Add(a, b) }"), "");
  EXPECT_EQ(why(generated, "agraph (float[2] a) => (float[2] u) { u = Neg(a) }"), "");
  EXPECT_EQ(why(generated, "agraph () => (float[1] t) <float[1] s = {1}> { t = Relu(s) }"), "");
  for (const char* input : {"b", "s"}) {
    EXPECT_EQ(why(generated, std::string("agraph (float[2] ") + input + ") => (float[2] t) { t = Neg(" + input + ") }"),
              std::string("the values that the check generates for its input '") + input +
                  "' aren't those of the whole model");
  }
}

}  // namespace
}  // namespace assay::run
