// Tests the whole search with ONNX Runtime, on small models.
#include "locate/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "data/test_inputs.h"
#include "locate/engine_probe.h"
#include "locate/locate_test_support.h"
#include "locate/report.h"
#include "locate/sides/comparable.h"
#include "locate/sides/part_builder.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::locate {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Outcome = Location::Outcome;

// A product that float16 can't represent, reversed by a later node.
constexpr auto kLarge = R"(g (float[8] x) => (float[8] y) <float w = {2048}, float v = {0.00048828125}> {
  a = Sigmoid(x)  b = Mul(a, w)  c = Mul(b, w)  d = Mul(c, v)  e = Mul(d, v)  y = Sqrt(e)
})";
constexpr auto kLargeInFloat16 = R"(g (float[8] x) => (float[8] y) <float16 w = {26624}, float16 v = {4096}> {
  h = Cast<to = 10>(x)
  a = Sigmoid(h)  b = Mul(a, w)  c = Mul(b, w)  d = Mul(c, v)  e = Mul(d, v)  z = Sqrt(e)  y = Cast<to = 1>(z)
})";

// On a CPU, ONNX Runtime computes these nodes in float32: outputs agree, and only the inner tensor tells.
TEST_F(LocateTest, NamesWhatFloat16CannotHoldThoughTheEngineComputesInFloat32) {
  const model::Model model = parse(kLarge);
  const model::Model half = parse(kLargeInFloat16);
  options_.plan.options.set(compare::kAbsoluteTolerance, 1e-2);
  options_.plan.options.set(compare::kRelativeTolerance, 1e-2);
  LocateInput both = input(model, nullptr, {engine("ort")});
  both.float16 = &half;
  const auto location = locate(both);
  ASSERT_TRUE(location) << location.error().message();
  EXPECT_EQ(location->outcome, Outcome::differ) << to_text(*location);
  EXPECT_EQ(location->first_tensor.tensor, "c");
  EXPECT_EQ(location->first_tensor.node_index, 2);
  EXPECT_EQ(location->first_tensor.in_model.error.infinite.mismatched, 8);
  EXPECT_THAT(location->piece, ElementsAre(HasSubstr("Mul 'c' (node #2)")));
  EXPECT_EQ(location->first, "ort in float16");
  EXPECT_EQ(location->good, "ort in float32");
  EXPECT_LE(location->ledger.runs, run_limit(location->nodes));
  EXPECT_THAT(location->notes, Contains(HasSubstr("does not round to float16")));
}

TEST_F(LocateTest, Float16AndFloat32AgreeWithinTolerancesThatFit) {
  const model::Model model = parse("g (float[8] x) => (float[8] y) { a = Sigmoid(x)  y = Exp(a) }");
  const model::Model half =
      parse("g (float[8] x) => (float[8] y) { h = Cast<to = 10>(x)  a = Sigmoid(h)  z = Exp(a)  y = Cast<to = 1>(z) }");
  options_.plan.options.set(compare::kAbsoluteTolerance, 1e-2);
  options_.plan.options.set(compare::kRelativeTolerance, 1e-2);
  LocateInput both = input(model, nullptr, {engine("ort")});
  both.float16 = &half;
  const auto location = locate(both);
  ASSERT_TRUE(location) << location.error().message();
  EXPECT_EQ(location->outcome, Outcome::agree) << to_text(*location);
  EXPECT_THAT(location->notes, Contains(HasSubstr("Tensors inside agree, too")));
  EXPECT_THAT(location->notes, Not(Contains(HasSubstr("can't be marked"))));

  base::Stop stop;
  options_.watch = [&](const SeenValues& /*values*/) { stop.request(); };
  const auto stopped = locate::locate(both, options_, pool_, log_, stop);
  ASSERT_FALSE(stopped) << "nothing is known about the tensors inside";
  EXPECT_EQ(stopped.error().kind, base::ErrorKind::interrupted);
}

TEST_F(LocateTest, SavedResultsStandForAnEngine) {
  const model::Model model = network(40);
  const data::RunnerResults golden = record(model);
  std::mt19937 random(4);
  for (int seed = 0; seed < 3; ++seed) {
    model::Model planted = model;
    const std::string tensor = plant_nodes(planted, random);
    LocateInput asked = input(planted, nullptr, {engine("ort")});
    asked.golden = saved(golden);
    for (const std::uint64_t budget : {std::uint64_t{1} << 30, std::uint64_t{100}, std::uint64_t{1}}) {
      options_.memory_budget = budget;
      const Location location = locate(asked).value();
      EXPECT_EQ(location.first_tensor.tensor, tensor) << budget;
      EXPECT_TRUE(location.good_is_known);
      EXPECT_EQ(location.good, "golden");
    }
  }
}

