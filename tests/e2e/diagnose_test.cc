// assay diagnose with failures whose cause is known.
#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "model/load.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class DiagnoseTest : public EngineWorkspace {
 protected:
  // Writes `graph` ("(float[2] x) => (float[2] y) { ... }") as m.onnx.
  void write_graph(const std::string& graph) const {
    write_model("m.onnx", "<ir_version: 8, opset_import: [\"\" : 17]> g " + graph);
  }
  void write_values(const std::vector<std::pair<std::string, tensor::Tensor>>& values) const {
    write_inputs("in.json", {named(values)});
  }
  [[nodiscard]] Finished diagnose(Words engines, const Words& more = {}) const {
    Words words = {"diagnose", "m.onnx", "--load-inputs", "in.json", "-o", "out"};
    words.insert(words.end(), engines.begin(), engines.end());
    words.insert(words.end(), more.begin(), more.end());
    return assay(words);
  }
};

// The engine at fault is ONNX Runtime with a change, in Python.
class DiagnosePythonTest : public DiagnoseTest {
 protected:
  void SetUp() override {
    DiagnoseTest::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
  }
  // `change`: statements on `model`, the ONNX model; `around`: statements before each run, on `session` and `feeds`.
  void write_engine(const std::string& change, const std::string& around = "pass") const {
    write("engine.py", R"(
import onnx, onnxruntime
def start(model):
    )" + change + R"(
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
def load(path):
    return start(onnx.load(path))
def infer(session, feeds, wanted):
    )" + around + R"(
    return dict(zip(wanted, session.run(wanted, feeds)))
)");
  }
  [[nodiscard]] Words engine() const { return {"--python", "engine.py", "--python-interpreter", python_}; }

  std::string python_;
};

TEST_F(DiagnoseTest, NanOfAnInputIsNotBlamedOnANode) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, kNan})}});
  const Finished done = diagnose({"--onnxrt"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("The input 'x' holds NaN, which reaches the outputs."), Not(HasSubstr("Neg (node"))));
}

// The generator continues from run to run, but each session begins with the seed.
TEST_F(DiagnoseTest, RandomNumbersWithASeedAreDeterministic) {
  write_graph("(float[2] x) => (float[2] y) { r = RandomNormalLike<seed = 1.0>(x)  y = Add(x, r) }");
  write_values({{"x", floats({2}, {1, 2})}});
  const Finished done = diagnose({"--onnxrt"}, {"--skip", "settings", "locate", "reduce"});
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("yes: every run has the same outputs"), Not(HasSubstr("not deterministic"))));
}

// `assay run` skips such an output, too. To request it would be an error.
TEST_F(DiagnoseTest, AnEmptyOptionalIsNotAFailure) {
  for (const char* graph :
       {"(float[2] x) => (optional(float[2]) o, float[2] y) { o = Optional<type = float[2]>()  y = Neg(x) }",
        "(float[2] x) => (optional(float[2]) o) { o = Optional<type = float[2]>() }"}) {
    write_graph(graph);
    write_values({{"x", floats({2}, {1, 2})}});
    const Finished done = diagnose({"--onnxrt"});
    EXPECT_EQ(done.status, 0) << done.output;
    std::filesystem::remove_all(path("out"));
  }
}

