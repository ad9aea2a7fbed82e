#include "reduce/reduce_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "edit/test_models.h"
#include "model/inference/check.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "reduce/passes/pass.h"
#include "reduce/search/last_look.h"

namespace assay::reduce {
namespace {

using edit::test::GraphBuilder;
using edit::test::node_names;
using test::FunctionJudges;
using test::holds;
using test::Names;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

Verdict verdict_if(bool fails, std::string output = {}) {
  return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
          .text = fails ? "exit status 1" : "exit status 0",
          .output = std::move(output)};
}

FunctionJudges::Function needs(Names nodes) {
  return [nodes = std::move(nodes)](const model::Model& model) { return verdict_if(holds(model, nodes)); };
}

using MakeReference = std::function<std::unique_ptr<Reference>(const edit::Subject&, const edit::TensorFacts&)>;

base::Expected<Reduction> run(const model::Model& model, Judges& judges, const ReduceOptions& options = {},
                              const MakeReference& reference = {}) {
  ReduceParts parts = test::bare_parts(judges);
  parts.reference = reference;
  return test::reduce(model, options, parts);
}

// x -> n_t0 -> n_t1 -> ... -> n_t(count-1)
model::Model chain(int count) {
  GraphBuilder builder;
  builder.input("x").output("t" + std::to_string(count - 1));
  for (int i = 0; i < count; ++i) {
    builder.node("Relu", {i == 0 ? "x" : "t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
  }
  return builder.build();
}

// Each node reads one or two earlier tensors, mostly recent ones. Tensors that no node reads become outputs.
model::Model random_graph(int count, std::mt19937& random) {
  GraphBuilder builder;
  builder.input("x");
  std::set<std::string> unread;
  for (int i = 0; i < count; ++i) {
    const auto some_tensor = [&] {
      const int back = std::min(i, static_cast<int>(std::geometric_distribution<int>(0.2)(random)));
      const std::string name = i - back == 0 ? "x" : "t" + std::to_string(i - back - 1);
      unread.erase(name);
      return name;
    };
    const std::string made = "t" + std::to_string(i);
    if (random() % 2 == 0) {
      builder.node("Relu", {some_tensor()}, {made});
    } else {
      builder.node("Add", {some_tensor(), some_tensor()}, {made});
    }
    unread.insert(made);
  }
  for (const std::string& name : unread) builder.output(name);
  return builder.build();
}

// Makes the types of all tensors unknown, by using operators of an unknown domain.
model::Model with_unknown_operators(model::Model model) {
  onnx::OperatorSetIdProto& opset = *model.proto.add_opset_import();
  opset.set_domain("some.where");
  opset.set_version(1);
  for (onnx::NodeProto& node : *model.proto.mutable_graph()->mutable_node()) node.set_domain("some.where");
  return model;
}

Names some_nodes(int count, int of, std::mt19937& random) {
  std::set<int> chosen;
  while (static_cast<int>(chosen.size()) < count) chosen.insert(static_cast<int>(random() % static_cast<unsigned>(of)));
  Names names;
  for (const int i : chosen) names.push_back("n_t" + std::to_string(i));
  return names;
}

TEST(Minimal, FindsOneNodeOfAThousandInAboutAsManyChecksAsHalvingTakes) {
  FunctionJudges judges(1, needs({"n_t617"}));
  const auto result = run(chain(1000), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t617"));
  EXPECT_EQ(result->stop_reason, Reduction::StopReason::minimal);
  EXPECT_LE(judges.started, 19);  // the whole, about 10 divisions, the node, none, the result three times more
}

TEST(Minimal, LooksFirstAtTheNodesThatTheCheckNames) {
  FunctionJudges judges(1, [](const model::Model& model) {
    return verdict_if(holds(model, {"n_t617", "n_t618"}), "cannot run node 'n_t618': no kernel");
  });
  const auto result = run(chain(1000), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t617", "n_t618"));
  EXPECT_LE(judges.started, 15);  // each node is looked at twice, the result three times more
}

TEST(Minimal, IsNotMisledByAMessageThatNamesAnotherNode) {
  FunctionJudges judges(
      1, [](const model::Model& model) { return verdict_if(holds(model, {"n_t617"}), "while running 'n_t3'"); });
  const auto result = run(chain(1000), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t617"));
}

// A node without one of its inputs is invalid, and that may be the failure.
TEST(Minimal, ReducesAModelWithANodeThatLacksAnInput) {
  for (const bool is_empty : {false, true}) {
    GraphBuilder builder;
    builder.input("x").output("y");
    builder.node("Exp", {"x"}, {"a"});
    builder.node("MatMul", is_empty ? Names{"a", ""} : Names{"a"}, {"y"});
    FunctionJudges judges(1, [](const model::Model& candidate) {
      return verdict_if(
          std::ranges::any_of(candidate.graph().node(), [](const auto& node) { return node.op_type() == "MatMul"; }));
    });
    const auto result = run(builder.build(), judges, {.thorough = true});
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(result->nodes_after, 1);
  }
}

TEST(Minimal, AModelThatDoesNotFailIsAnError) {
  FunctionJudges judges(1, [](const model::Model&) { return verdict_if(false); });
  const auto result = run(chain(5), judges);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, base::ErrorKind::invalid_input);
}

struct Shape {
  int nodes;
  int culprits;
};

class KnownCulprits : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(RandomGraphs, KnownCulprits,
                         testing::Values(Shape{3, 1}, Shape{30, 1}, Shape{30, 2}, Shape{60, 3}, Shape{200, 1},
                                         Shape{200, 2}, Shape{200, 3}, Shape{200, 8}));

TEST_P(KnownCulprits, AreAllThatRemainsWithAnyNumberOfJobs) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    const model::Model model = random_graph(GetParam().nodes, random);
    const Names culprits = some_nodes(GetParam().culprits, GetParam().nodes, random);
    for (const int jobs : {1, 2, 7}) {
      FunctionJudges judges(jobs, [&](const model::Model& candidate) {
        const base::Status valid = model::full_check(candidate);
        EXPECT_TRUE(valid.has_value()) << valid.error().message();
        return verdict_if(holds(candidate, culprits));
      });
      const auto result = run(model, judges);
      ASSERT_TRUE(result.has_value()) << result.error().message();
      EXPECT_THAT(node_names(*result->model), UnorderedElementsAreArray(culprits))
          << "seed " << seed << " jobs " << jobs;
      EXPECT_LE(judges.most_at_once, static_cast<std::size_t>(jobs));
    }
  }
}

// The verdict is fails, passes or unresolved, by a hash that no search can predict.
TEST(Minimal, EndsOneMinimalAndTheSameWithAnyNumberOfJobsWhateverTheCheckSays) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const model::Model model = random_graph(40, random);
    const auto judge = [&](const model::Model& candidate) {
      const Names names = node_names(candidate);
      if (names.size() == 40) return verdict_if(true);
      std::size_t hash = seed;
      for (const std::string& name : names) hash = hash * 31 + std::hash<std::string>()(name);
      Verdict verdict = verdict_if(hash % 3 == 0);
      if (hash % 5 == 1) verdict.kind = Verdict::Kind::unresolved;
      return verdict;
    };
    std::set<Names> results;
    for (const int jobs : {1, 3, 16}) {
      FunctionJudges judges(jobs, judge);
      const auto result = run(model, judges);
      ASSERT_TRUE(result.has_value()) << result.error().message();
      EXPECT_EQ(judge(*result->model).kind, Verdict::Kind::fails);
      results.insert(node_names(*result->model));
    }
    EXPECT_EQ(results.size(), 1U) << "seed " << seed;
  }
}

// Returns the same two numbers for every tensor, or nothing if it is asked for one of the quarter that it refuses.
class PartialReference final : public Reference {
 public:
  explicit PartialReference(std::size_t seed) : seed_(seed) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors result;
    for (const std::string& name : names) {
      if ((std::hash<std::string>()(name) + seed_) % 4 == 0) return {};
      result.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {3, 4}));
    }
    return result;
  }

 private:
  std::size_t seed_;
};

