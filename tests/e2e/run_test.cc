// assay run: engines, inputs, comparisons, and everything that can go wrong with them.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

#include "base/files.h"
#include "data/run_results.h"
#include "model/load.h"
#include "model/save.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kAdd = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x, int64[1] k) => (float[N, 2] y) { f = Cast<to = 1>(k) y = Add(x, f) })";
constexpr auto kLog = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { l = Log(x) y = Neg(l) })";

tensor::Tensor index(std::int64_t value) {
  return tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {1}, {value});
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class RunTest : public EngineWorkspace {
 protected:
  // Adds `difference` to one value of saved results.
  void plant(const std::string& name, const std::string& output, float difference) const {
    data::RunResults results = data::load_run_results(path(name)).value();
    tensor::NamedTensors& outputs = results.runners.at(0).iterations.at(0).outputs;
    const tensor::Tensor& tensor = *outputs.find(output);
    std::vector<float> values(tensor.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.load<float>(i);
    values.at(1) += difference;
    outputs.set(output, floats(tensor.shape(), values));
    ASSERT_TRUE(data::save_run_results(path(name), results));
  }
};

TEST_F(RunTest, ResultsThatWereSavedAgree) {
  const std::string model = (test::models_dir() / "mnist_quantized.onnx").string();
  const Finished saved = assay({"run", model, "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "out.json"});
  ASSERT_EQ(saved.status, 0);
  EXPECT_THAT(saved.output,
              AllOf(HasSubstr("Saved the inputs to in.json"), HasSubstr("Saved the outputs to out.json")));
  EXPECT_THAT(files(), ElementsAre("in.json", "out.json"));
  const Finished again = assay({"run", model, "--onnxrt", "--load-inputs", "in.json", "--load-outputs", "out.json"});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("1 of 1 iterations agree"));
}

TEST_F(RunTest, APlantedDifferenceIsFoundAndTolerated) {
  write_model("m.onnx", kAdd);
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "out.json"}).status, 0);
  plant("out.json", "y", 0.01F);
  const Words command = {"run", "m.onnx", "--onnxrt", "--load-outputs", "out.json"};
  const Finished failed = assay(command);
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.output, AllOf(HasSubstr("1 of 2 elements differ"), HasSubstr("at (0, 1)"), HasSubstr("FAILED")));
  Words tolerant = command;
  tolerant.insert(tolerant.end(), {"--atol", "y:0.02"});
  EXPECT_EQ(assay(tolerant).status, 0);
  Words other = command;
  other.insert(other.end(), {"--atol", "z:0.02"});
  EXPECT_EQ(assay(other).status, 1) << "a tolerance of another output";
}

TEST_F(RunTest, EnginesRunInTheOrderGivenAndAreCompared) {
  write_model("m.onnx", kAdd);
  const Finished both =
      assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--iterations", "3", "--save-outputs", "o.json"});
  EXPECT_EQ(both.status, 0) << both.output;
  EXPECT_THAT(both.output, HasSubstr("3 of 3 iterations agree"));
  const data::RunResults saved = data::load_run_results(path("o.json")).value();
  ASSERT_EQ(saved.runners.size(), 2U);
  EXPECT_THAT(saved.runners[0].runner, testing::StartsWith("onnxrt-runner-N0-"));
  EXPECT_THAT(saved.runners[1].runner, testing::StartsWith("onnxrt-runner-N1-"));
  EXPECT_EQ(saved.runners[1].iterations.size(), 3U);
}

TEST_F(RunTest, RunnersMayRunOneAfterTheOther) {
  write_model("m.onnx", kAdd);
  const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--sequential-runners", "--warm-up", "2",
                                   "--iterations", "3", "--use-subprocess"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("Completed 3 iterations"), HasSubstr("3 of 3 iterations agree")));
  const Finished side_by_side =
      assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--warm-up", "2", "--use-subprocess", "--iterations", "4", "-v"});
  EXPECT_EQ(side_by_side.status, 0) << side_by_side.output;
  EXPECT_THAT(side_by_side.output,
              AllOf(HasSubstr("Warm-up runs finished: 2"), HasSubstr("Completed 4 iterations"), HasSubstr("Median: ")));
}

TEST_F(RunTest, FolderFormKeepsAFileForEachIteration) {
  write_model("m.onnx", kAdd);
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--iterations", "2", "--save-inputs", "in", "--save-outputs", "out",
                   "--save-input-blob", "raw"})
                .status,
            0);
  EXPECT_THAT(files(), ElementsAre("in/0000000000.json", "in/0000000001.json", "m.onnx", "out/0000000000.json",
                                   "out/0000000001.json", "raw/0000000000/k.bin", "raw/0000000000/x.bin",
                                   "raw/0000000001/k.bin", "raw/0000000001/x.bin"));
  const Finished again = assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "in", "--load-outputs", "out"});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("2 of 2 iterations agree"));
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-inputs", "in"}).status, 1) << "the folder is not empty";
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-input-blob"}).status, 0);
  EXPECT_THAT(files(), Contains("0000000000/x.bin")) << "the working folder, where none is given";
}

