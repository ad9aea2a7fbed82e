// assay debug reduce with engines: what replaces a tensor whose node was removed (--values), and engines that
// misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "model/load.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReduceValuesTest : public EngineWorkspace {
 protected:
  // The tensors that the remaining node reads: the names of inputs, and those of constants.
  [[nodiscard]] std::pair<Words, Words> operands(const std::string& values, const std::string& op,
                                                 const std::string& budget = "256M") const {
    const Finished finished = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--values", values, "--memory-budget",
                                     budget, "--check", "sh", "-c", "grep -q " + op + " {model} && exit 1; exit 0"});
    EXPECT_EQ(finished.status, 0) << finished.output;
    std::pair<Words, Words> result;
    const model::Model left = model::load(path("r.onnx")).value();
    EXPECT_EQ(left.graph().node_size(), 1);
    for (const auto& input : left.graph().input()) result.first.push_back(input.name());
    for (const auto& constant : left.graph().initializer()) result.second.push_back(constant.name());
    return result;
  }
};

TEST_F(ReduceValuesTest, WhatWasCutBecomesWhatTheUserWants) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x, float[6] like) => (float[6] y) {
      a = Neg(x) n = Exp(like) shape = Shape(n) r = Reshape(a, shape) y = Abs(r)
    })");
  EXPECT_EQ(operands("input", "Reshape"), std::pair(Words({"a", "shape"}), Words()));
  EXPECT_EQ(operands("auto", "Reshape"), std::pair(Words({"a"}), Words({"shape"})));
  EXPECT_EQ(operands("freeze", "Reshape"), std::pair(Words(), Words({"a", "shape"})));
}

TEST_F(ReduceValuesTest, WhatDoesNotFitTheBudgetIsFrozenAllTheSame) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[200, 300] x) => (float[200, 300] y) { a = Neg(x) b = Exp(x) c = Add(a, b) d = Mul(a, c) y = Abs(d) })");
  const auto frozen = std::pair(Words(), Words({"a", "c"}));
  EXPECT_EQ(operands("freeze", "Mul"), frozen);
  const std::string held = read("r.onnx");
  EXPECT_EQ(operands("freeze", "Mul", "1"), frozen);
  EXPECT_EQ(read("r.onnx"), held);
}

// No engine computes the index, which would be frozen. With its value, fewer nodes might remain, but never less than
// one.
TEST_F(ReduceValuesTest, AMissingValueIsOnlyMentionedIfFewerNodesMightRemain) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[1] y) <int64[1] one = {1}> {
      c = my.Custom(x) k = Cast<to = 7>(c) i = Reshape(k, one) t = Gather(x, i) y = Abs(t) })");
  const auto reduce = [&](const std::string& check) {
    return assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--check", "sh", "-c", check});
  };
  const Finished two = reduce("grep -q Gather {model} && grep -q Abs {model} && exit 1; exit 0");
  EXPECT_NE(two.output.find("could not be frozen"), std::string::npos) << two.output;
  const Finished one = reduce("grep -q Gather {model} && exit 1; exit 0");
  EXPECT_NE(one.output.find("Reduced 5 nodes to 1."), std::string::npos) << one.output;
  EXPECT_EQ(one.output.find("could not be frozen"), std::string::npos) << one.output;
}

