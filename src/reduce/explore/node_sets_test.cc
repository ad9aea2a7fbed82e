#include "reduce/explore/node_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/test_models.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;

// A small tanh-GELU: #0 computes x, which the last node reads again; #4 depends on nothing of it.
model::Model reads_twice() {
  edit::test::GraphBuilder graph;
  graph.input("in").output("y");
  graph.node("Relu", {"in"}, {"x"});
  graph.node("Tanh", {"x"}, {"a"});
  graph.node("Relu", {"a"}, {"b"});
  graph.node("Mul", {"x", "b"}, {"y"});
  graph.node("Relu", {"in"}, {"other"});
  return graph.build();
}

TEST(Depths, AreTheLongestWays) {
  const model::Model model = reads_twice();
  const edit::Subject subject(model);
  EXPECT_THAT(depths(subject, {0, 1, 2, 3, 4}, {3}), ElementsAre(3, 2, 1, 0, -1));
  EXPECT_THAT(distances(subject, {0, 1, 2, 3, 4}, {3}, Direction::against), ElementsAre(1, 2, 1, 0, -1));
}

TEST(Depths, CountFromTheLastOfSeveralSeeds) {
  const model::Model model = reads_twice();
  const edit::Subject subject(model);
  EXPECT_THAT(depths(subject, {0, 1, 2, 3, 4}, {1, 3}), ElementsAre(3, 2, 1, 0, -1));
  EXPECT_THAT(depths(subject, {0, 1, 2, 3, 4}, {1, 4}), ElementsAre(1, 0, -1, -1, 0));
}

TEST(Depths, StayWithinTheNodesThatAreGiven) {
  const model::Model model = reads_twice();
  const edit::Subject subject(model);
  EXPECT_THAT(depths(subject, {0, 1, 3}, {3}), ElementsAre(1, -1, 0));
}

TEST(Depths, OfACircleAreUnknown) {
  edit::test::GraphBuilder graph;
  graph.input("in").output("y");
  graph.node("Add", {"in", "back"}, {"x"});
  graph.node("Relu", {"x"}, {"back"});
  graph.node("Relu", {"x"}, {"y"});
  const model::Model model = graph.build();
  const edit::Subject subject(model);
  EXPECT_THAT(depths(subject, {0, 1, 2}, {2}), ElementsAre(-1, -1, 0));
}

TEST(Depths, DoNotDependOnTheOrderOfTheFile) {
  edit::test::GraphBuilder graph;
  graph.input("in").output("y");
  graph.node("Mul", {"x", "b"}, {"y"});
  graph.node("Relu", {"a"}, {"b"});
  graph.node("Relu", {"in"}, {"x"});
  graph.node("Tanh", {"x"}, {"a"});
  const model::Model model = graph.build();
  const edit::Subject subject(model);
  EXPECT_THAT(depths(subject, {0, 1, 2, 3}, {0}), ElementsAre(0, 1, 3, 2));
}

// A check compares nothing of a sequence.
TEST(Select, MakesTensorsThatAreOnlyInASequenceOutputs) {
  edit::test::GraphBuilder graph;
  graph.input("in").output("y");
  graph.node("Relu", {"in"}, {"a"});
  graph.node("Tanh", {"a"}, {"b"});
  graph.node("SequenceConstruct", {"b"}, {"one"});
  graph.node("SequenceInsert", {"one", "a"}, {"two"});
  graph.node("SequenceAt", {"two", "i"}, {"y"});
  const model::Model model = graph.build();
  const edit::Subject subject(model);
  const auto outputs = [&](Nodes nodes) {
    std::vector<std::string> names;
    for (const edit::TensorId id : select(subject, std::move(nodes)).outputs)
      names.emplace_back(subject.view().name(id));
    return names;
  };
  EXPECT_THAT(outputs({0, 1, 2, 3}), ElementsAre("two", "one", "a", "b"));
  EXPECT_THAT(outputs({1, 2}), ElementsAre("one", "b"));
  EXPECT_THAT(outputs({0, 1, 2, 3, 4}), ElementsAre("y")) << "nothing is hidden";
}

}  // namespace
}  // namespace assay::reduce