TEST_F(RunTest, AllLayersCanBeOutputsByAnyOfTheirNames) {
  write_model("m.onnx", kLog);
  const auto outputs = [&](const Words& words) {
    Words command = {"run", "m.onnx", "--onnxrt", "--save-outputs", "o.json", "--val-range", "[1,2]"};
    command.insert(command.end(), words.begin(), words.end());
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return data::load_run_results(path("o.json")).value().runners.at(0).iterations.at(0).outputs.names();
  };
  EXPECT_THAT(outputs({"--onnx-outputs", "mark", "all"}), ElementsAre("l", "y"));
  EXPECT_THAT(outputs({"--onnx-outputs", "*"}), ElementsAre("l", "y"));
  EXPECT_THAT(outputs({"--onnx-outputs", "y", "l"}), ElementsAre("y", "l"));
  EXPECT_THAT(outputs({"--onnx-outputs-by-type", "log"}), ElementsAre("l"));
  EXPECT_THAT(outputs({"--onnx-outputs", "*", "--onnx-exclude-outputs", "y"}), ElementsAre("l"));
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "nope"}).output, HasSubstr("no such tensor: nope"));
}

TEST_F(RunTest, TheModelThatRanIsSaved) {
  write_model("m.onnx", kLog);
  const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "l", "--save-onnx", "marked.onnx"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_EQ(assay({"run", "marked.onnx", "--onnxrt", "--save-outputs", "o.json"}).status, 0);
  EXPECT_THAT(read("o.json"), HasSubstr("\"l\""));
}

TEST_F(RunTest, ExternalWeightsAreFoundInAnotherFolder) {
  std::filesystem::copy_file(test::models_dir() / "ext_weights.onnx", path("m.onnx"));
  std::filesystem::create_directory(path("weights"));
  std::filesystem::copy_file(test::models_dir() / "ext_weights.data", path("weights/ext_weights.data"));
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt"}).status, 1);
  const Finished found = assay({"run", "m.onnx", "--onnxrt", "--external-data-dir", "weights"});
  EXPECT_EQ(found.status, 0) << found.output;
  const Finished marked = assay({"run", "m.onnx", "--onnxrt", "--ext", "weights", "--onnx-outputs", "*"});
  EXPECT_EQ(marked.status, 0) << marked.output;
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--ignore-external-data"}).status, 1);
  EXPECT_EQ(assay({"diff", "m.onnx", "m.onnx"}).status, 1);
  EXPECT_EQ(assay({"diff", "m.onnx", "m.onnx", "--external-data-dir", "weights"}).status, 0);
  EXPECT_EQ(assay({"diff", "m.onnx", (test::models_dir() / "ext_weights.onnx").string(), "--external-data-dir",
                   "weights", test::models_dir().string()})
                .status,
            0);
}

TEST_F(RunTest, AProgramOfItsOwnRefusesOptionsThatItCannotHave) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Neg(x) })");
  const Finished written = assay({"run", "m.onnx", "--onnxrt", "--threads", "1", "--gen-script", "program.py"});
  EXPECT_EQ(written.status, 0) << written.output;
  EXPECT_THAT(read("program.py"), HasSubstr("INTRA_OP_THREADS = 1"));
  write_model("open.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] in_1, float[N, 2] in_2) => (float[N, 2] y) { y = Add(in_1, in_2) })");
  EXPECT_EQ(assay({"run", "open.onnx", "--onnxrt", "--gen-script", "open.py", "--input-shapes", "in_*:[3,2]"}).status,
            0);
  EXPECT_THAT(read("open.py"), AllOf(HasSubstr("in_1\", 1, (3, 2)"), HasSubstr("in_2\", 1, (3, 2)")));
  EXPECT_EQ(assay({"run", "open.onnx", "--onnxrt", "--gen-script", "open.py", "--input-shapes", "in_1:[3,5]"}).status,
            0);
  EXPECT_THAT(read("open.py"), HasSubstr("in_1\", 1, (1, 2)")) << "a shape that the run doesn't use either";
  const Finished refused = assay({"run", "m.onnx", "--onnxrt", "--gen-script", "other.py", "--save-outputs", "o.json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output, HasSubstr("--gen-script doesn't support this option (in --save-outputs)"));
  const Finished torch =
      assay({"run", "m.onnx", "--onnxrt", "--gen-script", "other.py", "--data-loader-backend-module", "torch"});
  EXPECT_THAT(torch.output, HasSubstr("they can't be torch tensors (in --data-loader-backend-module)"));
  const Finished weights = assay({"run", "m.onnx", "--onnxrt", "--gen-script", "other.py", "--ext", "."});
  EXPECT_EQ(weights.status, 1);
  EXPECT_THAT(weights.output, HasSubstr("doesn't support this option (in --ext)"));
  write("old.so", "a library that isn't loaded");
  const Finished library = assay({"run", "m.onnx", "--onnxrt=old:lib=old.so", "--onnxrt", "--gen-script", "other.py"});
  EXPECT_EQ(library.status, 1);
  EXPECT_THAT(
      library.output,
      HasSubstr("--gen-script doesn't support lib: the program runs the engine's Python package (in --onnxrt)"));
  EXPECT_FALSE(std::filesystem::exists(path("other.py")));
}

TEST_F(RunTest, OptionalInputsAreFedAndSequencesAreLeftOut) {
  write_model("optional.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (optional(float[2]) o) => (float[2] y) { y = OptionalGetElement(o) })");
  const Finished fed = assay({"run", "optional.onnx", "--onnxrt"});
  EXPECT_EQ(fed.status, 0) << fed.output;
  write_model("sequence.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (float[2] x) => (seq(float[2]) s) { s = SequenceConstruct(x, x) })");
  const Finished ran = assay({"run", "sequence.onnx", "--onnxrt"});
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("Output 's' is skipped"), HasSubstr("it is of type sequence(tensor(float32))")));
  for (const char* node : {"Optional<type = float[2]>()", "Optional(x)"}) {
    write_model("optional.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
        g (float[2] x) => (optional(float[2]) o) { o = )" +
                                     std::string(node) + " }");
    const Finished finished = assay({"run", "optional.onnx", "--onnxrt"});
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output, AllOf(HasSubstr("Output 'o' is skipped"), Not(HasSubstr("o [float32"))));
  }
  // It runs although nothing is returned, so an error while it runs is seen.
  write_model("fails.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (float[2] x, int64[1] n) => (seq(float[a]) s) { r = Reshape(x, n) s = SequenceConstruct(r) })");
  EXPECT_EQ(assay({"run", "fails.onnx", "--onnxrt", "--val-range", "n:[7,7]"}).status, 1);
}