// Saved outputs are those of a model whose Mul computes something else, as if the engine computed it wrongly.
class ReduceBySavedOutputs : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    const auto write_with = [&](const std::string& name, const std::string& factor) {
      write_model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[2] x, float[2] b) => (float[2] y) <float[2] k = {)" +
                            factor + R"(}> {
          a = Neg(x) s = Softplus(a) p = Add(s, b) m = Mul(p, k) e = Exp(m) t = Atan(e) y = Sqrt(t) })");
    };
    write_with("m.onnx", "2, 3");
    write_with("right.onnx", "2, 2");
    const auto save = [&](const Words& more) {
      Words words = {"run", "right.onnx", "--onnxrt", "--save-inputs", "in.json"};
      words.insert(words.end(), more.begin(), more.end());
      passes(words);
    };
    save({"--save-outputs", "last.json"});
    save({"--save-outputs", "all.json", "--onnx-outputs", "mark", "all"});
    passes({"data", "merge", "in.json", "all.json", "-o", "tensors.json"});
  }
  // Returns the operators that remain.
  [[nodiscard]] Words reduce(const std::string& mode, const Words& check) {
    Words words = {"debug",
                   "reduce",
                   "m.onnx",
                   "-o",
                   "r.onnx",
                   "--mode",
                   mode,
                   "--check",
                   "assay",
                   "run",
                   "polygraphy_debug.onnx",
                   "--onnxrt"};
    words.insert(words.end(), check.begin(), check.end());
    output_ = passes(words);
    return operators("r.onnx");
  }
  std::string output_;
};

TEST_F(ReduceBySavedOutputs, TheNodeIsFoundThatComputesSomethingElse) {
  EXPECT_THAT(reduce("minimal", {"--load-outputs", "all.json", "--load-inputs", "tensors.json"}), ElementsAre("Mul"));
  EXPECT_THAT(output_, testing::Not(HasSubstr("[W]")));
}

// The values that become constants are those that were saved: the engine would compute them wrongly.
TEST_F(ReduceBySavedOutputs, WhatTheCheckDoesNotLoadGetsItsSavedValue) {
  EXPECT_THAT(reduce("minimal", {"--load-outputs", "all.json", "--load-inputs", "in.json"}), ElementsAre("Mul"));
  EXPECT_THAT(reduce("minimal", {"--load-outputs", "all.json"}), ElementsAre("Mul")) << "the inputs are generated";
}

TEST_F(ReduceBySavedOutputs, TensorsThatWereNotSavedAreNoOutputs) {
  for (const Words& more : {Words({"--load-inputs", "in.json"}), Words(), Words({"--onnx-outputs", "mark", "all"})}) {
    Words check = {"--load-outputs", "last.json"};
    check.insert(check.end(), more.begin(), more.end());
    EXPECT_THAT(reduce("minimal", check), testing::Contains("Sqrt")) << "it computes the output that was saved";
    EXPECT_THAT(output_, HasSubstr("[W] 'a' and possibly other tensors weren't saved")) << "the engine may be wrong";
  }
}

TEST_F(ReduceBySavedOutputs, TheOtherModesSkipWhatCannotBeJudged) {
  EXPECT_THAT(reduce("bisect", {"--load-outputs", "all.json", "--load-inputs", "tensors.json"}), ElementsAre("Mul"));
  EXPECT_THAT(reduce("linear", {"--load-outputs", "last.json", "--load-inputs", "in.json"}), testing::Contains("Mul"));
  EXPECT_THAT(reduce("bisect", {"--load-outputs", "last.json", "--load-inputs", "in.json"}), testing::Contains("Mul"));
}

// Polygraphy fails the mask, too: infinity minus infinity is NaN.
TEST_F(ReduceBySavedOutputs, ACheckByPolygraphyFindsTheNodeAndNotTheMask) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  const auto write_with = [&](const std::string& name, const std::string& factor) {
    write_model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2, 3] x) => (float[2, 3] y) <float[2, 3] large = {0, 0, 1e38, 0, 1e38, 0}, float[3] k = {)" +
                          factor +
                          R"(}> {
        a = Exp(x) mask = Mul(large, large) s = Sub(a, mask) p = Softmax(s) m = Mul(p, k) y = Sqrt(m) })");
  };
  write_with("m.onnx", "2, 1, 1");
  write_with("right.onnx", "1, 1, 1");
  (void)assay({"run", "right.onnx", "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "all.json",
               "--onnx-outputs", "mark", "all"});
  const std::string polygraphy = std::filesystem::path(python).parent_path() / "polygraphy";
  output_ = passes({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--check", polygraphy, "run", "polygraphy_debug.onnx",
                    "--onnxrt", "--load-inputs", "in.json", "--load-outputs", "all.json"});
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Mul")) << output_;
  EXPECT_THAT(output_, HasSubstr("The check compares with saved outputs"));
}

