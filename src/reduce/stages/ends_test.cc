#include "reduce/reduce_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "reduce/stages/ends_test_support.h"

namespace assay::reduce {
namespace {

using edit::test::GraphBuilder;
using edit::test::names_of;
using edit::test::node_names;
using test::holds;
using test::Judge;
using test::Names;
using test::needs;
using test::OneJudge;
using test::run;
using test::wide;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::SizeIs;
using testing::UnorderedElementsAre;

base::Expected<Reduction> bisect(const model::Model& model, OneJudge::Function judge, const base::Stop& stop) {
  OneJudge judges(std::move(judge));
  const ReduceParts bare = test::bare_parts(judges);
  return test::reduce(
      model, {.mode = Mode::bisect},
      {.explore = {
           .judges = judges, .journal = nullptr, .iterations = nullptr, .log = bare.explore.log, .stop = stop}});
}

class BothModes : public testing::TestWithParam<Mode> {
 protected:
  [[nodiscard]] ReduceOptions options() const { return {.mode = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Modes, BothModes, testing::Values(Mode::bisect, Mode::linear),
                         [](const auto& mode) { return mode.param == Mode::bisect ? "bisect" : "linear"; });

TEST_P(BothModes, FindsEachNodeOfAChain) {
  const int length = 23;
  for (int culprit = 2; culprit <= length; ++culprit) {
    Judge judge = needs({"n_t" + std::to_string(culprit)});
    const auto reduction = run(edit::test::chain(length), judge, options());
    ASSERT_TRUE(reduction) << reduction.error().message();
    EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_t" + std::to_string(culprit)));
    EXPECT_EQ(reduction->nodes_after, 1);
    EXPECT_EQ(reduction->nodes_before, length);
    EXPECT_EQ(static_cast<std::size_t>(reduction->counts.checks), judge.shown.size());
  }
}

// Polygraphy counts the candidate in both phases.
TEST_P(BothModes, TheReplayFileNamesACandidateOfBothPhasesTwice) {
  const base::TempDir folder = base::TempDir::create().value();
  IterationSetup files;
  files.save_replay = folder.path() / "replay.json";
  base::SilentLog log;
  Iterations iterations = Iterations::make(files, std::chrono::system_clock::time_point{}, log).value();
  Judge judge = needs({"n_t1"});
  OneJudge judges(std::ref(judge));
  ReduceParts parts = test::bare_parts(judges);
  parts.explore.iterations = &iterations;
  ASSERT_TRUE(test::reduce(edit::test::chain(1), options(), parts));
  EXPECT_THAT(judge.shown, SizeIs(1));
  const auto replay = Replay::load(files.save_replay);
  ASSERT_TRUE(replay) << replay.error().message();
  EXPECT_NE(replay->find({.number = 0, .phase = "outputs"}), nullptr);
  EXPECT_NE(replay->find({.number = 0, .phase = "inputs"}), nullptr);
}

TEST_P(BothModes, KeepsWhatLiesBetweenTwoCulprits) {
  for (int distance = 1; distance < 10; ++distance) {
    Judge judge = needs({"n_t8", "n_t" + std::to_string(8 + distance)});
    const auto reduction = run(edit::test::chain(30), judge, options());
    ASSERT_TRUE(reduction);
    EXPECT_THAT(node_names(*reduction->model), SizeIs(distance + 1)) << distance;
  }
}

// Among candidates of the same size, the last one counts, as in Polygraphy.
TEST_P(BothModes, ALaterCandidateThatIsLargerDoesntReplaceASmallerOne) {
  GraphBuilder graph;
  graph.input("x").output("out");
  graph.node("Relu", {"x"}, {"a0"});
  graph.node("Relu", {"a0"}, {"a1"});
  graph.node("Relu", {"x"}, {"b"});
  graph.node("Add", {"a1", "b"}, {"out"});
  Judge judge = needs({});
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre(GetParam() == Mode::bisect ? "n_b" : "n_a0"));
}

TEST_P(BothModes, KeepsTheCulpritsOfWideGraphs) {
  const model::Model model = wide(5, 4).build();
  const Names names = node_names(model);
  for (const std::string& first : names) {
    for (const std::string& second : names) {
      Judge judge = needs({first, second});
      const auto reduction = run(model, judge, options());
      ASSERT_TRUE(reduction) << first << " " << second << ": " << reduction.error().message();
      EXPECT_TRUE(holds(*reduction->model, {first, second}));
      EXPECT_LE(reduction->nodes_after, reduction->nodes_before);
    }
  }
}

TEST_P(BothModes, FindsANodeOfADiamond) {
  Judge judge = needs({"n_j"});
  const auto reduction = run(edit::test::diamond().build(), judge, options());
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_j"));
  EXPECT_THAT(names_of(reduction->model->graph().input()), ElementsAre("a2", "b1"));
  EXPECT_THAT(names_of(reduction->model->graph().output()), ElementsAre("j"));
}

TEST_P(BothModes, SharesInitializersBetweenNodes) {
  GraphBuilder graph;
  graph.input("t0").output("t12").initializer("w").initializer("other");
  for (int i = 0; i < 12; ++i) {
    graph.node("Add", {"t" + std::to_string(i), i % 3 == 0 ? "other" : "w"}, {"t" + std::to_string(i + 1)});
  }
  Judge judge = needs({"n_t5", "n_t6"});
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_t5", "n_t6"));
  EXPECT_THAT(names_of(reduction->model->graph().initializer()), ElementsAre("w"));
}

// A body that adds a tensor of the outer graph to its input.
onnx::GraphProto body(const std::string& captured, const Names& inputs, const std::string& result) {
  GraphBuilder graph;
  for (const std::string& name : inputs) graph.input(name);
  graph.output(result);
  graph.node("Add", {captured, captured}, {result});
  return graph.proto().graph();
}

TEST_P(BothModes, CutsRoundNestedIfs) {
  GraphBuilder graph;
  graph.input("x").input("c").output("z");
  auto& flag = *graph.proto().mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type();
  flag.set_elem_type(onnx::TensorProto::BOOL);
  flag.mutable_shape()->clear_dim();
  std::string last = "x";
  for (int i = 0; i < 6; ++i) {
    const std::string next = "r" + std::to_string(i);
    graph.node("Relu", {last}, {next});
    last = next;
  }
  const auto add_if = [&](onnx::NodeProto& node, const onnx::GraphProto& then_branch,
                          const onnx::GraphProto& else_branch) {
    for (const auto& [name, value] : {std::pair("then_branch", &then_branch), std::pair("else_branch", &else_branch)}) {
      onnx::AttributeProto& attribute = *node.add_attribute();
      attribute.set_name(name);
      attribute.set_type(onnx::AttributeProto::GRAPH);
      *attribute.mutable_g() = *value;
    }
  };
  GraphBuilder inner;  // the outer If's then-branch holds an If that captures r5, r2 and c from two levels up
  inner.output("then_out");
  add_if(inner.node("If", {"c"}, {"then_out"}), body("r5", {}, "deep_a"), body("r2", {}, "deep_b"));
  add_if(graph.node("If", {"c"}, {"y"}), inner.proto().graph(), body("r5", {}, "else_out"));
  last = "y";
  for (int i = 0; i < 6; ++i) {
    const std::string next = i == 5 ? "z" : "q" + std::to_string(i);
    graph.node("Relu", {last}, {next});
    last = next;
  }
  Judge judge = needs({"n_y"});
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction) << reduction.error().message();
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_y"));
  EXPECT_THAT(names_of(reduction->model->graph().input()), UnorderedElementsAre("c", "r5", "r2"));
}

TEST_P(BothModes, CutsRoundALoopThatCaptures) {
  GraphBuilder graph;
  graph.input("x").initializer("n").initializer("yes").output("z");
  onnx::TensorProto& trips = *graph.proto().mutable_graph()->mutable_initializer(0);
  trips.Clear();
  trips.set_name("n");
  trips.set_data_type(onnx::TensorProto::INT64);
  trips.add_int64_data(2);
  onnx::TensorProto& condition = *graph.proto().mutable_graph()->mutable_initializer(1);
  condition.Clear();
  condition.set_name("yes");
  condition.set_data_type(onnx::TensorProto::BOOL);
  condition.add_int32_data(1);
  std::string last = "x";
  for (int i = 0; i < 5; ++i) {
    const std::string next = "r" + std::to_string(i);
    graph.node("Relu", {last}, {next});
    last = next;
  }
  GraphBuilder loop;
  loop.input("i").input("go").input("v").output("go_on").output("v_out");
  auto& types = *loop.proto().mutable_graph();
  types.mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  types.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
  for (onnx::ValueInfoProto* info : {types.mutable_input(1), types.mutable_output(0)}) {
    info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    info->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
  }
  loop.node("Identity", {"go"}, {"go_on"});
  loop.node("Add", {"v", "r1"}, {"v_out"});
  onnx::AttributeProto& attribute = *graph.node("Loop", {"n", "yes", "r4"}, {"y"}).add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = loop.proto().graph();
  graph.node("Relu", {"y"}, {"z"});
  Judge judge = needs({"n_y"});
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction) << reduction.error().message();
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_y"));
  EXPECT_THAT(names_of(reduction->model->graph().input()), UnorderedElementsAre("r4", "r1"));
  // The rank of y can't be inferred, but the checker demands that outputs have one.
  const auto rank = [](const onnx::ValueInfoProto& value) { return value.type().tensor_type().shape().dim_size(); };
  EXPECT_TRUE(reduction->model->graph().output(0).type().tensor_type().has_shape());
  EXPECT_EQ(rank(reduction->model->graph().output(0)), rank(reduction->model->graph().input(0)));
}

TEST_P(BothModes, KeepsAFailureThatIsTheOrderOfTheFile) {
  GraphBuilder graph;
  graph.input("t0").output("t9").output("late");
  graph.node("Abs", {"t4"}, {"late"});  // stands before the node that makes t4
  for (int i = 0; i < 9; ++i) graph.node("Relu", {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)});
  Judge judge{.fails =
                  [](const model::Model& model) {
                    const Names names = node_names(model);
                    const auto late = std::ranges::find(names, "n_late");
                    return std::ranges::find(late, names.end(), "n_t4") != names.end();
                  },
              .valid_models = false,
              .shown = {}};
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), IsSupersetOf({"n_late", "n_t4"}));
}