// y is the same for all inputs.
constexpr auto kTwoOutputs = "g (float[4] x) => (float[4] y, float[4] z) { y = Sub(x, x) z = Abs(x) }";

TEST_F(LocateTest, AnIterationOfSavedResultsWithoutATensorIsAnError) {
  source_ = data::generated_inputs({}, 2, log_);
  const model::Model model = parse(kTwoOutputs);
  data::RunnerResults golden = record(model);
  data::IterationResult second = golden.iterations[0];
  second.outputs = {};
  second.outputs.set("y", *golden.iterations[0].outputs.find("z"));  // differs
  golden.iterations.push_back(second);
  LocateInput asked = input(model, nullptr, {engine("ort")});
  asked.golden = saved(golden);
  const auto location = locate(asked);
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(location.error().message(), HasSubstr("iteration 1 of the saved results lacks the tensor 'z'"));
}

TEST_F(LocateTest, IterationsThatAreNotComparedAreNoted) {
  const model::Model model = parse(kTwoOutputs);
  data::RunnerResults golden = record(model);
  golden.iterations.push_back(golden.iterations[0]);
  LocateInput asked = input(model, nullptr, {engine("ort")});
  asked.golden = saved(golden);
  EXPECT_THAT(locate(asked).value().notes,
              Contains(HasSubstr("golden has 2 iterations, but there are inputs for only 1")));

  source_ = data::generated_inputs({}, 2, log_);
  golden.iterations.pop_back();
  asked.golden = saved(golden);
  EXPECT_THAT(locate(asked).value().notes, Contains(HasSubstr("golden has only 1 iteration; later inputs were not")));
}

TEST_F(LocateTest, NodesBetweenSavedResultsBelongTogether) {
  const model::Model model = parse(R"(g (float[4] x) => (float[4] y) {
      a = Neg(x) b = Abs(a) c = Exp(b) d = Sqrt(c) y = Neg(d) })");
  const model::Model wrong = parse(R"(g (float[4] x) => (float[4] y) {
      a = Neg(x) b = Exp(a) c = Exp(b) d = Sqrt(c) y = Neg(d) })");
  data::RunnerResults golden = record(model);
  tensor::NamedTensors some;
  for (const char* name : {"a", "d", "y"}) some.set(name, *golden.iterations[0].outputs.find(name));
  golden.iterations[0].outputs = some;
  LocateInput asked = input(wrong, nullptr, {engine("ort")});
  asked.golden = saved(golden);
  const Location location = locate(asked).value();
  EXPECT_EQ(location.first_tensor.tensor, "d");
  EXPECT_THAT(location.piece, ElementsAre(HasSubstr("'b'"), HasSubstr("'c'"), HasSubstr("'d'")));
}

TEST_F(LocateTest, WhatIsPassedOnIsToldFromWhatIsBorn) {
  const model::Model model = parse(R"(g (float[4] x) => (float[4] y, float[4] z) <float one = {1.0}> {
      a = Neg(x) b = Add(a, one) c = Exp(b) y = Sqrt(c) z = Abs(x) })");
  const model::Model wrong = parse(R"(g (float[4] x) => (float[4] y, float[4] z) <float one = {1.5}> {
      a = Neg(x) b = Add(a, one) c = Exp(b) y = Sqrt(c) z = Abs(x) })");
  const Location location = locate_planted(wrong, model).value();
  EXPECT_EQ(location.first_tensor.tensor, "b");
  ASSERT_EQ(location.layers.size(), 5U);
  for (const Layer& layer : location.layers) {
    const bool behind = layer.tensor == "b" || layer.tensor == "c" || layer.tensor == "y";
    EXPECT_EQ(layer.in_model.differs, behind) << layer.tensor;
    ASSERT_EQ(layer.alone.has_value(), behind) << layer.tensor;
    EXPECT_EQ(layer.alone && layer.alone->differs, layer.tensor == "b") << layer.tensor;
  }
  EXPECT_THAT(to_text(location), HasSubstr("a difference is born at 1, passed on at 2"));
}