// If types are unknown, the reference is asked for them, also for candidates that turn out not to be needed.
TEST(Minimal, EndsTheSameWithAnyNumberOfJobsIfTypesAreLearnedOnTheWay) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const model::Model model = with_unknown_operators(random_graph(40, random));
    const auto judge = [&](const model::Model& candidate) {
      const Names names = node_names(candidate);
      std::size_t hash = seed;
      for (const std::string& name : names) hash = hash * 31 + std::hash<std::string>()(name);
      return verdict_if(names.size() == 40 || hash % 3 == 0);
    };
    std::set<Names> results;
    for (const int jobs : {1, 2, 3, 16}) {
      FunctionJudges judges(jobs, judge);
      const auto result =
          run(model, judges, {}, [&](const auto&, const auto&) { return std::make_unique<PartialReference>(seed); });
      ASSERT_TRUE(result.has_value()) << result.error().message();
      results.insert(node_names(*result->model));
    }
    EXPECT_EQ(results.size(), 1U) << "seed " << seed;
  }
}

// Returns the same two numbers for every tensor, but claims to be slow. Records which tensors it computed.
class SlowReference final : public Reference {
 public:
  explicit SlowReference(std::set<std::string>& computed) : computed_(computed) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    computed_.insert(names.begin(), names.end());
    return test::FixedReference().available(names);
  }
  bool answers_at_once(const std::vector<std::string>& names) override {
    return std::ranges::all_of(names, [&](const std::string& name) { return computed_.contains(name); });
  }
  [[nodiscard]] bool is_slow() const override { return true; }

 private:
  std::set<std::string>& computed_;
};