// If an engine rejects the model, it doesn't matter what its nodes compute.
TEST_F(ReduceBySavedOutputs, AnotherFailureIsReducedInEveryWay) {
  const auto write_with = [&](const std::string& name, const std::string& op) {
    write_model(name, R"(<ir_version: 8, opset_import: ["" : 17, "com.foo" : 1]>
      g (float[2] x, bool c) => (float[2] y) {
        a = Neg(x)
        y = If (c) <then_branch = t () => (float[2] u) { v = Exp(a) w = )" +
                          op + R"((v) u = Sqrt(w) }, else_branch = e () => (float[2] s) { s = Abs(a) }> })");
  };
  write_with("m.onnx", "com.foo.Odd");
  write_with("right.onnx", "Identity");
  passes({"run", "right.onnx", "--onnxrt", "--save-outputs", "all.json", "--onnx-outputs", "mark", "all"});
  EXPECT_THAT(reduce("minimal", {"--load-outputs", "all.json"}), ElementsAre("Odd"));
}

TEST_F(ReduceBySavedOutputs, AComparisonByPositionIsMentioned) {
  write_model("named.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[2] b) => (float[2] other) { a = Neg(x) other = Mul(a, b) })");
  passes({"run", "named.onnx", "--onnxrt", "--save-outputs", "other.json"});
  (void)reduce("minimal", {"--load-outputs", "other.json"});
  EXPECT_THAT(output_, HasSubstr("[W] The check compares with saved outputs that don't have the names of the whole "
                                 "model's: its output 'y' wasn't saved"));
}

// Values are also computed for parts of the model, which lack some of its inputs.
TEST_F(ReduceValuesTest, RangesAreCheckedOnceAndAgainstTheWholeModel) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[n] x) => (float[n] y) { a = Neg(x) b = Exp(a) y = Abs(b) })");
  const Finished done =
      assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--values", "freeze", "--model-input-shapes", "x:[2]",
             "--val-range", "x:[0,2]", "r:[0,2]", "--check", "sh", "-c", "grep -q Abs {model} && exit 1; exit 0"});
  EXPECT_EQ(done.status, 0) << done.output;
  std::vector<std::string> warnings;
  for (const std::string& line : base::split(done.output, '\n')) {
    if (line.find("[W]") != std::string::npos) warnings.push_back(line);
  }
  EXPECT_EQ(warnings, Words({"[W] The model has no input 'r', for which a range is given"}));
}

TEST_F(ReduceValuesTest, AShapeForAnUnknownInputIsAnErrorInEveryMode) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[n] x) => (float[n] y) { a = Neg(x) y = Abs(a) })");
  for (const std::string mode : {"minimal", "bisect", "linear"}) {
    const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--mode", mode, "--model-input-shapes",
                                 "s:[2]", "--check", "false"});
    EXPECT_NE(done.status, 0) << mode;
    EXPECT_THAT(done.output, HasSubstr("[E] the model has no input tensor 's' (in --model-input-shapes). "
                                       "Its inputs are: x"))
        << mode;
  }
}

// A wildcard means the same in all modes.
TEST_F(ReduceValuesTest, WildcardsStandForInputs) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[n] x1, float[n] x2) => (float[n] y) { a = Add(x1, x2) y = Abs(a) })");
  const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--mode", "bisect", "--model-input-shapes",
                               "x*:[2]", "--check", "sh", "-c", "grep -q Add {model} && exit 1; exit 0"});
  EXPECT_EQ(done.status, 0) << done.output;
  const model::Model result = model::load(path("r.onnx")).value();
  for (const onnx::ValueInfoProto& input : result.graph().input()) {
    EXPECT_EQ(input.type().tensor_type().shape().dim(0).dim_value(), 2) << input.name();
  }
}