// The minimal case has one node, but the engine refuses every other model, too.
TEST_F(DiagnoseTest, AnIrVersionThatIsTooNewIsNotBlamedOnANode) {
  write_model("m.onnx", "<ir_version: 99, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Abs(x) }");
  write_values({{"x", floats({2}, {1, 2})}});
  const Finished done = diagnose({"--onnxrt"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(
      done.output,
      AllOf(HasSubstr("can't run even a model of one Identity node with the same IR version and operator sets ("),
            HasSubstr("sets (Unsupported model IR version: 99"), Not(HasSubstr("because of")),
            HasSubstr("which has IR version 99 and the operator set ai.onnx 17, use a newer engine"),
            HasSubstr("not asked: the engine can't run even a model of one Identity node")));
  EXPECT_FALSE(std::filesystem::exists(path("out/minimal.onnx")));
}

// The Loop never ends, in any engine. What the step has found out about the first one must not get lost because the
// others, which are asked for their opinion, hang as well.
TEST_F(DiagnoseTest, AModelThatHangsInEveryEngineIsNamedWithinTheBudget) {
  write_graph(R"((float[1] x) => (float[1] y) <bool go = {1}> {
      y = Loop (, go, x) <body = b (int64 i, bool c, float[1] v) => (bool d, float[1] w) {
        d = Identity(c)  w = Abs(v) }> })");
  write_values({{"x", floats({1}, {1})}});
  const Finished done = diagnose({"--onnxrt"}, {"--budget", "25", "--skip", "settings", "locate", "reduce", "known"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("hangs: it had not run the model after"));
}

// In float16, the square is infinite. So the quotient is zero, which is finite but wrong, and the difference is NaN.
TEST_F(DiagnoseTest, AValueBeyondFloat16IsTheCause) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  const auto diagnosis = [&](const std::string& last) {
    write_graph("(float[2] x) => (float[2] y) { s = Mul(x, x)  r = Sqrt(s)  " + last + " }");
    write_values({{"x", floats({2}, {1000, 500})}});
    EXPECT_EQ(assay({"convert", "m.onnx", "--fp-to-fp16", "-o", "m.onnx"}).status, 0);
    std::filesystem::remove_all(path("out"));
    const Finished done = diagnose({"--reference"}, {"--python-interpreter", python});
    EXPECT_EQ(done.status, 1) << done.output;
    return done.output;
  };
  const auto names_it = AllOf(
      HasSubstr("Float16 can't hold the values of the model: 's' of Mul 's' (node #1) reaches 1e+06, and the largest "
                "number in float16 is 65504."),
      HasSubstr("Next: `assay debug precision`"));
  EXPECT_THAT(diagnosis("y = Div(x, r)"), names_it);
  EXPECT_THAT(diagnosis("t = Mul(x, x)  d = Sub(s, t)  y = Add(d, x)"), names_it);
}

// ONNX Runtime computes float16 in float32 on CPUs, so it agrees with the saved results. A device wouldn't.
TEST_F(DiagnoseTest, AValueBeyondFloat16IsTheCauseEvenIfTheResultsAgree) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  environment_["VIRTUAL_ENV"] = std::filesystem::path(python).parent_path().parent_path();  // has the evaluator
  write_graph("(float[2] x) => (float[2] y) { s = Mul(x, x)  r = Sqrt(s)  y = Div(x, r) }");
  write_values({{"x", floats({2}, {1000, 500})}});
  passes({"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json", "--save-outputs", "golden.json"});
  passes({"convert", "m.onnx", "--fp-to-fp16", "-o", "m.onnx"});
  const Words golden = {"--load-outputs", "golden.json"};
  const Finished done = diagnose({"--onnxrt"}, golden);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("the saved results agree, but an engine that computes in float16 would differ"),
                    HasSubstr("Float16 can't hold the values of the model: 's' of Mul 's' (node #1)")));
  write_values({{"x", floats({2}, {100, 50})}});
  std::filesystem::remove_all(path("out"));
  const Finished fits = diagnose({"--onnxrt"}, golden);
  EXPECT_EQ(fits.status, 0) << fits.output;
}

// A mask of attention may overflow without harm: the engine that computes NaN for another reason is still suspect.
TEST_F(DiagnoseTest, AnOverflowThatDoesNoHarmIsNotTheCause) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_graph(R"((float[2] x) => (float[2] y) <float[1] large = {60000}> {
      m = Mul(x, large)  s = Sigmoid(m)  y = Sub(s, x) })");
  write_values({{"x", floats({2}, {-2, -3})}});
  EXPECT_EQ(assay({"convert", "m.onnx", "--fp-to-fp16", "-o", "m.onnx"}).status, 0);
  const Finished done = diagnose({"--reference"}, {"--python-interpreter", python});
  EXPECT_THAT(done.output, Not(HasSubstr("can't hold the values")));
  EXPECT_EQ(done.status, 0) << done.output;
}