TEST_F(RunTest, ValidationFailsOnNaNAndInfinity) {
  write_model("m.onnx", kLog);
  write_inputs("in.json", {named({{"x", floats({2}, {-1, 0})}})});
  const Words command = {"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json"};
  EXPECT_EQ(assay(command).status, 0);
  Words validating = command;
  validating.emplace_back("--validate");
  const Finished finished = assay(validating);
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("'y' holds 1 NaN"), HasSubstr("'y' holds 1 infinite")));
}

TEST_F(RunTest, LargestScoresAreComparedByTheirIndices) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) { y = Neg(x) })");
  write_inputs("a.json", {named({{"x", floats({3}, {1, 2, 3})}})});
  write_inputs("b.json", {named({{"x", floats({3}, {1, 2.5, 3})}})});
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "a.json", "--save-outputs", "a-out.json"}).status, 0);
  const Words command = {"run", "m.onnx", "--onnxrt", "--load-inputs", "b.json", "--load-outputs", "a-out.json"};
  EXPECT_EQ(assay(command).status, 1);
  Words top = command;
  top.insert(top.end(), {"--postprocess", "y:top-2"});
  EXPECT_EQ(assay(top).status, 0);
  top.back() = "y:top-2,axis=1";
  EXPECT_THAT(assay(top).output, HasSubstr("has no axis 1"));
}

TEST_F(RunTest, InputsAreFittedOrRefusedByName) {
  write_model("m.onnx", kAdd);
  write_inputs("missing.json", {named({{"x", floats({3, 2}, {1, 2, 3, 4, 5, 6})}})});
  write_inputs("shape.json", {named({{"x", floats({5}, {1, 2, 3, 4, 5})}, {"k", index(1)}})});
  write_inputs("type.json", {named({{"x", floats({1, 2}, {1, 2})}, {"k", floats({1}, {2})}})});
  const auto load = [&](const std::string& file) {
    return assay({"run", "m.onnx", "--onnxrt", "--load-inputs", file});
  };
  EXPECT_EQ(load("missing.json").status, 1);
  EXPECT_THAT(load("missing.json").output, HasSubstr("no data for input 'k'"));
  EXPECT_EQ(load("shape.json").status, 1);
  EXPECT_THAT(load("shape.json").output, AllOf(HasSubstr("'x'"), HasSubstr("(5,)")));
  EXPECT_EQ(load("type.json").status, 0);
  EXPECT_THAT(load("type.json").output, HasSubstr("[W] Input 'k'"));
  EXPECT_EQ(load("nothing.json").status, 1);
  write("broken.json", "[{");
  EXPECT_EQ(load("broken.json").status, 1);
}

TEST_F(RunTest, ShapesForUnknownInputsAreReported) {
  write_model("m.onnx", kAdd);
  const Finished wrong = assay({"run", "m.onnx", "--onnxrt", "--inputs", "z:[1]", "x:[4,2]"});
  EXPECT_EQ(wrong.status, 0) << "as in Polygraphy: models differ in their inputs";
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("no input 'z'"), HasSubstr("shape=(4, 2)")));
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--inputs", "x:[4,3]"}).output, HasSubstr("does not fit"));
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--inputs", "x:4x2"}).status, 1);
}