TEST(Minimal, ComputesNoSlowValuesToLookAhead) {
  std::mt19937 random(1);
  const model::Model model = with_unknown_operators(random_graph(200, random));
  std::map<int, std::set<std::string>> computed;
  for (const int jobs : {1, 16}) {
    FunctionJudges judges(jobs, needs({"n_t20", "n_t120"}));
    const auto result = run(model, judges, {.skip = {std::string(kVerify)}},
                            [&](const auto&, const auto&) { return std::make_unique<SlowReference>(computed[jobs]); });
    ASSERT_TRUE(result.has_value()) << result.error().message();
  }
  EXPECT_FALSE(computed[1].empty());
  std::vector<std::string> more;
  std::ranges::set_difference(computed[16], computed[1], std::back_inserter(more));
  EXPECT_THAT(more, IsEmpty()) << "besides " << computed[1].size();
}

// x0 -> layers of 13 nodes with 5 operators, one Softmax in each.
model::Model layers(int count) {
  GraphBuilder builder;
  builder.input("x0").output("x" + std::to_string(count)).initializer("w");
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    std::string last = "x" + number;
    const auto add = [&](const std::string& op, const std::string& other = "w") {
      const std::string made = op + std::to_string(builder.proto().graph().node_size());
      builder.node(op, op == "Softmax" || op == "Erf" ? Names{last} : Names{last, other}, {made});
      last = made;
    };
    for (const char* op : {"Mul", "Add", "Div", "Softmax", "Mul", "Add", "Mul", "Add", "Erf", "Mul", "Add"}) add(op);
    add("Add", "x" + number);
    builder.node("Mul", {last, "w"}, {"x" + std::to_string(i + 1)});
  }
  return builder.build();
}

TEST(Minimal, FindsManyNodesOfOneOperatorWhereverTheyAre) {
  const auto softmax = [](const model::Model& model) {
    return std::ranges::count(model.graph().node(), "Softmax", &onnx::NodeProto::op_type);
  };
  std::set<Names> results;
  for (const int jobs : {1, 4, 8}) {
    FunctionJudges judges(jobs, [&](const model::Model& model) { return verdict_if(softmax(model) >= 11); });
    const auto result = run(layers(11), judges);
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(result->model->graph().node_size(), 11);
    EXPECT_EQ(softmax(*result->model), 11);
    EXPECT_LE(result->counts.checks, 60);  // the removal of each node, twice, takes 22 of them
    results.insert(node_names(*result->model));
  }
  EXPECT_EQ(results.size(), 1U);
}