// The first overflow is the harmless one of a mask, and the last makes the output wrong.
TEST_F(DiagnoseTest, AHarmlessOverflowIsNotTakenForTheCause) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_graph(R"((float[2] x, float[2] mask) => (float[2] y) <float[1] large = {60000}> {
      m = Mul(mask, large)  n = Mul(m, large)  a = Add(n, x)  p = Softmax(a)
      s = Mul(x, x)  r = Sqrt(s)  d = Div(x, r)  y = Add(d, p) })");
  write_values({{"x", floats({2}, {1000, 500})}, {"mask", floats({2}, {-10, 0})}});
  EXPECT_EQ(assay({"convert", "m.onnx", "--fp-to-fp16", "-o", "m.onnx"}).status, 0);
  const Finished done = diagnose({"--reference"}, {"--python-interpreter", python});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("'s' of Mul 's' (node #6) reaches 1e+06"));
}

// Other engines would take minutes and much memory, only to say that they run it. The weight is a hole in its file.
TEST_F(DiagnoseTest, OtherEnginesAreNotAskedAboutALargeModelIfTheNodeIsNamed) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  environment_["VIRTUAL_ENV"] = std::filesystem::path(python).parent_path().parent_path();  // has the evaluator
  write_graph(R"((int16[2] x, int64[1] i) => (int16[2] y, float[1] z) { [bad] y = Max(x, x)  z = Gather(w, i) })");
  const auto diagnosis = [&](std::int64_t floats) {
    model::Model model = model::load(path("m.onnx")).value();
    model.graph().clear_initializer();
    onnx::TensorProto& weight = *model.graph().add_initializer();
    weight.set_name("w");
    weight.set_data_type(onnx::TensorProto::FLOAT);
    weight.add_dims(floats);
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    weight.add_external_data()->set_key("location");
    weight.mutable_external_data(0)->set_value("w.bin");
    write("m.onnx", model.proto.SerializeAsString());
    write("w.bin", "");
    std::filesystem::resize_file(path("w.bin"), floats * 4);
    std::filesystem::remove_all(path("out"));
    const Finished done =
        assay({"diagnose", "m.onnx", "--onnxrt", "-o", "out", "--skip", "settings", "locate", "reduce", "known"});
    EXPECT_EQ(done.status, 1) << done.output;
    EXPECT_THAT(done.output, HasSubstr("because of Max 'bad'"));
    return done.output;
  };
  EXPECT_THAT(diagnosis(1000), HasSubstr("runs it"));
  EXPECT_THAT(diagnosis(300'000'000), Not(HasSubstr("runs it")));
}

// `l` has NaN as well, which is masked; the NaN of the output comes from `s`.
TEST_F(DiagnoseTest, NanIsFollowedBackFromTheOutput) {
  write_graph(R"((float[2] x) => (float[2] y) <float zero = {0}> {
      l = Log(x)  n = IsNaN(l)  m = Where(n, zero, l)  a = Add(m, x)  s = Sqrt(a)  y = Neg(s) })");
  write_values({{"x", floats({2}, {1, -1})}});
  const Finished done = diagnose({"--onnxrt"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("lead to NaN, first at Sqrt 's' (node #4)"),
                                 HasSubstr("the smallest failing model has 1 node")));
}

TEST_F(DiagnoseTest, NanOfAWeightIsNamed) {
  write_graph("(float[2] x) => (float[2] y) <float[2] w = {1, 2}> { b = Mul(x, w)  y = Neg(b) }");
  write_values({{"x", floats({2}, {1, 2})}});
  const std::string model = read("m.onnx");
  const std::string two("\x00\x00\x00\x40", 4), nan("\x00\x00\xc0\x7f", 4);
  ASSERT_NE(model.find(two), std::string::npos);
  std::string broken = model;
  broken.replace(model.find(two), two.size(), nan);
  write("m.onnx", broken);
  EXPECT_THAT(diagnose({"--onnxrt"}).output,
              AllOf(HasSubstr("computed by Mul 'b' (node #0), whose weight 'w' holds NaN"),
                    HasSubstr("Weight 'w' of Mul 'b' (node #0) holds NaN, which reaches the outputs; the smallest")));
}

TEST_F(DiagnoseTest, NanThatTheSavedResultsLackIsBlamedOnTheEngine) {
  write_graph("(float[2] x) => (float[2] y) { l = Log(x)  y = Neg(l) }");
  write_values({{"x", floats({2}, {1, 2})}});
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json", "--save-outputs", "saved.json"}).status, 0);
  write_values({{"x", floats({2}, {1, -1})}});
  const Finished done =
      diagnose({"--onnxrt"}, {"--load-outputs", "saved.json", "--skip", "settings", "locate", "reduce"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("there is none in that of the saved results, so the engine is suspect"),
                                 HasSubstr("the saved results differ"), Not(HasSubstr("lead to NaN"))));
}

