// assay debug locate with engines in Python that are wrong in ways whose place isn't a node.
#include <gmock/gmock.h>

#include <string>

#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LocatePythonTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
  }
  // `change`: statements on `values`, the outputs by name, before they are returned.
  void write_engine(const std::string& change) const {
    write("engine.py", R"(
import numpy, onnxruntime
runs = [0]
def load(path):
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
def infer(session, feeds, wanted):
    values = dict(zip(wanted, session.run(wanted, feeds)))
    runs[0] += 1
    )" + change + R"(
    return values
)");
  }
  [[nodiscard]] Finished locate(const Words& options = {}) const {
    Words command = {"debug", "locate", "m.onnx",    "--python", "engine.py", "--onnxrt", "--python-interpreter",
                     python_, "-o",     "piece.onnx"};
    command.insert(command.end(), options.begin(), options.end());
    return assay(command);
  }

  std::string python_;
};

TEST_F(LocatePythonTest, LooksIntoFunctionsIfAsked) {
  write_model("m.onnx", R"(<ir_version: 9, opset_import: ["" : 17, "local" : 1]>
      g (float[2] x) => (float[2] y) { y = local.change(x) }
      <domain: "local", opset_import: ["" : 17]> change (u) => (v) { h = Exp(u)  v = Neg(h) })");
  write_engine("values = {name: 1.5 * value for name, value in values.items()}");
  EXPECT_THAT(locate().output,
              AllOf(HasSubstr("change (node #0)"), HasSubstr("--inline-functions replaces it by its nodes")));
  const Finished done = locate({"--inline-functions"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("Exp (node #0)"), HasSubstr("Neg (node #1)"), Not(HasSubstr("change (node"))));
}

TEST_F(LocatePythonTest, SwappedOutputsAreRecognised) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2, 2] x) => (float[2, 2] y, float[2, 2] z) { e = Exp(x)  y = Sin(e)  z = Neg(e) })");
  write_engine("if 'y' in values and 'z' in values: values['y'], values['z'] = values['z'], values['y']");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("Note: Output 'y' of engine N0 has the values of 'z' of onnxrt N1"),
                                 HasSubstr("WRONG ORDER OF OUTPUTS: engine N0 returns them in another order")));
}

// The engine doesn't misplace outputs in general: one node is wrong.
TEST_F(LocatePythonTest, AWrongTransposeIsANodeToBlame) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2, 2] x) => (float[2, 2] y) { e = Exp(x)  y = Transpose <perm = [1, 0]> (e) })");
  write("engine.py", R"(
import onnx, onnxruntime
def load(path):
    model = onnx.load(path)
    for node in model.graph.node:
        if node.op_type == "Transpose": node.attribute[0].ints[:] = [0, 1]
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
def infer(session, feeds, wanted):
    return dict(zip(wanted, session.run(wanted, feeds)))
)");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("if the axes of the latter are transposed"),
                                 HasSubstr("Computed by Transpose"), testing::Not(HasSubstr("WRONG ORDER"))));
}

// The command has to repeat the module and the interpreter of the engine that is compared with itself, and nothing
// else.
TEST_F(LocatePythonTest, SuggestsAReductionOfTheRandomEngineThatRuns) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { e = Exp(x)  y = Sin(e) })");
  write_engine("values = {name: value + numpy.float32(runs[0]) for name, value in values.items()}");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  const std::string engine = " --python " + path("engine.py").string() + " --python-interpreter " + python_;
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("NOT DETERMINISTIC"), HasSubstr("--check assay run polygraphy_debug.onnx" + engine +
                                                              engine + " --load-inputs piece_inputs.json")));
}

// The outputs of two engines differ, but the answer is about one engine, whose outputs are the same in every run.
TEST_F(LocatePythonTest, AnEngineThatIsRandomOnlyWithMarksHasNoOutputsThatDiffer) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { e = Exp(x)  y = Sin(e) })");
  write_engine(R"(noise = numpy.float32(runs[0] if len(values) > 1 else 1)
    values = {name: value + noise for name, value in values.items()})");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("NOT DETERMINISTIC"),
                                 HasSubstr("Note: Values differ from run to run only with tensors marked as outputs"),
                                 testing::Not(HasSubstr("1 output differs between"))));
}

TEST_F(LocatePythonTest, APieceOnWhichAnEngineFailsWasNotSeenToAgree) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { e = Exp(x)  y = Sin(e) })");
  write_engine("import os\n    if os.path.exists(r'" + path("piece.onnx").string() +
               "'): raise RuntimeError('too late')\n    values = {name: value + 1 for name, value in values.items()}");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("; not verified, since an engine fails on it"), HasSubstr("too late"),
                                 testing::Not(HasSubstr("does NOT differ"))));
}

// The sequence between the two nodes can't be compared. The engine takes its second element instead of its first.
TEST_F(LocatePythonTest, NodesBetweenWhichNothingIsComparedAreBlamedTogether) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[m] y, seq(float[m]) s) <int64 two = {2}, int64 first = {0}> {
        e = Exp(x)  s = SplitToSequence <axis = 0> (e, two)  y = SequenceAt(s, first) })");
  write("engine.py", R"(
import numpy, onnx, onnxruntime
def load(path):
    model = onnx.load(path)
    model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.array(1), "second"))
    for node in model.graph.node:
        if node.op_type == "SequenceAt": node.input[1] = "second"
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
def infer(session, feeds, wanted):
    known = {port.name for port in session.get_inputs()}
    return dict(zip(wanted, session.run(wanted, {name: value for name, value in feeds.items() if name in known})))
)");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("these 2 nodes, between which no tensor can be compared, differ, by"),
                                 HasSubstr("Note: Output 's' isn't a tensor, and was not compared")));
}

// No shape inference knows the length of 'c', and the sides return different ones. The worker of --python refuses an
// output of another shape than the model declares, so a piece mustn't declare the length that one side returned.
TEST_F(LocatePythonTest, ThePieceAroundASequenceOfAnotherLengthStillDiffersWhenItIsSaved) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[6] x) => (float[n] y) <int64 two = {2}> {
        e = Exp(x)  s = SplitToSequence <axis = 0> (e, two)  c = ConcatFromSequence <axis = 0> (s)  y = Neg(c) })");
  write("engine.py", R"(
import onnx, onnxruntime
def load(path):
    model = onnx.load(path)
    for place, node in enumerate(model.graph.node):
        if node.op_type == "SplitToSequence":
            node.output[0] = "whole"
            model.graph.node.insert(place + 1, onnx.helper.make_node("SequenceErase", ["whole"], ["s"]))
            break
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
def infer(session, feeds, wanted):
    return dict(zip(wanted, session.run(wanted, feeds)))
)");
  const Finished done = locate();
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("differ: the shapes (4,) and (6,) differ"),
                                 HasSubstr("loaded again, in fresh sessions, it differs, too")));
}

}  // namespace
}  // namespace assay::e2e