TEST_F(RunTest, AScriptMakesInputsOrSaysWhyNot) {
  if (const std::string python = test::fetched_python(); !python.empty()) {
    environment_["PATH"] = std::filesystem::path(python).parent_path().string() + ":" + std::getenv("PATH");
  }
  if (run({"python3", "-c", "import numpy"}).status != 0) GTEST_SKIP() << "python3 has no NumPy";
  write_model("m.onnx", kAdd);
  write("good.py",
        "import numpy as np\ndef load_data():\n  for i in range(2):\n"
        "    yield {'x': np.ones((1, 2), np.float32), 'k': np.array([i])}\n");
  write("bad.py", "def load_data():\n  raise RuntimeError('no such data set')\n");
  const Finished good = assay({"run", "m.onnx", "--onnxrt", "--data-loader-script", "good.py", "--save-outputs", "o"});
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(files(), Contains("o/0000000001.json"));
  const Finished bad = assay({"run", "m.onnx", "--onnxrt", "--data-loader-script", "bad.py"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.output, HasSubstr("no such data set"));
}

TEST_F(RunTest, AModelThatIsTextRunsInAllEngines) {
  write("m.textproto",
        "ir_version: 10 opset_import { version: 21 } graph { name: 'g' "
        "node { op_type: 'Relu' input: 'x' output: 'y' } "
        "input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } "
        "output { name: 'y' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } }");
  const Finished run = assay({"run", "m.textproto", "--onnxrt", "--openvino", "--external-data-dir", "."});
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_EQ(assay({"run", "m.textproto", "--onnxrt", "--openvino"}).status, 0);
  const Finished converted = assay({"convert", "m.textproto", "-o", "m.json"});
  EXPECT_EQ(converted.status, 0) << converted.output;
  EXPECT_THAT(assay({"inspect", "model", "m.json"}).output, HasSubstr("1 Relu"));
  const Finished script = assay({"run", "m.textproto", "--onnxrt", "--gen-script", "program.py"});
  EXPECT_EQ(script.status, 1);
  EXPECT_THAT(script.output, HasSubstr("engines don't load a model that is text (in m.textproto)"));
}

TEST_F(RunTest, WhatIsNoModelIsNamed) {
  write("text.onnx", "not a model\n");
  EXPECT_EQ(assay({"run", "text.onnx", "--onnxrt"}).status, 1);
  EXPECT_THAT(assay({"run", "text.onnx", "--onnxrt"}).output, HasSubstr("the file is text, not an ONNX model"));
  write("short.onnx", base::read_file(test::models_dir() / "mnist_quantized.onnx").value().substr(0, 5000));
  EXPECT_EQ(assay({"run", "short.onnx", "--onnxrt"}).status, 1);
  EXPECT_THAT(assay({"run", "short.onnx", "--onnxrt"}).output, HasSubstr("cut off"));
  EXPECT_EQ(assay({"run", "gone.onnx", "--onnxrt"}).status, 1);
  EXPECT_THAT(assay({"run", "gone.onnx", "--onnxrt"}).output,
              HasSubstr("cannot open: No such file or directory (in gone.onnx)"));
}

TEST_F(RunTest, AMissingLibraryIsNamed) {
  write_model("m.onnx", kAdd);
  const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--onnxrt-lib", "/no/such/libonnxruntime.so"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("there is no ONNX Runtime at /no/such/libonnxruntime.so"));
  EXPECT_THAT(assay({"run", "--onnxrt", "--onnxrt-lib", "/no/such.so", "m.onnx"}).output,
              HasSubstr("there is no ONNX Runtime at /no/such.so"))
      << "the option takes one word";
  write("libonnxruntime.so", "no library");
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--onnxrt-lib", "libonnxruntime.so"}).status, 1);
}

TEST_F(RunTest, OptionsOfTheEngineReachIt) {
  write_model("m.onnx", kAdd);
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--threads", "1", "--graph-optimization-level", "ORT_DISABLE_ALL",
                   "--session-config", "session.intra_op.allow_spinning=0", "--providers", "cpu"})
                .status,
            0);
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--providers", "nothing"}).output, HasSubstr("CPUExecutionProvider"));
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--provider-options", "cuda.device_id=1"}).output,
              HasSubstr("'cuda.device_id' is for an execution provider that isn't used"));
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--graph-optimization-level", "FAST"}).status, 2);
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--graph-optimization-level", "ort_disable_all"}).status, 0);
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt=x:graph-optimization-level=FAST"}).status, 1);
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--threads", "1", "--threads", "2"}).status, 0);
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--threads", "1", "--threads", "2"}).status, 1);
  EXPECT_EQ(assay({"run", "--onnxrt", "--threads", "1", "m.onnx"}).status, 0) << "the option takes one word";
}