// A small error first, and a later one that ruins the output.
constexpr auto kTwoBirths = R"(g (float[4] x) => (float[4] y) <float one = {1.0}, float two = {2.0}> {
      a = Neg(x) b = Add(a, one) c = Exp(b) d = Mul(c, two) y = Sqrt(d) })";
constexpr auto kTwoBirthsWrong = R"(g (float[4] x) => (float[4] y) <float one = {1.001}, float two = {22.0}> {
      a = Neg(x) b = Add(a, one) c = Exp(b) d = Mul(c, two) y = Sqrt(d) })";

TEST_F(LocateTest, TheBirthThatRuinsTheOutputsIsTheHeadlineAndThePiece) {
  const model::Model model = parse(kTwoBirths);
  options_.output = folder_.path() / "piece.onnx";
  const Location location = locate_planted(parse(kTwoBirthsWrong), model).value();
  EXPECT_EQ(location.first_tensor.tensor, "b");
  EXPECT_EQ(location.worst_tensor.tensor, "d");
  EXPECT_THAT(location.piece, ElementsAre(HasSubstr("Mul 'd'")));
  ASSERT_TRUE(location.worst_tensor.share && location.first_tensor.share);
  EXPECT_GT(*location.worst_tensor.share, 0.9);
  EXPECT_LT(*location.first_tensor.share, 0.1);
  EXPECT_EQ(model::load(location.model_file).value().graph().output(0).name(), "d");
  EXPECT_EQ(location.verified, std::optional(true));
  EXPECT_LE(location.ledger.runs, location.ledger.limit);
  EXPECT_THAT(to_text(location), AllOf(HasSubstr("LARGEST DIFFERENCE: tensor 'd'"),
                                       HasSubstr("The first difference is born earlier, at tensor 'b'")));
  const std::string json = to_json(location, std::nullopt);
  EXPECT_THAT(
      json, AllOf(HasSubstr("\"first\": {\n    \"tensor\": \"b\""), HasSubstr("\"worst\": {\n    \"tensor\": \"d\"")));
}

TEST_F(LocateTest, TheAnswerIsShownIfThePieceCannotBeSaved) {
  options_.output = folder_.path() / "piece.onnx";
  ASSERT_TRUE(base::write_file(folder_.path() / "file", ""));
  options_.inputs = folder_.path() / "file" / "inputs.json";
  const Location location = locate_planted(parse(kTwoBirthsWrong), parse(kTwoBirths)).value();
  EXPECT_EQ(location.worst_tensor.tensor, "d");
  EXPECT_TRUE(location.model_file.empty());
  EXPECT_FALSE(location.verified);
  EXPECT_THAT(to_text(location), AllOf(HasSubstr("LARGEST DIFFERENCE: tensor 'd'"),
                                       HasSubstr("Note: The piece wasn't saved: "), HasSubstr("/file")));
}

TEST_F(LocateTest, TheAnswerIsShownIfTheSavedPieceCannotBeLoaded) {
  options_.output = "/dev/null";
  options_.inputs = folder_.path() / "inputs.json";
  const Location location = locate_planted(parse(kTwoBirthsWrong), parse(kTwoBirths)).value();
  EXPECT_FALSE(location.verified);
  EXPECT_THAT(to_text(location), AllOf(HasSubstr("LARGEST DIFFERENCE: tensor 'd'"),
                                       HasSubstr("Note: The piece can't be loaded from where it was saved: ")));
}

TEST_F(LocateTest, OneBirthIsTheFirstAndTheWorst) {
  const Location location = locate_planted(parse(R"(g (float[4] x) => (float[4] y) <float one = {1.5}> {
      a = Neg(x) b = Add(a, one) y = Exp(b) })"),
                                           parse(R"(g (float[4] x) => (float[4] y) <float one = {1.0}> {
      a = Neg(x) b = Add(a, one) y = Exp(b) })"))
                                .value();
  EXPECT_EQ(location.first_tensor.tensor, "b");
  EXPECT_EQ(location.worst_tensor.tensor, "b");
  EXPECT_FALSE(location.worst_tensor.share) << "nothing to compare it with, so no run for it";
  EXPECT_THAT(to_text(location), AllOf(HasSubstr("FIRST DIFFERENCE: tensor 'b'"), Not(HasSubstr("LARGEST"))));
}