TEST_P(BothModes, SurvivesNamesThatAreDefinedTwice) {
  GraphBuilder graph;
  graph.input("x").initializer("w").initializer("w").output("d");
  graph.node("Add", {"x", "w"}, {"a"});
  graph.node("Relu", {"x"}, {"a"});
  graph.node("Relu", {"a"}, {"b"});
  graph.node("Relu", {"b"}, {"b"});
  graph.node("Abs", {"b"}, {"d"});
  Judge judge = needs({"n_d"});
  judge.valid_models = false;
  const auto reduction = run(graph.build(), judge, options());
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_d"));
}

TEST_P(BothModes, KeepsTheSmallestFailureOfAJudgeThatIsNotMonotone) {
  Judge judge{.fails = [](const model::Model& model) { return model.graph().node_size() % 3 == 1; }, .shown = {}};
  const auto reduction = run(edit::test::chain(40), judge, options());
  ASSERT_TRUE(reduction);
  int smallest = 40;
  for (const Names& names : judge.shown) {
    if (names.size() % 3 == 1) smallest = std::min(smallest, static_cast<int>(names.size()));
  }
  EXPECT_EQ(reduction->nodes_after, smallest);
  EXPECT_EQ(reduction->model->graph().node_size(), smallest);
}

TEST(ReduceModel, JudgesNoCandidateTwice) {
  Judge judge{.fails = [](const model::Model&) { return true; }, .shown = {}};
  const auto reduction = run(edit::test::chain(1), judge);
  ASSERT_TRUE(reduction);
  EXPECT_THAT(judge.shown, SizeIs(1));
  EXPECT_EQ(reduction->counts.known, 1);
}