TEST_F(RunTest, AccuracyIsSavedAndJudgedAgain) {
  write_model("m.onnx", kAdd);
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--seed", seed, "--iterations", "2", "--save-outputs",
                     std::string(seed) + ".json"})
                  .status,
              0);
  }
  const Words compare = {"run", "--load-outputs", "1.json", "2.json", "--compare", "l2", "ulp"};
  EXPECT_EQ(assay(with(compare, {"--save-accuracy-results", "accuracy.json"})).status, 1);
  const Words check = {"check", "accuracy", "accuracy.json"};
  EXPECT_EQ(assay(with(check, {"--compare", "l2", "--l2-threshold", "100"})).status, 0);
  EXPECT_EQ(assay(with(check, {"--compare", "l2", "ulp", "--l2-threshold", "100"})).status, 1);
  EXPECT_EQ(assay(with(check, {"--compare", "ulp", "--ulp-tolerance", "1e10", "--check-average"})).status, 0);
  EXPECT_EQ(assay(check).status, 0) << "nothing of simple was saved, and nothing is asked";
  EXPECT_EQ(assay(with(check, {"--atol", "1"})).status, 1) << "nothing of simple was saved";
  EXPECT_EQ(assay(with(check, {"--compare", "l2", "--no-shape-check"})).status, 1) << "acts on outputs";
  EXPECT_EQ(assay(with(compare, {"--check-average", "--l2-threshold", "100", "--ulp-tolerance", "1e10"})).status, 0);
  EXPECT_EQ(assay(with(compare, {"--check-average", "--fail-fast"})).status, 1);
}

TEST_F(RunTest, ErrorsAreDrawn) {
  write_model("m.onnx", kAdd);
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(
        assay({"run", "m.onnx", "--onnxrt", "--seed", seed, "--save-outputs", std::string(seed) + ".json"}).status, 0);
  }
  const Finished finished =
      assay({"run", "--load-outputs", "1.json", "2.json", "--save-heatmaps", "maps", "--save-error-metrics-plot",
             "plots", "--show-heatmaps", "--show-error-metrics-plot"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("Absolute errors of '"));
  EXPECT_THAT(finished.output, HasSubstr(" by size\n"));
  EXPECT_FALSE(std::filesystem::is_empty(path("maps")));
  EXPECT_FALSE(std::filesystem::is_empty(path("plots")));
}

TEST_F(RunTest, ResultsThatCantBeSavedAreSaidBeforeTheRun) {
  write_model("m.onnx", kAdd);
  for (const char* option : {"--save-accuracy-results", "--save-heatmaps", "--save-error-metrics-plot"}) {
    const Finished finished = assay({"run", "m.onnx", "--onnxrt", option, "/proc/none/results"});
    EXPECT_EQ(finished.status, 1) << option;
    EXPECT_THAT(finished.output, AllOf(HasSubstr(std::string("The option that names the file is ") + option),
                                       Not(HasSubstr("Iteration 0"))));
  }
}

TEST_F(RunTest, RefusesWhatItCannotDo) {
  write_model("m.onnx", kAdd);
  for (const auto& [option, reason] :
       {std::pair{"--tf", "[E] this option needs TensorFlow"},
        std::pair{"--fp16", "[E] this is a setting of TensorRT, which doesn't run (in --fp16)"},
        std::pair{"--best", "[E] this is a setting of TensorRT, which doesn't run (in --best)"}}) {
    const Finished finished = assay({"run", "m.onnx", "--onnxrt", option});
    EXPECT_EQ(finished.status, 1) << option;
    EXPECT_THAT(finished.output, HasSubstr(reason)) << option;
  }
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--model-type", "engine"}).status, 1);
  EXPECT_EQ(assay({"run", "--onnxrt"}).status, 1);
  EXPECT_EQ(assay({"run", "m.onnx"}).status, 0) << "nothing to run is a warning, as in Polygraphy";
}

// tests/fakes/lpips stands in for the network: images differ by the mean square of the differences.
TEST_F(RunTest, ComparesImagesByHowTheyLook) {
  if (test::fetched_python().empty()) GTEST_SKIP() << test::kNoPython;
  environment_["VIRTUAL_ENV"] = std::filesystem::path(test::fetched_python()).parent_path().parent_path();
  environment_["PYTHONPATH"] = test::source_dir() / "tests/fakes/lpips";
  write_model("image.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y, float[1, 192] z) { y = Sigmoid(x) z = Flatten(y) })");
  const Words first = {"run", "image.onnx", "--onnxrt", "--onnx-outputs", "y", "--compare", "perceptual_metrics"};
  ASSERT_EQ(assay(with(first, {"--save-outputs", "y.json"})).status, 0);
  plant("y.json", "y", -0.5F);  // of 192 values, in the range from -1 to 1: 1 / 192
  const Words again = with(first, {"--load-outputs", "y.json", "--save-accuracy-results", "saved.json"});
  EXPECT_THAT(passes(again), HasSubstr("LPIPS: 0.0052083 (limit: 0.1)"));
  EXPECT_EQ(assay(with(again, {"--lpips-threshold", "0.005"})).status, 1);
  const Words check = {"check", "accuracy", "saved.json", "--compare", "perceptual_metrics"};
  EXPECT_EQ(assay(with(check, {"--lpips-tolerance", "0.006"})).status, 0);
  EXPECT_EQ(assay(with(check, {"--lpips-tolerance", "y:0.005"})).status, 1);
  EXPECT_THAT(fails({"run", "image.onnx", "--onnxrt", "--onnxrt", "--compare", "perceptual_metrics"}),
              HasSubstr("an array of shape (1, 192) isn't an image, which LPIPS needs"));
  EXPECT_THAT(fails({"debug", "locate", "image.onnx", "--onnxrt", "--onnxrt", "--compare", "perceptual_metrics"}),
              HasSubstr("tensors inside a model aren't images (in --compare perceptual_metrics)"));
  write("lpips.py", "import no_such_module");
  environment_["PYTHONPATH"] = path("");
  EXPECT_THAT(fails(again), AllOf(HasSubstr("[E] LPIPS needs the Python packages lpips, torch and torchvision, which"),
                                  HasSubstr("To use another interpreter, name it with --python-interpreter")));
}