TEST_F(LocateTest, WeightsBeyondFloat16AreTiedToTheNodeThatReadsThem) {
  const model::Model model = parse("g (float[8] x) => (float[8] y) <float w = {700000}> { a = Mul(x, w)  y = Neg(a) }");
  const model::Model half = parse(R"(g (float[8] x) => (float[8] y) <float16 w = {31743}> {
      h = Cast<to = 10>(x)  a = Mul(h, w)  z = Neg(a)  y = Cast<to = 1>(z) })");
  options_.plan.options.set(compare::kAbsoluteTolerance, 1e-2);
  options_.plan.options.set(compare::kRelativeTolerance, 1e-2);
  LocateInput both = input(model, nullptr, {engine("ort")});
  both.float16 = &half;
  both.weights_beyond_float16 = {{"w", {.too_large = 1, .too_small = 0}}, {"other", {.too_large = 0, .too_small = 3}}};
  const Location location = locate(both).value();
  EXPECT_EQ(location.worst_tensor.tensor, "a");
  ASSERT_EQ(location.worst_tensor.weights.size(), 1U);
  EXPECT_EQ(location.worst_tensor.weights[0].name, "w");
  EXPECT_THAT(to_text(location), HasSubstr("Its node reads weights beyond float16: 'w' (1 value too large)"));
}

TEST_F(LocateTest, MarkedOutputsHaveTheTypesThatTheModelTells) {
  const model::Model model = parse(R"(g (float[2,6] x) => (float[2] y) {
      i = ArgMax<axis = 1, keepdims = 0>(x) c = Cast<to = 1>(i) y = Neg(c) })");
  const Skeleton skeleton = all_comparable(model).value();
  PartBuilder builder(model, skeleton);
  const auto type_of = [](const Part& part, const std::string& name) {
    for (const auto& output : part.model.graph().output()) {
      if (output.name() == name) return model::tensor_info(output).type;
    }
    return tensor::ElementType::string;
  };
  EXPECT_EQ(type_of(builder.whole({"i", "c"}).value(), "i"), tensor::ElementType::int64);
  EXPECT_EQ(type_of(builder.whole({"i", "c"}).value(), "c"), tensor::ElementType::float32);
  EXPECT_EQ(type_of(builder.each_alone({"i"}, {}), PartBuilder::name_alone("i")), tensor::ElementType::int64);

  // An engine without int64 returned int32, which must not change the known type.
  tensor::NamedTensors seen;
  seen.set("i", tensor::Tensor::of<std::int32_t>(tensor::ElementType::int32, {2}, {3, 4}));
  builder.learn(seen);
  EXPECT_EQ(builder.type("i"), tensor::ElementType::int64);
  EXPECT_EQ(type_of(builder.piece({"i"}, {}, {}), "i"), tensor::ElementType::int64);
}

TEST_F(LocateTest, OutputsThatAgreeEndIt) {
  const model::Model model = model::load(test::models_dir() / "light_squeezenet.onnx").value();
  const Location location =
      locate(input(model, nullptr, {engine("off", {{"graph_optimization_level", "ORT_DISABLE_ALL"}}), engine("on")}))
          .value();
  EXPECT_EQ(location.outcome, Outcome::agree);
  EXPECT_EQ(location.ledger.runs, 2);
  EXPECT_EQ(location.ledger.sessions, 2);
}

constexpr auto kRandom = R"(g (float[512] x) => (float[512] y) {
    a = Neg(x) b = RandomUniformLike(a) c = Add(a, b) y = Exp(c) })";

TEST_F(LocateTest, AnEngineThatDiffersFromItselfIsFoundFirst) {
  const model::Model model = parse(kRandom);
  const Location location = locate(input(model, nullptr, {engine("one"), engine("other")})).value();
  EXPECT_EQ(location.outcome, Outcome::random);
  EXPECT_EQ(location.first_tensor.tensor, "b");
  EXPECT_THAT(location.first, testing::AnyOf("one", "other"));
  EXPECT_EQ(location.first, location.second);
  EXPECT_THAT(to_text(location), HasSubstr("NOT DETERMINISTIC: tensor 'b'"));
  EXPECT_THAT(to_text(location), HasSubstr("RandomUniformLike draws other numbers in each run"));
  EXPECT_LE(location.ledger.runs, location.ledger.limit);
}