// Softmax and Exp lead from one node of the path to the next, in places along two ways. None of them can be bypassed.
TEST(Minimal, TakesEachNodeOfALongPathOutOnlyAFewTimes) {
  constexpr int kFirst = 60;
  constexpr int kLength = 45;
  GraphBuilder builder;
  builder.input("t0").output("t150");
  for (int i = 0; i < 150; ++i) {
    const std::string from = "t" + std::to_string(i);
    const std::string to = "t" + std::to_string(i + 1);
    if (i % 11 == 0) {
      builder.node("Exp", {from}, {"e" + std::to_string(i)});
      builder.node("Add", {from, "e" + std::to_string(i)}, {to});
    } else {
      builder.node("Softmax", {from}, {to});
    }
  }
  const auto is_connected = [](const model::Model& model) {
    const std::string first = "t" + std::to_string(kFirst);
    const std::string last = "t" + std::to_string(kFirst + kLength);
    std::set<std::string> reached{first};
    std::size_t nodes = 0;
    for (const onnx::NodeProto& node : model.graph().node()) {
      if (!reached.contains(node.input(0))) continue;
      reached.insert(node.output(0));
      nodes += node.output(0).starts_with("t") && reached.size() > 1 ? 1 : 0;
      if (node.output(0) == last) return nodes >= kLength;
    }
    return false;
  };
  FunctionJudges judges(1, [&](const model::Model& model) { return verdict_if(is_connected(model)); });
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->model->graph().node_size(), kLength);
  EXPECT_LE(result->counts.checks, 190);
}

TEST(Minimal, StopsAtTheNumberOfNodesThatIsSmallEnough) {
  FunctionJudges judges(1, needs({"n_t10"}));
  const auto result = run(chain(100), judges, {.limits = {.until_nodes = 30}});
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->stop_reason, Reduction::StopReason::few_nodes);
  EXPECT_LE(result->nodes_after, 30);
  EXPECT_GT(result->nodes_after, 1);
}

TEST(Minimal, StopsAfterSoManyChecksTheSameWithAnyNumberOfJobs) {
  std::set<std::int64_t> sizes;
  for (const int jobs : {1, 4}) {
    FunctionJudges judges(jobs, needs({"n_t10", "n_t60"}));
    const auto result = run(chain(100), judges, {.limits = {.max_checks = 6}});
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(result->stop_reason, Reduction::StopReason::checks);
    EXPECT_EQ(result->counts.checks, 6);
    sizes.insert(result->nodes_after);
  }
  EXPECT_EQ(sizes.size(), 1U);
}

// Nodes that the last look didn't reach are no nodes without which no model could be built.
TEST(Minimal, NamesNoUntriedNodesIfChecksRunOut) {
  FunctionJudges judges(1, needs({"n_t10", "n_t60"}));
  const auto whole = run(chain(100), judges);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  for (int checks = 1; checks <= whole->counts.checks; ++checks) {
    const auto result = run(chain(100), judges, {.limits = {.max_checks = checks}});
    ASSERT_TRUE(result.has_value()) << result.error().message();
    const bool ended_early = result->stop_reason == Reduction::StopReason::checks;
    EXPECT_TRUE(!ended_early || result->untried.empty()) << checks;
  }
}

// The culprit fails only if it reads the model's own input, directly or through other nodes.
TEST(Minimal, BypassesNodesThatOnlyHandOnTheInputThatIsNeeded) {
  FunctionJudges judges(1, [](const model::Model& model) {
    std::set<std::string> from_input = {"x"};
    bool reached = false;
    for (const onnx::NodeProto& node : model.graph().node()) {
      const bool reads = std::ranges::any_of(node.input(), [&](const auto& name) { return from_input.contains(name); });
      if (reads) from_input.insert(node.output().begin(), node.output().end());
      reached |= reads && node.name() == "n_t20";
    }
    const bool has_input = model.graph().input_size() > 0 && model.graph().input(0).name() == "x";
    return verdict_if(reached && has_input);
  });
  const auto result = run(chain(60), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t20"));
  EXPECT_EQ(result->model->graph().node(0).input(0), "x");
}

// The check fails in two of three runs, at random.
TEST(Minimal, RunsCandidatesMoreOftenIfTheFailureIsFlaky) {
  int minimal = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    FunctionJudges judges(1, [&](const model::Model& model) {
      return verdict_if(holds(model, {"n_t30", "n_t33"}) && random() % 3 != 0);
    });
    const auto result = run(chain(64), judges, {.rule = {.repeat = 6}});
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_TRUE(holds(*result->model, {"n_t30", "n_t33"}));
    minimal += result->model->graph().node_size() == 2 ? 1 : 0;
  }
  EXPECT_GE(minimal, 18);
}