// Only the interpreter that is named has the package `named`, and LPIPS.
TEST_F(RunTest, ScriptsAndLpipsRunInTheInterpreterThatIsNamed) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  environment_["VIRTUAL_ENV"] = std::filesystem::path(python).parent_path().parent_path();
  std::filesystem::create_directory(path("packages"));
  write("packages/named.py", "");
  write("named", "#!/bin/sh\nPYTHONPATH=\"" + test::source_dir().string() +
                     "/tests/fakes/lpips:" + path("packages").string() + "\" exec \"" + python + "\" \"$@\"\n");
  std::filesystem::permissions(path("named"), std::filesystem::perms::owner_all);
  write("script.py", R"(import named
import numpy as np
def load_data(): yield {"x": np.ones((1, 3, 8, 8), np.float32)}
def postprocess_outputs(result): return result
def compare_outputs(first, second): return {"y": True}
)");
  write_model("image.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y) { y = Sigmoid(x) })");
  const Words twice = {"run", "image.onnx", "--onnxrt", "--onnxrt"};
  const Words named = {"--python-interpreter", path("named").string()};
  for (const Words& use : {Words{"--data-loader-script", "script.py"}, Words{"--postprocess-func-script", "script.py"},
                           Words{"--compare-func-script", "script.py"}, Words{"--compare", "perceptual_metrics"}}) {
    EXPECT_EQ(assay(with(twice, use)).status, 1) << use[0];
    const Finished done = assay(with(with(twice, use), named));
    EXPECT_EQ(done.status, 0) << use[0] << done.output;
  }
  ASSERT_EQ(assay({"run", "image.onnx", "--onnxrt", "--save-outputs", "y.json"}).status, 0);
  EXPECT_EQ(assay(with({"run", "--load-outputs", "y.json", "y.json", "--compare", "perceptual_metrics"}, named)).status,
            0);
  EXPECT_THAT(fails(with(twice, named)), HasSubstr("none of the given engines has this setting"));
  EXPECT_THAT(fails(with({"run", "--load-outputs", "y.json", "y.json"}, named)),
              HasSubstr("this is a setting of engines, and none runs (in --python-interpreter)"));
}

TEST_F(RunTest, AFullDiskLeavesNothingHalfWritten) {
  if (run({"unshare", "-rm", "true"}).status != 0) GTEST_SKIP() << "no file system can be mounted here";
  const std::string model = (test::models_dir() / "mnist_quantized.onnx").string();
  std::filesystem::create_directory(path("small"));
  const std::string command = "mount -t tmpfs -o size=16k none small || exit 77; \"$0\" run '" + model +
                              "' --onnxrt --onnx-outputs '*' --save-outputs small/out.json; echo status $?; "
                              "echo left: $(ls -A small)";
  const Finished finished = run({"unshare", "-rm", "bash", "-c", command, with_program({})[0]});
  if (finished.status == 77) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_THAT(finished.output, AllOf(HasSubstr("No space left on device (in small/out.json)"), HasSubstr("status 1\n"),
                                     HasSubstr("left:\n")));
}

TEST_F(RunTest, AFolderThatCannotBeWrittenIsNamed) {
  write_model("m.onnx", kAdd);
  write("file", "in the way");
  const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "file/out.json"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("(in file"));
}

// Saved results against each other, without an engine.
class SavedResultsTest : public Workspace {
 protected:
  void save(const std::string& name, const std::vector<float>& values, int iterations = 1) const {
    data::RunResults results;
    for (int i = 0; i < iterations; ++i) {
      data::IterationResult result;
      result.outputs = named({{"y", floats({static_cast<std::int64_t>(values.size())}, values)}});
      result.runner = name;
      results.runner(name).iterations.push_back(std::move(result));
    }
    ASSERT_TRUE(data::save_run_results(path(name + ".json"), results));
  }
};

TEST_F(SavedResultsTest, EachIsComparedWithTheNext) {
  save("a", {1, 2});
  save("b", {1, 2});
  save("c", {1, 3});
  EXPECT_EQ(assay({"run", "--load-outputs", "a.json", "b.json"}).status, 0);
  const Finished finished = assay({"run", "--load-outputs", "a.json", "b.json", "c.json"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("PASSED | a and b | 1 of 1"), HasSubstr("FAILED | b and c | 0 of 1")));
}