// The reflecting Pad fails because the input is too short, with the check's sizes. What is frozen has to go with these.
TEST_F(ReduceValuesTest, AFailureThatNeedsTheSizesOfTheCheckKeepsThem) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[batch, length] x) => (float[n] y)
    <int64[2] zeros = {0, 0}, int64[2] fives = {0, 5}, int64[1] all = {-1}> {
      s = Shape(x) z = Mul(s, zeros) e = Add(z, fives) pads = Concat<axis = 0>(z, e)
      a = Neg(x) b = Exp(a) p = Pad<mode = "reflect">(b, pads) c = Abs(p) d = Floor(c) r = Reshape(d, all) y = Sqrt(r)
    })");
  for (const auto& [shape, length] : {std::pair("x:[1,1]", 1), std::pair("x:[1,3]", 3)}) {
    Words words = {"debug",   "reduce", "m.onnx", "-o", "r.onnx", "--check", "assay", "run", "polygraphy_debug.onnx",
                   "--onnxrt"};
    if (length > 1) words.insert(words.end(), {"--input-shapes", shape});
    passes(words);
    EXPECT_THAT(operators("r.onnx"), ElementsAre("Pad"));
    const model::Model result = model::load(path("r.onnx")).value();
    ASSERT_EQ(result.graph().input_size(), 1);
    EXPECT_EQ(result.graph().input(0).type().tensor_type().shape().dim(1).dim_value(), length);
  }
}

TEST_F(ReduceValuesTest, ACheckThatIgnoresTheGivenInputsIsMentioned) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Neg(x) y = Sqrt(a) })");
  write_inputs("in.json", {named({{"x", floats({2}, {1, 2})}})});
  const auto reduce = [&](const Words& loaded) {
    Words words = {"debug",
                   "reduce",
                   "m.onnx",
                   "-o",
                   "r.onnx",
                   "--load-inputs",
                   "in.json",
                   "--check",
                   "assay",
                   "run",
                   "polygraphy_debug.onnx",
                   "--onnxrt",
                   "--validate"};
    words.insert(words.end(), loaded.begin(), loaded.end());
    return assay(words).output;
  };
  constexpr auto kWarning = "The check generates its own inputs; --load-inputs only says";
  EXPECT_NE(reduce({}).find(kWarning), std::string::npos);
  EXPECT_EQ(reduce({"--load-inputs", "in.json"}).find(kWarning), std::string::npos);
}

// The check has no data for an input that a cut creates.
TEST_F(ReduceValuesTest, WhatWasCutIsFrozenIfTheCheckLoadsTheInputs) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[4] y) {
      a = Concat<axis = 0>(x, x) b = Neg(a) c = Exp(a) d = Sqrt(b) e = Neg(c) f = Sqrt(e) y = Add(d, f) })");
  const auto reduce = [&](const tensor::NamedTensors& data) {
    write_inputs("in.json", {data});
    const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--check", "assay", "run",
                                 "polygraphy_debug.onnx", "--onnxrt", "--validate", "--load-inputs", "in.json"});
    EXPECT_NE(done.output.find("Reduced 7 nodes to 1."), std::string::npos) << done.output;
    EXPECT_EQ(done.output.find("no data for input 'b'"), std::string::npos) << done.output;
    return model::load(path("r.onnx")).value().graph();
  };
  const onnx::GraphProto frozen = reduce(named({{"x", floats({2}, {1, 2})}}));
  EXPECT_EQ(frozen.node(0).op_type(), "Sqrt");
  EXPECT_EQ(frozen.input_size(), 0);
  EXPECT_EQ(frozen.initializer_size(), 1);
  // With values for other tensors, data can become inputs.
  tensor::NamedTensors all = named({{"x", floats({2}, {-1, -1})}});
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) all.set(name, floats({4}, {-1, -1, -1, -1}));
  EXPECT_EQ(reduce(all).input_size(), 1);
}

