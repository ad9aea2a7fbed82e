// assay diagnose with failures whose cause is known.
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

using testing::HasSubstr;

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
    const char* python = std::getenv("ASSAY_TEST_PYTHON");
    if (python == nullptr || *python == '\0') GTEST_SKIP() << "no Python with onnxruntime (ASSAY_TEST_PYTHON)";
    python_ = python;
  }
  // `change`: statements on `model`, the ONNX model; `around`: statements before each run, on `session` and `feeds`.
  void write_engine(const std::string& change, const std::string& around = "pass") const {
    write("engine.py", R"(
import onnx, onnxruntime, time
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

TEST_F(DiagnosePythonTest, AnEngineThatHangsIsNamedWithPhaseAndTime) {
  write_graph("(float[2] x) => (float[2] y) { a = Neg(x)  y = Exp(a) }");
  write_values({{"x", floats({2}, {1, 2})}});
  write_engine("pass", "time.sleep(1000)");
  const Finished done = diagnose(engine(), {"--engine-timeout", "2", "--skip", "reduce"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("The Python engine engine.py hangs: it had not run the model after 2 s"));
}

}  // namespace
}  // namespace assay::e2e
