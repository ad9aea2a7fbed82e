#include "reduce/passes/path_waists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// #0 and #1 lead to #2, from which two ways lead to #5.
constexpr const char* kModel = R"(g (float[2] x) => (float[2] y) {
    a = Abs(x)  b = Exp(x)  c = Add(a, b)  d = Neg(c)  e = Sin(c)  f = Add(d, e)  y = Relu(f) })";

std::vector<std::string> waists(const Paths& paths) {
  const model::Model model = edit::test::parse(kModel);
  const model::GraphView view(model.graph());
  std::vector<std::string> texts;
  for (const Waist& waist : path_waists(view, paths)) {
    texts.push_back(std::string(view.name(waist.tensor)) + ":");
    for (const model::NodeId node : waist.nodes) texts.back() += " " + model.graph().node(node).output(0);
  }
  return texts;
}

TEST(PathWaists, AreTheTensorsThatAllPathsShare) {
  EXPECT_THAT(waists({.from = {0}, .to = 6}), ElementsAre("a: a", "c: c", "f: d e f"));
}

TEST(PathWaists, BeginOnlyOnceAllPathsHaveBegun) {
  EXPECT_THAT(waists({.from = {0, 1}, .to = 6}), ElementsAre("c: a b c", "f: d e f"));
}

TEST(PathWaists, IgnorePathsThatLeaveTheSet) {
  EXPECT_THAT(waists({.from = {2}, .to = 5, .within = {false, false, true, true, false, true, false}}),
              ElementsAre("c: c", "d: d"));
  EXPECT_THAT(waists({.from = {0}, .to = 5, .within = {true, true, false, true, true, true, true}}), IsEmpty());
}

}  // namespace
}  // namespace assay::reduce