TEST_F(SavedResultsTest, TheShorterRunEndsTheComparison) {
  save("a", {1, 2}, 3);
  save("b", {1, 2}, 2);
  const Finished finished = assay({"run", "--load-outputs", "a.json", "b.json"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("b has only 2 iterations"), HasSubstr("2 of 2 iterations agree")));
}

TEST_F(SavedResultsTest, FailFastSkipsTheRest) {
  save("a", {1, 2}, 2);
  save("b", {1, 3}, 2);
  EXPECT_THAT(assay({"run", "--load-outputs", "a.json", "b.json"}).output, HasSubstr("Iteration 1"));
  EXPECT_THAT(assay({"run", "--load-outputs", "a.json", "b.json", "--fail-fast"}).output,
              Not(HasSubstr("Iteration 1")));
}

// An engine that misbehaves as ordered by the model file.
class BrokenEngineTest : public Workspace {
 protected:
  BrokenEngineTest() { use_fake_engine(); }
  Finished ordered(const std::string& order, const Words& more = {}) {
    write("m.onnx", order);
    Words command = {"run", "m.onnx", "--onnxrt"};
    command.insert(command.end(), more.begin(), more.end());
    Finished finished = assay(command);
    EXPECT_TRUE(no_process_left());
    return finished;
  }
};

TEST_F(BrokenEngineTest, EveryEndOfAnEngineIsAFailureOfTheRun) {
  EXPECT_EQ(ordered("work").status, 0) << "the fake engine itself works";
  EXPECT_THAT(ordered("run segfault").output, HasSubstr("Segmentation fault"));
  EXPECT_THAT(ordered("load abort").output, HasSubstr("Abort"));
  EXPECT_THAT(ordered("run exit42").output, HasSubstr("exited with status 42"));
  EXPECT_THAT(ordered("run fail").output, HasSubstr("as ordered"));
  EXPECT_THAT(ordered("load hang", {"--engine-timeout", "0.2"}).output,
              HasSubstr("did not end within 0.2 s while loading the model"));
  EXPECT_THAT(ordered("run hang", {"--engine-timeout", "0.2"}).output,
              HasSubstr("did not end within 0.2 s while running it"));
  EXPECT_THAT(ordered("run eat_memory", {"--engine-memory", "64M"}).output,
              HasSubstr("took more memory than the limit of 64.0 MiB"));
  for (const char* order : {"run segfault", "run fail", "load hang", "run garbage"}) {
    EXPECT_EQ(ordered(order, {"--engine-timeout", "0.2"}).status, 1) << order;
  }
}

TEST_F(BrokenEngineTest, InputsThatBringItDownAreSaved) {
  EXPECT_EQ(ordered("run segfault", {"--save-inputs", "in.json", "--save-outputs", "out.json"}).status, 1);
  EXPECT_THAT(files(), AllOf(Contains("in.json"), Not(Contains("out.json"))));
}

TEST_F(BrokenEngineTest, AFullDiskDoesNotHideHowItEnded) {
  const Finished finished = ordered("run fail", {"--save-inputs", "/dev/full"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("as ordered"), HasSubstr("No space left on device")));
}

TEST_F(BrokenEngineTest, CtrlCStopsItAndLeavesNothing) {
  for (const char* order : {"run hang", "run ignore_sigterm"}) {
    write("m.onnx", order);
    const auto running = start({"run", "m.onnx", "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "out.json"});
    ASSERT_TRUE(running->wait_for("Inputs:"));
    running->send(SIGINT);
    const Finished finished = running->finish();
    EXPECT_EQ(finished.status, 130) << finished.output;
    EXPECT_TRUE(no_process_left());
    EXPECT_THAT(files(), Not(Contains(testing::ContainsRegex("(in|out)\\.json")))) << order;
  }
}

TEST_F(RunTest, SaysThatAnInputHasAValueInTheModel) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 1}> { y = Add(x, w) })");
  write_model("both.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w) => (float[2] y) { y = Add(x, w) })");
  ASSERT_EQ(assay({"run", "both.onnx", "--onnxrt", "--save-inputs", "in.json"}).status, 0);
  const Finished finished =
      assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json", "--save-outputs", "out.json"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(finished.output, HasSubstr("The data of 'w' isn't used: the model has a value for this input"));
  const Finished folded =
      assay({"surgeon", "sanitize", "m.onnx", "-o", "folded.onnx", "--fold-constants", "--cleanup"});
  EXPECT_EQ(folded.status, 0);
  EXPECT_THAT(folded.output, Not(HasSubstr("no longer inputs"))) << "Add reads it";
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 1}> { d = Add(w, w)  y = Add(x, d) })");
  const Words fold = {"surgeon", "sanitize", "m.onnx", "-o", "folded.onnx", "--fold-constants"};
  EXPECT_THAT(assay(fold).output, HasSubstr("no longer inputs, so callers can't set them any more: w"));
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 1}> { d = Add(w, w)  e = Add(x, w)  y = Add(d, e) })");
  EXPECT_THAT(assay(fold).output, HasSubstr("no longer inputs, so callers can't set them any more: w"))
      << "one of its readers was folded";
}