TEST(ReduceModel, ReturnsTheWholeModelIfEveryPartPasses) {
  GraphBuilder graph;
  graph.input("x").output("p").output("q");
  graph.node("Relu", {"x"}, {"p"});
  graph.node("Abs", {"x"}, {"q"});
  Judge judge{.fails = [](const model::Model& model) { return model.graph().output_size() == 2; }, .shown = {}};
  const auto reduction = run(graph.build(), judge);
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), ElementsAre("n_p", "n_q"));
}

TEST(ReduceModel, SaysThatAModelDoesNotFail) {
  Judge judge{.fails = [](const model::Model&) { return false; }, .shown = {}};
  const auto reduction = run(edit::test::chain(8), judge);
  ASSERT_FALSE(reduction);
  EXPECT_THAT(reduction.error().what, testing::HasSubstr("does not fail"));
}

TEST(ReduceModel, KeepsConstantNodesIfTheFailureNeedsThem) {
  GraphBuilder graph;
  graph.input("x").output("z");
  graph.node("Relu", {"x"}, {"a"});
  onnx::AttributeProto& value = *graph.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value_floats");
  value.set_type(onnx::AttributeProto::FLOATS);
  value.add_floats(1);
  value.add_floats(2);
  graph.node("Relu", {"a"}, {"b"});
  graph.node("Add", {"b", "c"}, {"d"});
  graph.node("Relu", {"d"}, {"z"});
  Judge judge = needs({"n_c", "n_d"});
  const auto reduction = run(graph.build(), judge);
  ASSERT_TRUE(reduction);
  EXPECT_THAT(node_names(*reduction->model), IsSupersetOf({"n_c", "n_d"}));
  EXPECT_LT(reduction->nodes_after, 5);
}