// The generator of a session continues from run to run, but begins again in a new session.
constexpr auto kSeeded = R"(g (float[512] x) => (float[512] y) {
    a = Neg(x) b = RandomUniformLike<seed = 1.0>(a) c = Add(a, b) d = Sin(c) y = Exp(d) })";

TEST_F(LocateTest, RandomNumbersWithASeedDontHideADifference) {
  const model::Model model = parse(kSeeded);
  model::Model planted = parse(kSeeded);
  planted.graph().mutable_node(3)->set_op_type("Cos");
  EXPECT_EQ(locate(input(model, nullptr, {engine("one"), engine("other")}))->outcome, Outcome::agree);
  const Location location = locate_planted(planted, model).value();
  EXPECT_EQ(location.outcome, Outcome::differ) << to_text(location);
  EXPECT_EQ(location.first_tensor.tensor, "d");
}

// ONNX Runtime's generator makes the fifteenth run of a session the first that drops a value.
constexpr auto kRarelyRandom = R"(g (float[2] x) => (float[2] y) <float ratio = {0.1}, bool training = {1}> {
    a = Neg(x) b = Dropout<seed = 1000003>(a, ratio, training) y = Exp(b) })";

TEST_F(LocateTest, AnEngineThatRarelyDiffersFromItselfIsAskedOftenEnough) {
  const model::Model model = parse(kRarelyRandom);
  const std::map<std::string, std::string> plain = {{"graph_optimization_level", "ORT_DISABLE_ALL"}};
  options_.repeats = 15;
  const Location location = locate(input(model, nullptr, {engine("one", plain), engine("other", plain)})).value();
  EXPECT_EQ(location.outcome, Outcome::random) << to_text(location);
  EXPECT_EQ(location.first_tensor.tensor, "b");
  EXPECT_EQ(location.finding.way, Way::all_at_once);
  EXPECT_LE(location.ledger.runs, location.ledger.limit);
}

TEST_F(LocateTest, ThePieceIsSavedAndDiffersWhenItIsLoadedAgain) {
  const base::TempDir folder = base::TempDir::create().value();
  const model::Model model = network(40);
  model::Model planted = model;
  std::mt19937 random(5);
  const std::string tensor = plant_nodes(planted, random);
  options_.output = folder.path() / "piece.onnx";
  const Location location = locate_planted(planted, model).value();
  EXPECT_EQ(location.verified, std::optional(true));
  const model::Model piece = model::load(location.model_file).value();
  ASSERT_EQ(piece.graph().output_size(), 1);
  EXPECT_EQ(piece.graph().output(0).name(), tensor);
  EXPECT_TRUE(piece.graph().output(0).has_type());
  const auto inputs = data::load_inputs(location.inputs_file).value();
  for (const auto& value : piece.graph().input()) EXPECT_TRUE(inputs.at(0).contains(value.name())) << value.name();
  EXPECT_TRUE(
      data::load_run_results(location.golden_file).value().runners.at(0).iterations.at(0).outputs.contains(tensor));
  EXPECT_TRUE(std::filesystem::exists(location.against_file));
}

TEST_F(LocateTest, IterationsAreGoneThroughUntilOneDiffers) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { a = Relu(x) y = Neg(a) }");
  const model::Model wrong = parse("g (float[2] x) => (float[2] y) { a = Abs(x) y = Neg(a) }");
  std::vector<tensor::NamedTensors> inputs(3);
  const std::vector<float> values[] = {{1, 2}, {0, 3}, {-1, 2}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, values[i]));
  }
  source_ = std::make_unique<data::test::GivenInputs>(std::move(inputs));
  const Location location = locate_planted(wrong, model).value();
  EXPECT_EQ(location.iteration, 2);
  EXPECT_EQ(location.first_tensor.tensor, "a");
}

TEST_F(LocateTest, AFloat16ModelThatAgreesBecauseTheEngineComputesInFloat32IsNoted) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { a = Add(x, x) y = Neg(a) }");
  const model::Model half = parse(R"(g (float[2] x) => (float[2] y) <float16[2] h, float16[2] s> {
      h = Cast <to = 10> (x) s = Add(h, h) a = Cast <to = 1> (s) y = Neg(a) })");
  options_.plan.options.set(compare::kAbsoluteTolerance, 1e-2);
  const Location location = locate(input(half, &model, {engine("ort")})).value();
  EXPECT_EQ(location.outcome, Location::Outcome::agree);
  EXPECT_THAT(location.notes, testing::ElementsAre(HasSubstr("does not round to float16 between nodes")));
}