TEST_F(RunTest, ConvertsTheModelToFloat16) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y, float[2] z) <float w = {0.1}> { y = Mul(x, w)  z = Neg(y) })");
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "out.json"}).status, 0);
  const Words run = {"run", "m.onnx", "--onnxrt", "--load-outputs", "out.json", "--rtol", "1e-6", "--atol", "0"};
  EXPECT_EQ(assay(run).status, 0);
  for (const Words& more : {Words{}, Words{"--onnx-outputs", "y"}}) {
    Words command = run;
    command.push_back("--fp-to-fp16");
    command.insert(command.end(), more.begin(), more.end());
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 1) << "float16 rounds 0.1 to 0.099976";
    EXPECT_THAT(finished.output, AllOf(HasSubstr("Converted to float16"), HasSubstr("Outputs that differ")));
  }
  EXPECT_THAT(assay({"inspect", "model", "m.onnx", "--show", "layers", "--fp-to-fp16"}).output, HasSubstr("float16"));
  ASSERT_EQ(assay({"convert", "m.onnx", "--fp-to-fp16", "-o", "half.onnx"}).status, 0);
  const Finished twice = assay({"run", "half.onnx", "--onnxrt", "--fp-to-fp16"});
  EXPECT_EQ(twice.status, 0) << twice.output;
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--fp-to-fp16", "--gen-script", "p.py"}).output,
              HasSubstr("--gen-script doesn't support this option (in --fp-to-fp16)"));
}

// Exporters name the dimensions of language models like that.
TEST_F(RunTest, NamesOfDimensionsGiveTheSizesOfGeneratedInputs) {
  auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[past, 2] cache, float[1, 2] x, float[total, 2] mask) => (float[n, 2] y) {
        all = Concat <axis = 0> (cache, x)  y = Add(all, mask) })");
  ASSERT_TRUE(model);
  auto& mask = *model->graph().mutable_input(2)->mutable_type()->mutable_tensor_type()->mutable_shape();
  mask.mutable_dim(0)->set_dim_param("past + 1");
  ASSERT_TRUE(model::save(*model, path("m.onnx")));
  for (const Words& command : {Words{"run", "m.onnx", "--onnxrt"}, Words{"check", "lint", "m.onnx"},
                               Words{"debug", "locate", "m.onnx", "--onnxrt", "--onnxrt"}}) {
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 0) << finished.output;
  }
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--input-shapes", "cache:[4,2]"}).output,
              HasSubstr("mask [float32, shape=(5, 2)]"));
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--input-shapes", "mask:[2,2]"}).output,
              HasSubstr("mask [float32, shape=(2, 2)]"));
}

// The log of a job names the next command, too. A check judges candidates, and diagnosing these would not help.
class RunThatFails : public EngineWorkspace {
 protected:
  [[nodiscard]] Finished in_check(const Words& words) {
    environment_["ASSAY_MODEL"] = "/a/model.onnx";
    Finished finished = assay(words);
    environment_.erase("ASSAY_MODEL");
    return finished;
  }
};

TEST_F(RunThatFails, NamesTheNextCommand) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (int16[2] x) => (int16[2] y) { y = Max(x, x) })");
  const std::string diagnose = "`assay diagnose` with the same model, engines and inputs looks for the cause";
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt"}).output, HasSubstr(diagnose));
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt", "--format", "json", "--silent"}).output,
              HasSubstr("\"fix\": \"" + diagnose));
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--report", "report.html"}).status, 1);
  EXPECT_THAT(read("report.html"), HasSubstr("assay diagnose"));
  EXPECT_THAT(in_check({"run", "m.onnx", "--onnxrt"}).output, Not(HasSubstr("diagnose")));
  EXPECT_THAT(assay({"debug", "repeat", "--until", "1", "--check", "assay", "run", "m.onnx", "--onnxrt"}).output,
              AllOf(HasSubstr("NOT_IMPLEMENTED"), Not(HasSubstr("diagnose"))));

  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Neg(x) })");
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "out.json"}).status, 0);
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Exp(x) })");
  const std::string locate = "Next: `assay debug locate m.onnx` with the same engines and inputs";
  const Words compare = {"run", "m.onnx", "--onnxrt", "--load-outputs", "out.json"};
  EXPECT_THAT(assay(compare).output, HasSubstr(locate));
  EXPECT_THAT(in_check(compare).output, Not(HasSubstr("Next:")));
  Words layers = compare;
  layers.insert(layers.end(), {"--onnx-outputs", "mark", "all"});
  EXPECT_THAT(assay(layers).output, HasSubstr(locate));
  EXPECT_THAT(in_check(layers).output, Not(HasSubstr("Next:")));

  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) <float[2] zero = {0, 0}> { y = Log(zero) })");
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "out.json"}).status, 0);
  for (const Words& words : {compare, layers}) {
    const Finished finished = assay(words);
    EXPECT_THAT(finished.output, AllOf(HasSubstr("infinity on both sides"), Not(HasSubstr("Next:"))))
        << "no tensor differs";
    EXPECT_EQ(finished.status, 1);
  }
}

}  // namespace
}  // namespace assay::e2e