TEST(ReduceModel, MovesOnlyTheEndsThatItMay) {
  Judge outputs_only = needs({"n_t5"});
  const auto up = run(edit::test::chain(10), outputs_only, {.mode = Mode::bisect, .inputs = false});
  ASSERT_TRUE(up);
  EXPECT_THAT(names_of(up->model->graph().input()), ElementsAre("t0"));
  EXPECT_THAT(names_of(up->model->graph().output()), ElementsAre("t5"));
  Judge inputs_only = needs({"n_t5"});
  const auto down = run(edit::test::chain(10), inputs_only, {.mode = Mode::bisect, .outputs = false});
  ASSERT_TRUE(down);
  EXPECT_THAT(names_of(down->model->graph().input()), ElementsAre("t4"));
  EXPECT_THAT(names_of(down->model->graph().output()), ElementsAre("t10"));
}

TEST(ReduceModel, GivesAPassingModelOfAboutThatSize) {
  Judge judge = needs({"n_t4", "n_t7"});
  const auto reduction = run(edit::test::chain(10), judge);
  ASSERT_TRUE(reduction);
  ASSERT_TRUE(reduction->passing);
  EXPECT_FALSE(holds(*reduction->passing, {"n_t4", "n_t7"}));
  EXPECT_NEAR(reduction->passing->graph().node_size(), 4, 2);
}

TEST(ReduceModel, EndsWithTheErrorOfTheJudge) {
  const auto judge = [](const model::Model&) -> base::Expected<Verdict> {
    return base::fail(base::ErrorKind::not_found, "no such command");
  };
  const auto reduction = bisect(edit::test::chain(4), judge, base::Stop());
  ASSERT_FALSE(reduction);
  EXPECT_EQ(reduction.error().what, "no such command");
}