TEST_F(ReduceValuesTest, GivenInputsAreCastAsInARun) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Neg(x) y = Sqrt(a) })");
  write_inputs("in.json",
               {named({{"x", tensor::Tensor::of(tensor::ElementType::float64, {2}, std::vector<double>{1, 2})}})});
  const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--load-inputs", "in.json", "--values",
                               "freeze", "--check", "sh", "-c", "grep -q Sqrt {model} && exit 1; exit 0"});
  EXPECT_EQ(done.status, 0) << done.output;
  const model::Model left = model::load(path("r.onnx")).value();
  ASSERT_EQ(left.graph().initializer_size(), 1) << done.output;
  EXPECT_EQ(left.graph().initializer(0).data_type(), onnx::TensorProto::FLOAT);
}

// The engine that computes values hangs, too. It may take about as long as the check's engine, not five minutes.
TEST_F(ReduceValuesTest, ValuesOfAModelThatHangsTakeNoLongerThanItsCheck) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) <bool yes = {1}> {
        a = Sin(x)  b = Tanh(a)
        l = Loop ("", yes, b) <body = endless (int64 i, bool go, float[4] v) => (bool more, float[4] w) {
          more = Identity(go)  w = Sin(v) }>
        c = Neg(l)  y = Exp(c) })");
  const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--max-checks", "4", "--check", "assay",
                               "run", "polygraphy_debug.onnx", "--onnxrt", "--engine-timeout", "1"});
  EXPECT_EQ(done.status, 0) << done.output;
  const auto reduced = model::load(path("r.onnx"));
  ASSERT_TRUE(reduced) << reduced.error().message();
  EXPECT_LT(reduced->graph().node_size(), 5);
}

// The value of `k`, which is frozen, is never computed.
TEST_F(ReduceValuesTest, ATimeLimitEndsTheEngineThatComputesValues) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) <bool yes = {1}> {
        l = Loop ("", yes, x) <body = endless (int64 i, bool go, float[4] v) => (bool more, float[4] w) {
          more = Identity(go)  w = Sin(v) }>
        k = Cast <to = 7> (l)  y = Gather(x, k) })");
  const Finished done = assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--time-limit", "2", "--check-timeout",
                               "10", "--check", "sh", "-c", "grep -q Gather {model} && exit 1; exit 0"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("Stopped early"), Not(HasSubstr("a check was still running"))));
  EXPECT_TRUE(no_process_left());
}

// The engine holds 2 GiB if nothing stops it.
TEST_F(ReduceValuesTest, AnEngineThatCrashesOrEatsMemoryIsAResultOfTheSearch) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { a = Neg(x) b = Tan(a) y = Exp(b) })");
  const auto reduce = [&](const std::string& misbehave, const Words& limit) {
    write("engine.py", R"(
import os
import numpy
held = []
def load(path):
    with open(path, "rb") as file:
        return file.read()
def infer(model, feeds, wanted):
    if b"Tan" in model:
        )" + misbehave + R"(
    return {name: numpy.zeros(2, numpy.float32) for name in wanted}
)");
    Words words = {"debug",    "reduce",    "m.onnx",
                   "-o",       "r.onnx",    "--check",
                   "assay",    "run",       "polygraphy_debug.onnx",
                   "--python", "engine.py", "--python-interpreter",
                   python};
    words.insert(words.end(), limit.begin(), limit.end());
    const std::string output = passes(words);
    EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan")) << output;
    EXPECT_TRUE(no_process_left());
    return output;
  };
  EXPECT_THAT(reduce("os.abort()", {}), HasSubstr("crashed with signal 6"));
  EXPECT_THAT(reduce("for _ in range(32): held.append(bytearray(1 << 26))", {"--engine-memory", "512M"}),
              HasSubstr("took more memory than the limit of 512.0 MiB"));
}

}  // namespace
}  // namespace assay::e2e