TEST_F(LocateTest, AModelWithNothingToCompareIsRefused) {
  const model::Model model = parse("g (float[2] x) => (float[2] w) <float[2] w = {1, 2}> { }");
  const auto location = locate(input(model, nullptr, {engine("one"), engine("other")}));
  ASSERT_FALSE(location);
  EXPECT_THAT(location.error().message(), HasSubstr("no output of the model can be compared"));
}

TEST_F(LocateTest, ANodeWithABodyIsNamedAndTheBodySaid) {
  constexpr auto kGraph = R"(g (float[2] x, bool c) => (float[2] y) {
      a = Neg(x)
      b = If (c) <then_branch = t () => (float[2] t_out) { u = Exp(a) t_out = %(u) },
                  else_branch = e () => (float[2] e_out) { e_out = Abs(a) }>
      y = Abs(b) })";
  const auto with = [&](const std::string& op) {
    std::string text = kGraph;
    return parse(text.replace(text.find('%'), 1, op));
  };
  const model::Model model = with("Neg");
  const model::Model wrong = with("Sqrt");
  const Location location = locate_planted(wrong, model).value();
  EXPECT_EQ(location.first_tensor.tensor, "b");
  EXPECT_THAT(location.notes, Contains(HasSubstr("3 nodes are in bodies of If")));
}

// An overflow inside a body can stay there if the engine computes in float32.
TEST_F(LocateTest, TensorsInsideThatAgreeAreNotThoseOfBodies) {
  constexpr auto kGraph = R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
      then_branch = t () => (float[2] t_out) { t_out = Exp(x) }, else_branch = e () => (float[2] e_out) { e_out = Abs(x) }> })";
  const model::Model model = parse(kGraph);
  const model::Model half = parse(kGraph);
  LocateInput both = input(model, nullptr, {engine("ort")});
  both.float16 = &half;
  const auto location = locate(both);
  ASSERT_TRUE(location) << location.error().message();
  EXPECT_EQ(location->outcome, Outcome::agree) << to_text(*location);
  EXPECT_THAT(location->notes, Contains(HasSubstr("only seen if it reaches their results: If 'y' (node #0)")));
}

TEST_F(LocateTest, SidesWithoutACommonOutputAreRefused) {
  const model::Model one = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  const model::Model other = parse("g (float[2] x) => (float[2] z) { z = Neg(x) }");
  const auto location = locate(input(one, &other, {engine("ort")}));
  ASSERT_FALSE(location);
  EXPECT_THAT(location.error().message(), HasSubstr("no output of the model is an output of the other one"));
}

TEST_F(LocateTest, AnEngineThatDoesNotRunTheModelIsAnError) {
  const model::Model broken = parse("g (float[2] x) => (float[2] y) { y = NoSuchOperator(x) }");
  const auto location = locate(input(broken, nullptr, {engine("one"), engine("other")}));
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().kind, base::ErrorKind::engine);
}

TEST_F(LocateTest, AStopEndsIt) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  stop_.request();
  EXPECT_EQ(locate(input(model, nullptr, {engine("one"), engine("other")})).error().kind, base::ErrorKind::interrupted);
}

// Requests a stop when a message comes.
class StopAtMessage final : public base::Log {
 public:
  StopAtMessage(std::string part, base::Stop& stop) : part_(std::move(part)), stop_(stop) {}
  [[nodiscard]] bool shows(base::Level) const override { return true; }
  void write(base::Level, std::string_view message) override {
    if (message.find(part_) != std::string_view::npos) stop_.request();
  }

 private:
  std::string part_;
  base::Stop& stop_;
};