TEST(Minimal, ChecksNothingForAPhaseThatIsSkipped) {
  model::Model model = chain(20);
  for (onnx::ValueInfoProto* port : {model.graph().mutable_input(0), model.graph().mutable_output(0)}) {
    port->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("N");
  }
  for (const bool is_skipped : {false, true}) {
    ReduceOptions options;
    if (is_skipped) options.skip.insert("nodes");
    FunctionJudges judges(1, needs({"n_t8", "n_t9", "n_t10"}));
    const auto result =
        run(model, judges, options, [](const auto&, const auto&) { return std::make_unique<test::FixedReference>(); });
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(std::ranges::count(result->passes, "nodes", &PassCounts::pass), is_skipped ? 0 : 1);
  }
}

TEST(Minimal, SaysThatItEndedEarlyEvenIfAllPassesAreSkipped) {
  ReduceOptions options;
  options.limits.until_nodes = 10;
  for (const Pass& pass : passes()) options.skip.emplace(pass.name);
  FunctionJudges judges(1, needs({"n_t3", "n_t70"}));
  const auto result = run(chain(100), judges, options);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->stop_reason, Reduction::StopReason::few_nodes);
}

TEST(Minimal, KeepsUnreadInputsThatTheFailureNeeds) {
  GraphBuilder builder;
  builder.input("x").input("unread").input("unread_too").output("t59");
  for (int i = 0; i < 60; ++i) {
    builder.node("Relu", {i == 0 ? "x" : "t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
  }
  FunctionJudges judges(1, [](const model::Model& model) {
    const bool has_input =
        std::ranges::any_of(model.graph().input(), [](const auto& i) { return i.name() == "unread"; });
    return verdict_if(has_input && holds(model, {"n_t7"}));
  });
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_FALSE(result->verbatim);
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t7"));
  std::vector<std::string> inputs;
  for (const auto& input : result->model->graph().input()) inputs.push_back(input.name());
  EXPECT_THAT(inputs, testing::IsSupersetOf({"t6", "unread"}));
}

TEST(Minimal, DoesNotClaimThatAFileIsMinimalThatFailsOnlyByteForByte) {
  FunctionJudges judges(1, [](const model::Model&) { return verdict_if(false); });
  ReduceParts parts = test::bare_parts(judges);
  parts.judge_file = [] { return base::Expected<Verdict>(verdict_if(true)); };
  const auto result = test::reduce(chain(3), {}, parts);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_TRUE(result->verbatim);
  EXPECT_EQ(result->stop_reason, Reduction::StopReason::unchanged);
  EXPECT_EQ(result->nodes_after, 3);
}

TEST(Minimal, KeepsUnreadWeightsThatTheFailureNeeds) {
  GraphBuilder builder;
  builder.input("x").output("t59").initializer("unread").initializer("unread_too");
  for (int i = 0; i < 60; ++i) {
    builder.node("Relu", {i == 0 ? "x" : "t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
  }
  FunctionJudges judges(1, [](const model::Model& model) {
    const bool has_weight =
        std::ranges::any_of(model.graph().initializer(), [](const auto& weight) { return weight.name() == "unread"; });
    return verdict_if(has_weight && holds(model, {"n_t7"}));
  });
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_FALSE(result->verbatim);
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t7"));
  std::vector<std::string> weights;
  for (const auto& weight : result->model->graph().initializer()) weights.push_back(weight.name());
  EXPECT_THAT(weights, testing::Contains("unread"));
}

TEST(Minimal, KeepsAnOutputThatIsAnInputIfTheFailureNeedsIt) {
  GraphBuilder builder;
  builder.input("x").input("straight").output("t59").output("straight");
  for (int i = 0; i < 60; ++i) {
    builder.node("Relu", {i == 0 ? "x" : "t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
  }
  FunctionJudges judges(1, [](const model::Model& model) {
    const auto& outputs = model.graph().output();
    const bool straight = std::ranges::any_of(outputs, [](const auto& output) { return output.name() == "straight"; });
    return verdict_if(straight && holds(model, {"n_t7"}));
  });
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_t7"));
  EXPECT_LE(judges.started, 25);
}

// The original fails in every run, and the same model with initializers in none, so the failure isn't flaky.
TEST(Minimal, DoesNotTakeAFailureThatNeedsConstantNodesForAFlakyOne) {
  GraphBuilder builder;
  builder.input("x").output("t3");
  onnx::AttributeProto& value = *builder.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value_float");
  value.set_type(onnx::AttributeProto::FLOAT);
  value.set_f(1);
  builder.node("Add", {"x", "c"}, {"t1"});
  builder.node("Relu", {"t1"}, {"t2"});
  builder.node("Relu", {"t2"}, {"t3"});
  FunctionJudges judges(1, needs({"n_c", "n_t1"}));
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(node_names(*result->model), ElementsAre("n_c", "n_t1"));
  EXPECT_EQ(result->confirmation.size(), 3U);
  // The further runs at the start were of a candidate that is not the result.
  const auto ended_early = run(builder.build(), judges, {.limits = {.max_checks = 7}});
  ASSERT_TRUE(ended_early.has_value()) << ended_early.error().message();
  EXPECT_TRUE(ended_early->confirmation.empty());
}

// The file is judged in a slot of its own, so no check that was started ahead may still run.
TEST(Minimal, RunsNothingElseWhileItJudgesTheFile) {
  for (const RepeatRule rule : {RepeatRule{}, RepeatRule{.repeat = 2}}) {
    FunctionJudges judges(4, [](const model::Model&) { return verdict_if(false); });
    ReduceParts parts = test::bare_parts(judges);
    std::size_t most = 0;
    parts.judge_file = [&]() -> base::Expected<Verdict> {
      most = std::max(most, judges.running());
      return verdict_if(true);
    };
    const auto result = test::reduce(chain(64), {.rule = rule}, parts);
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_TRUE(result->verbatim);
    EXPECT_EQ(most, 0U);
  }
}

TEST(Minimal, BlamesThePatternOrNoOptionIfAllOfSeveralRunsPass) {
  FunctionJudges judges(1, [](const model::Model&) { return verdict_if(false); });
  ReduceParts parts = test::bare_parts(judges);
  Verdict verdict = verdict_if(false, "some output");
  parts.judge_file = [&]() -> base::Expected<Verdict> { return verdict; };
  const auto message = [&] {
    const auto result = test::reduce(chain(3), {.rule = {.repeat = 3}}, parts);
    return result ? std::string() : result.error().message();
  };
  EXPECT_THAT(message(), testing::AllOf(testing::HasSubstr("does not fail the check"),
                                        testing::Not(testing::HasSubstr("the options don't count"))));
  verdict.lacks_match = true;
  EXPECT_THAT(message(), testing::HasSubstr("The check's output ends with \"some output\""));
  verdict.output = "\n";
  EXPECT_THAT(message(), testing::HasSubstr("printed nothing"));
  verdict = {.kind = Verdict::Kind::passes, .text = "exit status 1"};
  EXPECT_THAT(message(), testing::HasSubstr(
                             "The check ended (exit status 1: 0 of 3 runs failed), but the options don't count that"));
}

// Whether it would fail in another form was not tried, so nothing is known of the file.
TEST(Minimal, NamesTheLimitThatEndedItBeforeACandidateFailed) {
  FunctionJudges judges(1, needs({"n_c"}));
  ReduceParts parts = test::bare_parts(judges);
  parts.judge_file = []() -> base::Expected<Verdict> { return verdict_if(true); };
  GraphBuilder builder;
  builder.input("x").output("y");
  onnx::AttributeProto& value = *builder.node("Constant", {}, {"c"}).add_attribute();
  value.set_name("value_float");
  value.set_type(onnx::AttributeProto::FLOAT);
  builder.node("Add", {"x", "c"}, {"y"});
  for (const Mode mode : {Mode::minimal, Mode::bisect}) {
    const auto result = test::reduce(builder.build(), {.mode = mode, .limits = {.max_checks = 1}}, parts);
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().message(), testing::HasSubstr("1 check that --max-checks allows"));
  }
}

TEST(Minimal, DetectsAFlakyFailureByItself) {
  int minimal = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    FunctionJudges judges(
        1, [&](const model::Model& model) { return verdict_if(holds(model, {"n_t30"}) && random() % 3 != 0); });
    const auto result = run(chain(64), judges);
    ASSERT_TRUE(result.has_value()) << result.error().message();
    minimal += result->model->graph().node_size() == 1 ? 1 : 0;
  }
  EXPECT_GE(minimal, 12);
}

// The second run on the whole model fails, and no other. Its further runs have shown that it fails.
TEST(Minimal, CountsTheRunThatShowedThatAFailureIsFlaky) {
  int runs = 0;
  FunctionJudges judges(1, [&](const model::Model&) { return verdict_if(++runs == 2); });
  const auto result = run(chain(3), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->model->graph().node_size(), 3);
}

// The clock is simulated: each check takes one unit of time, so the load of this machine doesn't matter.
TEST(Minimal, EndsSoonerTheMoreSlotsThereAre) {
  std::map<int, int> time;
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    const model::Model model = random_graph(1000, random);
    const Names culprits = some_nodes(3, 1000, random);
    for (const int jobs : {1, 2, 16}) {
      test::TimedJudges judges(jobs, needs(culprits));
      const auto result = run(model, judges);
      ASSERT_TRUE(result.has_value()) << result.error().message();
      time[jobs] += judges.now;
    }
  }
  EXPECT_GE(time[1], time[2] * 1.6);
  EXPECT_GE(time[1], time[16] * 4.5);  // limited by stages that run in sequence: find, bypass, take out, verify
}

// The scouts and the look-ahead mustn't take another failure for the one that is searched.
TEST(Minimal, TakesAsLongForCandidatesThatFailDifferentlyAsForThoseThatCannotBeJudged) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    const model::Model model = random_graph(300, random);
    const Names culprits = some_nodes(2, 300, random);
    const auto judge = [&](const model::Model& candidate, Verdict::Kind otherwise) -> Verdict {
      if (holds(candidate, culprits)) return verdict_if(true, "error: NOT_IMPLEMENTED : no kernel for Max(13)");
      if (candidate.graph().node_size() % 3 == 0) return verdict_if(false);
      return {.kind = otherwise, .text = "exit status 1", .output = "error: INVALID_GRAPH : input x is not there"};
    };
    const auto time = [&](Verdict::Kind otherwise) {
      test::TimedJudges judges(8, [&](const model::Model& candidate) { return judge(candidate, otherwise); });
      base::SilentLog log;
      FailureFilter filter(SameFailure::same_class, log);
      ReduceParts parts = test::bare_parts(judges);
      parts.explore.filter = &filter;
      const auto result = test::reduce(model, {}, parts);
      EXPECT_TRUE(result.has_value()) << result.error().message();
      return judges.now;
    };
    EXPECT_EQ(time(Verdict::Kind::fails), time(Verdict::Kind::unresolved)) << "seed " << seed;
  }
}

TEST(Minimal, LooksBeyondTheEndOfASearch) {
  // These checks are certain: one without each node, and repeated runs of the result. With a slot for each, all run at
  // once.
  const auto needed = needs({"n_t0", "n_t1", "n_t2", "n_t3"});
  test::TimedJudges judges(6, needed);
  const auto result = run(chain(4), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->confirmation.size(), 3U);
  test::TimedJudges one(1, needed);
  ASSERT_TRUE(run(chain(4), one).has_value());
  EXPECT_LE(judges.now, (one.now + 2) / 3);
}

// The passes try two candidates here, the last look one, and the result is run three more times.
TEST(Minimal, LooksBeyondTheEndOfThePasses) {
  GraphBuilder builder;
  builder.input("x").output("y");
  onnx::AttributeProto& alpha = *builder.node("LeakyRelu", {"x"}, {"y"}).add_attribute();
  alpha.set_name("alpha");
  alpha.set_type(onnx::AttributeProto::FLOAT);
  alpha.set_f(0.5);
  test::TimedJudges judges(4, [](const model::Model& model) {
    return verdict_if(model.graph().node_size() == 1 && model.graph().node(0).attribute_size() == 1);
  });
  const auto result = run(builder.build(), judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->counts.checks, 7);
  EXPECT_EQ(judges.now, 2);
}

TEST(Minimal, KeepsAllSlotsBusyWithWhatIsAskedNext) {
  FunctionJudges one(1, needs({"n_t3", "n_t70"}));
  FunctionJudges many(8, needs({"n_t3", "n_t70"}));
  const auto alone = run(chain(100), one);
  const auto together = run(chain(100), many);
  ASSERT_TRUE(alone.has_value() && together.has_value());
  EXPECT_EQ(many.most_at_once, 8U);
  EXPECT_EQ(node_names(*alone->model), node_names(*together->model));
  EXPECT_EQ(alone->counts.checks, together->counts.checks);
}

}  // namespace
}  // namespace assay::reduce