TEST_F(DiagnoseTest, NanIsFollowedBackIfAnotherOutputIsAWeight) {
  write_graph("(float[2] x) => (float[2] y, float[2] w) <float[2] w = {1, 2}> { l = Log(x)  y = Neg(l) }");
  write_values({{"x", floats({2}, {1, -1})}});
  EXPECT_THAT(diagnose({"--onnxrt"}, {"--skip", "reduce"}).output,
              HasSubstr("lead to NaN, first at Log 'l' (node #0)"));
}

// OpenVINO says of both nodes why it can't convert them. The minimal case has one of them.
TEST_F(DiagnoseTest, TheReasonIsThatOfTheNodeToBlame) {
  if (test::fetched_openvino().empty()) GTEST_SKIP() << test::kNoOpenVino;
  environment_["ASSAY_OPENVINO_LIB"] = test::fetched_openvino();
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (float[2,3] x, int64[1,3] i, float[5] s) => (float[1,3] y, float[2] a, float[2] b, float[1] c, float[0] d) {
        a, b, c, d = Split <num_outputs = 4> (s)
        y = GatherElements <axis = 1> (x, i) })");
  const auto indices = tensor::Tensor::of(tensor::ElementType::int64, {1, 3}, std::vector<std::int64_t>{0, 1, 2});
  write_values({{"x", floats({2, 3}, {1, 2, 3, 4, 5, 6})}, {"i", indices}, {"s", floats({5}, {1, 2, 3, 4, 5})}});
  const Finished done = diagnose({"--openvino"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("doesn't run the model (Total length of splits: 7 must match the length of the "
                                     "chosen axis: 5) because of Split 'a'"));
}

TEST_F(DiagnosePythonTest, AnEngineCanBeWrongNextToNanThatIsRight) {
  write_graph("(float[2] x) => (float[2] y, float[2] z) { l = Log(x)  y = Neg(l)  s = Sin(x)  z = Exp(s) }");
  write_values({{"x", floats({2}, {1, -1})}});
  write_engine("for node in model.graph.node: node.op_type = node.op_type.replace('Sin', 'Cos')");
  Words engines = engine();
  engines.emplace_back("--onnxrt");
  const Finished done = diagnose(engines);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("computes Sin 's' (node #2) wrong"));
}

// The reference evaluator doesn't repeat a Loop without a condition, so it is far from both engines.
TEST_F(DiagnosePythonTest, AWrongReferenceDoesNotHideAnotherDifference) {
  write_graph(R"((float[2] x) => (float[2] y) <int64 n = {3}> {
      l = Loop(n, , x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) { d = Identity(c)  t = Add(s, s) }>
      y = Selu<alpha = 1.0, gamma = 1.0>(l) })");
  write_values({{"x", floats({2}, {1, 2})}});
  write_engine("for a in [a for n in model.graph.node for a in n.attribute if a.name == 'gamma']: a.f *= 1.01");
  Words words = engine();
  words.insert(words.end(), {"--skip", "settings", "reduce"});
  const Finished done = diagnose(words);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("differ at Selu 'y' (node #1)"), Not(HasSubstr("No bug found"))));
}

// ONNX Runtime doesn't run the model. The float64 run isn't independent of the reference evaluator.
TEST_F(DiagnosePythonTest, AReferenceIsNotConfirmedByItsOwnFloat64Run) {
  write_graph("(int16[2] x) => (float[2] y) { m = Max(x, x)  c = Cast<to = 1>(m)  y = Exp(c) }");
  write_values({{"x", tensor::Tensor::of(tensor::ElementType::int16, {2}, std::vector<std::int16_t>{1, 2})}});
  write("engine.py", R"(import numpy as np


def load(path):
    return None


def infer(model, feeds):
    return {"y": np.zeros(2, np.float32)}
)");
  Words words = engine();
  words.insert(words.end(), {"--skip", "settings", "locate", "reduce"});
  const Finished done = diagnose(words);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("(the float64 run isn't one, since it is the reference evaluator's own)"),
                                 HasSubstr("differ, and it is unknown which one is right, since no independent third "
                                           "opinion decides.")));
}