TEST_F(LocateTest, AStopDuringTheLastRunLeavesTheAnswer) {
  const base::TempDir folder = base::TempDir::create().value();
  const model::Model model = parse("g (float[2] x) => (float[2] y) { a = Neg(x) y = Exp(a) }");
  const model::Model wrong = parse("g (float[2] x) => (float[2] y) { a = Neg(x) y = Abs(a) }");
  options_.output = folder.path() / "piece.onnx";
  base::Stop stop;
  StopAtMessage log("the saved piece", stop);
  const auto location = locate::locate(input(wrong, &model, {engine("ort")}), options_, pool_, log, stop);
  ASSERT_TRUE(location) << location.error().message();
  EXPECT_TRUE(location->ledger.stopped);
  EXPECT_TRUE(location->finding.confirmed);
  EXPECT_EQ(location->verified, std::nullopt);
  EXPECT_THAT(to_text(*location), HasSubstr("; not verified, since the search was stopped"));
}

TEST_F(LocateTest, OutputsThatTheOtherSideLacksAreNamed) {
  const model::Model one = parse("g (float[2] x) => (float[2] y, float[2] z) { y = Neg(x) z = Exp(x) }");
  const model::Model other = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  EXPECT_THAT(locate(input(one, &other, {engine("ort")}))->notes,
              ElementsAre("Not compared, since no node of the other model computes them: 'z'"));
  EXPECT_THAT(locate(input(other, &one, {engine("ort")}))->notes, testing::IsEmpty());
  LocateInput golden = input(one, nullptr, {engine("ort")});
  golden.golden = saved(record(other));
  EXPECT_THAT(locate(golden)->notes, ElementsAre("Not compared, since the saved results lack them: 'z'"));
}

TEST_F(LocateTest, RunsAfterTheFirstIterationAreNoneOfTheLimit) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  const model::Model wrong = parse("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  std::vector<tensor::NamedTensors> inputs(2);
  const std::vector<float> values[] = {{1, 2}, {-1, 2}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, values[i]));
  }
  source_ = std::make_unique<data::test::GivenInputs>(std::move(inputs));
  options_.repeats = 3;
  const Location location = locate_planted(wrong, model).value();
  EXPECT_EQ(location.iteration, 1);
  EXPECT_EQ(location.ledger.limit, run_limit(1) + options_.repeats);
}

// A piece needs the values of tensors, which take a run of their own.
TEST_F(LocateTest, ValuesAreNotComputedBeyondTheLimit) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { a = Neg(x) y = Exp(a) }");
  const Skeleton skeleton = all_comparable(model).value();
  PartBuilder builder(model, skeleton);
  Ledger ledger;
  Pair pair({engine("one"), engine("other")}, std::nullopt, pool_, stop_, ledger);
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, std::vector<float>{1, 2}));
  const std::vector<CellId> last = {1};
  for (const int limit : {0, 1, 2}) {
    ledger = {.limit = limit};
    EngineProbe probe({.pair = pair,
                       .skeleton = skeleton,
                       .named = builder,
                       .models = {.first = {builder, feeds}, .second = SideModel{builder, feeds}},
                       .plan = options_.plan,
                       .ledger = ledger,
                       .log = log_,
                       .memory_budget = 1 << 20},
                      {});
    const auto alone = probe.run_each_alone(last);
    ASSERT_TRUE(alone) << alone.error().message();
    EXPECT_EQ(alone->has_value(), limit == 2);
    EXPECT_LE(ledger.runs, limit);
  }
}

TEST_F(LocateTest, AStopDuringTheSearchLeavesWhatIsKnown) {
  const model::Model model = parse("g (float[2] x) => (float[2] d) { a = Neg(x) b = Exp(a) c = Neg(b) d = Exp(c) }");
  const model::Model wrong = parse("g (float[2] x) => (float[2] d) { a = Neg(x) b = Abs(a) c = Neg(b) d = Exp(c) }");
  for (const char* last : {"d", "b"}) {  // the last tensor that the search sees; an output is compared first
    base::Stop stop;
    options_.watch = [&](const SeenValues& values) {
      if (values.name == last) stop.request();
    };
    const auto location = locate::locate(input(wrong, &model, {engine("ort")}), options_, pool_, log_, stop);
    ASSERT_TRUE(location) << location.error().message();
    EXPECT_EQ(location->outcome, Location::Outcome::differ);
    EXPECT_TRUE(location->ledger.stopped);
    EXPECT_FALSE(location->finding.confirmed);
    EXPECT_EQ(location->first_tensor.tensor, last);
    EXPECT_EQ(location->piece.size(), last == std::string("d") ? 4U : 2U);
    EXPECT_THAT(to_text(*location), HasSubstr("Not pinned down, since the search was stopped"));
  }
}

}  // namespace
}  // namespace assay::locate
