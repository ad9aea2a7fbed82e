#include "reduce/search/node_search.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "edit/model_texts.h"
#include "edit/test_models.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;

// Returns the names of the phases that proposed something, in order, without repeats in a row; `fails` is the check.
std::vector<std::string> run(NodeSearch& search, const std::function<bool(const Nodes&)>& fails) {
  std::vector<std::string> passes;
  for (int i = 0; i < 200; ++i) {
    const auto proposal = search.next();
    if (!proposal) return passes;
    if (passes.empty() || passes.back() != proposal->pass) passes.emplace_back(proposal->pass);
    Verdict verdict;
    const auto& selection = std::get<std::shared_ptr<const edit::Selection>>(proposal->draft);
    verdict.kind = fails(selection->nodes) ? Verdict::Kind::fails : Verdict::Kind::passes;
    search.learn(verdict);
  }
  ADD_FAILURE() << "no end";
  return passes;
}

bool holds(const Nodes& nodes, edit::NodeId node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

class NodeSearchTest : public testing::Test {
 protected:
  model::Model model_ = edit::test::chain(40);
  edit::Subject subject_{model_};
};

TEST_F(NodeSearchTest, AsksForTheWholeFirst) {
  NodeSearch search(subject_, {});
  EXPECT_THAT(run(search, [](const Nodes& nodes) { return holds(nodes, 20); }),
              ElementsAre("whole", "prefix", "neighbourhood"));
  EXPECT_THAT(search.best(), ElementsAre(20));
}

TEST_F(NodeSearchTest, EndsAtOnceIfTheWholePasses) {
  NodeSearch search(subject_, {});
  EXPECT_THAT(run(search, [](const Nodes&) { return false; }), ElementsAre("whole"));
  EXPECT_FALSE(search.fails());
}

TEST_F(NodeSearchTest, DoesNotAskForAWholeThatIsKnownToFail) {
  NodeSearch search(subject_, {}, "said");
  EXPECT_THAT(run(search, [](const Nodes& nodes) { return holds(nodes, 20); }), ElementsAre("prefix", "neighbourhood"));
  EXPECT_THAT(search.best(), ElementsAre(20));
  EXPECT_TRUE(search.fails());
}

TEST_F(NodeSearchTest, AsksForItIfAllElsePasses) {
  NodeSearch search(subject_, {}, "");
  int asked = 0;
  run(search, [&](const Nodes&) { return ++asked, false; });
  EXPECT_EQ(asked, 7);  // six candidates, and the whole
  EXPECT_FALSE(search.fails());
}

TEST_F(NodeSearchTest, ContinuesIfOnlyTheWholeFails) {
  const model::Model model = edit::test::chain(3);
  const edit::Subject subject(model);
  NodeSearch search(subject, {}, "");
  const auto passes = run(search, [](const Nodes& nodes) { return nodes.size() == 3; });
  EXPECT_EQ(passes.back(), "nodes");
  EXPECT_TRUE(search.fails());
  EXPECT_EQ(search.best().size(), 3U);
}

TEST_F(NodeSearchTest, FindsARegionWithoutHolesWhoseNodesReadOneTensor) {
  // #20 to #28 fail together; the first and the last of them read the output of #19.
  model::Model model = edit::test::chain(40);
  model.proto.mutable_graph()->mutable_node(28)->add_input("t20");
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  int checks = 0;
  run(search, [&](const Nodes& nodes) {
    ++checks;
    for (edit::NodeId node = 20; node <= 28; ++node) {
      if (!holds(nodes, node)) return false;
    }
    return true;
  });
  EXPECT_EQ(search.best().size(), 9U);
  EXPECT_LE(checks, 1 + 6 + 7 + 9);  // the whole, two bisections, each node once
}

TEST_F(NodeSearchTest, LooksAtReadersThatStandBeforeWhatTheyRead) {
  model::Model model = edit::test::chain(200);
  model.proto.mutable_graph()->mutable_node()->SwapElements(30, 180);
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  int checks = 0;
  // #30 reads the output of #179.
  run(search, [&](const Nodes& nodes) { return ++checks, holds(nodes, 30) && holds(nodes, 179); });
  EXPECT_THAT(search.best(), ElementsAre(30, 179));
  EXPECT_LE(checks, 20);
}

TEST_F(NodeSearchTest, TriesTheNodeWithMostInnerNodesFirst) {
  model::Model model = edit::test::chain(40);
  onnx::AttributeProto& body = *model.proto.mutable_graph()->mutable_node(30)->add_attribute();
  for (int i = 0; i < 1000; ++i) body.mutable_g()->add_node()->set_op_type("Relu");
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  int checks = 0;
  run(search, [&](const Nodes& nodes) { return ++checks, holds(nodes, 30); });
  EXPECT_THAT(search.best(), ElementsAre(30));
  EXPECT_EQ(checks, 2);  // the whole, and the node alone
}

TEST_F(NodeSearchTest, IsNotMisledByANodeThatHoldsMost) {
  model::Model model = edit::test::chain(40);
  onnx::AttributeProto& body = *model.proto.mutable_graph()->mutable_node(30)->add_attribute();
  for (int i = 0; i < 1000; ++i) body.mutable_g()->add_node()->set_op_type("Relu");
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  EXPECT_THAT(run(search, [&](const Nodes& nodes) { return holds(nodes, 35); }),
              ElementsAre("whole", "heaviest", "prefix", "neighbourhood"));
  EXPECT_THAT(search.best(), ElementsAre(35));
}

TEST_F(NodeSearchTest, FindsTwoThatLieFarApart) {
  const model::Model model = edit::test::chain(400);
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  int checks = 0;
  EXPECT_THAT(run(search,
                  [&](const Nodes& nodes) {
                    ++checks;
                    return holds(nodes, 40) && holds(nodes, 350);
                  }),
              ElementsAre("whole", "prefix", "neighbourhood", "suffix", "ends", "nodes"));
  EXPECT_THAT(search.best(), ElementsAre(40, 350));
  EXPECT_LE(checks, 36);
}

TEST_F(NodeSearchTest, LooksForHintsInWhatWasSaidOfIt) {
  NodeSearch search(subject_, {}, "cannot run n_t21: no kernel");
  EXPECT_THAT(run(search, [](const Nodes& nodes) { return holds(nodes, 20); }), ElementsAre("hints"));
}

// A tree of Sums of four: within 0, 1, 2, 3 and 4 edges of its root are 1, 5, 21, 85 and 341 nodes.
TEST_F(NodeSearchTest, TriesHintsAtMostFourTimes) {
  std::string nodes;
  for (int i = 340; i >= 0; --i) {
    const auto input = [i](int k) { return i < 85 ? fmt::format("t{}", 4 * i + k) : std::string("x"); };
    nodes += fmt::format("t{} = Sum ({}, {}, {}, {}) ", i, input(1), input(2), input(3), input(4));
  }
  for (int i = 0; i < 200; ++i) nodes += fmt::format("u{} = Neg ({}) ", i, i == 0 ? "t0" : fmt::format("u{}", i - 1));
  const model::Model model = edit::test::parse("g (float[2] x) => (float[2] u199) { " + nodes + "}");
  const edit::Subject subject(model);
  NodeSearch search(subject, {}, "the tensor t0 is wrong");
  std::vector<std::size_t> sizes;
  while (const auto proposal = search.next()) {
    const auto& selection = std::get<std::shared_ptr<const edit::Selection>>(proposal->draft);
    if (proposal->pass == "hints") sizes.push_back(selection->nodes.size());
    Verdict verdict;
    verdict.kind = holds(selection->nodes, 500) ? Verdict::Kind::fails : Verdict::Kind::passes;
    search.learn(verdict);
  }
  EXPECT_THAT(sizes, ElementsAre(1, 5, 21, 341));
  EXPECT_THAT(search.best(), ElementsAre(500));
}

TEST_F(NodeSearchTest, LeavesOutOperatorsThatAreNotNeeded) {
  model::Model model = edit::test::chain(90);
  for (int i = 0; i < 90; ++i) {
    constexpr std::array kOperators = {"Relu", "Exp", "Abs"};
    model.proto.mutable_graph()->mutable_node(i)->set_op_type(kOperators.at(static_cast<std::size_t>(i) % 3));
  }
  const edit::Subject subject(model);
  NodeSearch search(subject, {});
  const auto needed = [](edit::NodeId node) { return node % 9 == 4; };  // each third Exp
  const auto fails = [&](const Nodes& nodes) { return std::ranges::count_if(nodes, needed) == 10; };
  EXPECT_THAT(run(search, fails), ElementsAre("whole", "prefix", "neighbourhood", "alike", "suffix", "ends", "nodes"));
  EXPECT_EQ(search.best().size(), 10U);
}

}  // namespace
}  // namespace assay::reduce