// Inputs of other shapes and types are changed, which is often what is wrong with the user's program.
TEST_F(DiagnoseTest, InputsThatDoNotFitAreNamed) {
  write_graph("(float[1, 3, 2] x) => (float[1, 3, 2] y) { y = Abs(x) }");
  write_values({{"x", floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})}});
  const Finished done = diagnose({"--onnxrt"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("1 input, given by the user. Input 'x': the shape (1, 2, 3) does not fit"),
                                 HasSubstr("The given inputs don't fit the model, and were changed.")));
}

// Its results for the second run differ if there is a Softmax. Then the first node of the model differs, too.
TEST_F(DiagnosePythonTest, ANodeThatOnlyFailsNextToAnotherIsNotToBlame) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  b = Softmax(a)  y = Exp(b) }");
  write_values({{"x", floats({2}, {1, 2})}});
  write_engine("model.doc_string = str(any(node.op_type == 'Softmax' for node in model.graph.node))",
               R"(global runs
    runs = globals().get("runs", 0) + 1
    if session.get_modelmeta().description == "True" and runs % 2:
        return {name: -value for name, value in zip(wanted, session.run(wanted, feeds))})");
  const Finished done = diagnose(engine());
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("is not deterministic at Softmax 'b'"));
}

// The engine's zero point is off by one. 0.35 is halfway between two steps in float32, but not in float64, which
// doesn't excuse the engine.
TEST_F(DiagnosePythonTest, ADifferenceOfOneQuantizationStepIsNamed) {
  write_graph(R"((float[2] x) => (float[2] y) <float scale = {0.1}, uint8 zero = {3}> {
      q = QuantizeLinear(x, scale, zero)  y = DequantizeLinear(q, scale, zero) })");
  write_values({{"x", floats({2}, {0.35F, 1})}});
  write_engine(R"(model.graph.initializer.append(onnx.helper.make_tensor("other", 2, [], [4]))
    model.graph.node[1].input[2] = "other")");
  Words words = engine();
  words.insert(words.end(), {"--skip", "locate", "reduce"});
  const Finished done = diagnose(words);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("The difference is one step of the quantization of 'y' (0.1)"));
}

// The file with the inputs of the model lacks what the failing node reads.
TEST_F(DiagnosePythonTest, ACutReadsTheValuesThatTheModelComputes) {
  write_graph(R"((float[1, 2] x, float[2, 3] w) => (float[1, 3] y) {
      a = Neg(x)  b = MatMul(a, w)  c = Exp(b)  d = Softsign(c)  e = Tanh(d)  y = Neg(e) })");
  write_values({{"x", floats({1, 2}, {-1, -2})}, {"w", floats({2, 3}, {1, 1, 1, 1, 1, 1})}});
  // Fails only if the input of Softsign is exp(3).
  write_engine(R"(for node in list(model.graph.node):
        if node.op_type != 'Softsign': continue
        if node.input[0] not in [output.name for output in model.graph.output]:
            model.graph.output.append(onnx.helper.make_tensor_value_info(node.input[0], 1, None))
        model.doc_string = node.input[0])",
               R"(for value, info in zip(session.run(None, feeds), session.get_outputs()):
        if info.name == session.get_modelmeta().description and abs(value.max() - 20.0855) < 0.01:
            raise RuntimeError('an unsupported layout'))");
  const Finished done = diagnose(engine());
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("an unsupported layout"), HasSubstr("the smallest failing model has 1 node"),
                                 HasSubstr("\n        Softsign")));
  // The value isn't a constant, which an engine may compute with while it loads the model.
  const auto minimal = model::load(path("out/minimal.onnx"));
  ASSERT_TRUE(minimal) << minimal.error().message();
  ASSERT_EQ(minimal->graph().input_size(), 1);
  EXPECT_EQ(minimal->graph().input(0).name(), "c");
}

// Every cut of the model shows the failure, but no node causes it.
TEST_F(DiagnosePythonTest, AnEngineThatSwapsOutputsIsNotBlamedOnANode) {
  write_graph("(float[2] x) => (float[2] y, float[2] z) { e = Exp(x)  y = Sin(e)  z = Neg(e) }");
  write_values({{"x", floats({2}, {1, 2})}});
  write_engine("pass", "return dict(zip(wanted, reversed(session.run(wanted, feeds))))");
  const Finished done = diagnose(engine());
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("engine.py returns outputs in the wrong order or layout, even those of "
                                           "Identity nodes"),
                                 HasSubstr("no node is to blame"), Not(HasSubstr("computes"))));
}