TEST(ReduceModel, GivesTheBestSoFarWhenItIsStopped) {
  base::Stop stop;
  int checks = 0;
  const auto judge = [&](const model::Model&) -> base::Expected<Verdict> {
    if (++checks == 3) stop.request();
    return Verdict{.kind = Verdict::Kind::fails, .text = {}};
  };
  const auto reduction = bisect(edit::test::chain(100), judge, stop);
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->stop_reason, Reduction::StopReason::stopped);
  EXPECT_EQ(reduction->nodes_after, 13);
}

TEST(ReduceModel, GivesTheBestSoFarWithTheErrorThatEndsIt) {
  int checks = 0;
  const auto judge = [&](const model::Model&) -> base::Expected<Verdict> {
    if (++checks == 4) return base::fail(base::ErrorKind::io, "the disk is full");
    return Verdict{.kind = Verdict::Kind::fails, .text = {}};
  };
  const auto reduction = bisect(edit::test::chain(100), judge, base::Stop());
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->stop_reason, Reduction::StopReason::stopped);
  ASSERT_TRUE(reduction->error);
  EXPECT_EQ(reduction->error->what, "the disk is full");
  EXPECT_EQ(reduction->nodes_after, 13);
}

// Small parts fail in another way. That shows only if the whole model was judged before.
TEST_P(BothModes, LookForTheFailureOfTheWholeIfItIsJudgedFirst) {
  const auto judge = [](const model::Model& candidate) {
    const bool is_other = candidate.graph().node_size() < 4;
    return Verdict{.kind = holds(candidate, {"n_t8"}) ? Verdict::Kind::fails : Verdict::Kind::passes,
                   .text = is_other ? "exit status 4" : "exit status 3"};
  };
  test::FunctionJudges judges(1, judge);
  ReduceParts parts = test::bare_parts(judges);
  FailureFilter filter(SameFailure::same_class, parts.explore.log);
  parts.explore.filter = &filter;
  const auto reduction = test::reduce(edit::test::chain(20), options(), parts);
  ASSERT_TRUE(reduction);
  EXPECT_EQ(filter.reference().value().ending, "exit status 3");
  EXPECT_TRUE(holds(*reduction->model, {"n_t8"}));
  EXPECT_GE(reduction->nodes_after, 4);
}

TEST_P(BothModes, FindsTheSameWithAnyNumberOfSlots) {
  const model::Model model = wide(5, 4).build();
  const auto judge = [](const model::Model& candidate) {
    return Verdict{.kind = holds(candidate, {"n_b3_1", "n_s3"}) ? Verdict::Kind::fails : Verdict::Kind::passes,
                   .text = {}};
  };
  std::optional<Reduction> first;
  for (const int slots : {1, 4, 16}) {
    test::FunctionJudges judges(slots, judge);
    const auto reduction = test::reduce(model, options(), test::bare_parts(judges));
    ASSERT_TRUE(reduction);
    if (!first) first = *reduction;
    EXPECT_EQ(node_names(*reduction->model), node_names(*first->model)) << slots;
    EXPECT_EQ(reduction->counts.checks, first->counts.checks) << slots;
  }
}

// Each check takes one unit of time.
TEST_P(BothModes, FourSlotsTakeHalfTheTimeOfOne) {
  const auto time = [&](int slots) {
    test::TimedJudges judges(slots, [](const model::Model& candidate) {
      return Verdict{.kind = holds(candidate, {"n_t37"}) ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
    });
    EXPECT_TRUE(test::reduce(edit::test::chain(64), options(), test::bare_parts(judges)));
    return judges.now;
  };
  EXPECT_LE(2 * time(4), time(1));
}

}  // namespace
}  // namespace assay::reduce