// Nothing else runs an operator of another domain.
TEST_F(DiagnosePythonTest, AnEngineThatReturnsWrongTypesIsNotBlamedOnANode) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, 2})}});
  write("engine.py", R"(import numpy as np


def load(path):
    return None


def infer(model, feeds):
    return {"y": np.zeros(feeds["x"].shape, np.float64)}
)");
  Words words = engine();
  words.insert(words.end(), {"--skip", "settings", "reduce"});
  const Finished done = diagnose(words);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("can't run even a model of one Identity node"),
                                 HasSubstr("expected float32, given float64"), Not(HasSubstr("because of"))));
}

TEST_F(DiagnosePythonTest, NanWithoutASecondOpinionMayComeFromTheEngine) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1]>
      g (float[2] x) => (float[2] y) { l = my.domain.Log(x)  y = Neg(l) })");
  write_values({{"x", floats({2}, {1, -1})}});
  write_engine("for node in model.graph.node: node.domain = ''");
  const Finished done = diagnose(engine(), {"--skip", "reduce"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("engine.py, the model or its inputs lead to NaN, first at "),
                                 HasSubstr("and it is unknown which, since nothing else computes this output.")));
}

TEST_F(DiagnosePythonTest, AnEngineThatFailsAfterItRanIsNotHealthy) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, 2})}});
  const std::string count = "count = open(r'" + path("runs").string() + "', 'a+'); count.write('.'); count.flush()";
  write_engine("pass", count + "\n    if count.tell() == 2: raise RuntimeError('bad luck')");
  // The first run is that of the step `run`.
  for (const Words& skip : {Words{}, Words{"repeat"}, Words{"repeat", "finite"}}) {
    std::filesystem::remove(path("runs"));
    std::filesystem::remove_all(path("out"));
    Words options = {"--skip", "reduce"};
    options.insert(options.end(), skip.begin(), skip.end());
    const Finished done = diagnose(engine(), options);
    EXPECT_EQ(done.status, 1) << done.output;
    EXPECT_THAT(done.output, HasSubstr("The Python engine engine.py doesn't always run the model ("));
    EXPECT_THAT(done.output, HasSubstr("bad luck"));
  }
}

TEST_F(DiagnosePythonTest, AnEngineThatHangsIsNamedWithPhaseAndTime) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, 2})}});
  const auto hang = [this](const std::string& in_load, const std::string& in_infer, const std::string& seconds) {
    write("engine.py",
          "import time\ndef load(path):\n  " + in_load + "\ndef infer(model, feeds):\n  " + in_infer + "\n");
    std::filesystem::remove_all(path("out"));
    const Finished done = diagnose(engine(), {"--engine-timeout", seconds, "--skip", "reduce"});
    EXPECT_EQ(done.status, 1) << done.output;
    return done.output;
  };
  EXPECT_THAT(hang("if b'Exp' in open(path, 'rb').read(): time.sleep(1000)", "return {'y': feeds['x']}", "5"),
              HasSubstr("The Python engine engine.py hangs: it had not loaded the model after 5 s"));
  EXPECT_THAT(
      hang("time.sleep(1000)", "pass", "1"),
      AllOf(HasSubstr("The Python engine engine.py can't run even a model of one Identity node with the same IR "
                      "version and operator sets (it had not loaded the model after 1 s)"),
            HasSubstr("no node is to blame")));
}

// The library of the engine may be broken, so that it crashes whatever the model is.
TEST_F(DiagnosePythonTest, AnEngineThatCrashesOnEveryModelIsNotBlamedOnANode) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, 2})}});
  write(
      "engine.py",
      "import os\ndef load(path):\n  os.kill(os.getpid(), 7)\ndef infer(model, feeds):\n  return {'y': feeds['x']}\n");
  const Finished done = diagnose(engine(), {"--skip", "settings", "reduce"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("can't run even a model of one Identity node"),
                                 HasSubstr("crashed with signal 7"), Not(HasSubstr("because of"))));
}

}  // namespace
}  // namespace assay::e2e
