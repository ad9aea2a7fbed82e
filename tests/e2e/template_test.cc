// `template trt-network` and `trt-config`: from the words of the command line to the script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Template : public Workspace {
 protected:
  Template() {
    write_model("neg.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      neg (float[N] x) => (float[N] y) { y = Neg(x) })");
  }
  std::string script(Words words) {
    words.insert(words.begin(), "template");
    words.insert(words.end(), {"-o", "script.py"});
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return base::read_file(path("script.py")).value_or("");
  }
};

TEST_F(Template, EachOccurrenceOfAShapeOptionIsAProfile) {
  const std::string text =
      script({"trt-config", "neg.onnx", "--trt-min-shapes", "x:[1]", "--trt-opt-shapes", "x:[2]", "--trt-max-shapes",
              "x:[3]", "--trt-max-shapes", "x:[8]", "--inputs", "x:[5]", "--preview-features", "--fp16"});
  EXPECT_THAT(text, AllOf(HasSubstr("add_profile(builder, network, config, {\"x\": ((1,), (2,), (3,))})"),
                          HasSubstr("add_profile(builder, network, config, {\"x\": ((3,), (3,), (8,))})"),
                          HasSubstr("feature in []"), HasSubstr("trt.BuilderFlag.FP16")));
}

TEST_F(Template, AProfileOfAnotherModelIsAnError) {
  const Finished finished = assay({"template", "trt-config", "neg.onnx", "--inputs", "xx:[5]", "-o", "script.py"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("the model has no such input (in xx). Did you mean x?"));
}

TEST_F(Template, ANetworkNeedsNoModel) {
  EXPECT_THAT(script({"trt-network"}), Not(HasSubstr("OnnxParser")));
  EXPECT_THAT(
      script({"trt-network", "neg.onnx", "--trt-outputs", "y", "z*", "--mark-debug", "y"}),
      AllOf(HasSubstr("neg.onnx\""), HasSubstr("choose_outputs(network, [\"y\", \"z*\"])"), HasSubstr("mark_debug")));
}

TEST_F(Template, ANetworkMayBeginWithThatOfAScript) {
  write("net.py", "def make():\n    pass\n");
  EXPECT_THAT(
      script({"trt-network", "net.py:make", "--trt-outputs", "y", "--plugins", "p.so"}),
      AllOf(HasSubstr("function_of(\"" + path("net.py").string() + "\", \"make\")()"), Not(HasSubstr("OnnxParser")),
            HasSubstr("choose_outputs(network, [\"y\"])"), HasSubstr("return builder, network, *others")));
  EXPECT_THAT(script({"trt-network", "net.py"}), HasSubstr("\"load_network\")()"));
  for (const Words& words : {Words{"--strongly-typed"},
                             {"--onnx-flags", "native_instancenorm"},
                             {"--onnx-outputs", "y"},
                             {"--fp-to-fp16"},
                             {"--ext", "."}}) {
    Words all = {"template", "trt-network", "net.py", "-o", "script.py"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_THAT(fails(all), HasSubstr(words.front()));
  }
  EXPECT_THAT(fails({"template", "trt-network", "m.engine", "-o", "script.py"}), HasSubstr("of type 'engine'"));
}

TEST_F(Template, ScriptsAreExecutableOrPrinted) {
  for (const Words& words : {Words{"template", "trt-network", "neg.onnx", "-o"},
                             {"template", "trt-config", "-o"},
                             {"template", "onnx-gs", "neg.onnx", "-o"},
                             {"run", "neg.onnx", "--gen-script"}}) {
    std::string command = with_program({})[0];
    for (const std::string& word : words) command += " " + word;
    const Finished written = run({"sh", "-c", command + " script.py"});
    EXPECT_EQ(written.status, 0) << written.output;
    EXPECT_EQ(access(path("script.py").c_str(), X_OK), 0) << command;
    const std::string text = read("script.py");
    EXPECT_THAT(text, testing::StartsWith("#!/usr/bin/env python3\n"));
    const Finished printed = run({"sh", "-c", command + " - 2> log.txt"});
    EXPECT_EQ(printed.status, 0) << read("log.txt");
    EXPECT_EQ(printed.output, text);
    EXPECT_THAT(read("log.txt"), HasSubstr("PASSED"));
  }
}

TEST_F(Template, OptionsOfPolygraphyWithoutEffectAreMentionedOrRefused) {
  for (const char* option : {"--input-shapes", "--inputs"}) {
    const Finished shapes = assay({"template", "onnx-gs", "neg.onnx", option, "x:[2]", "-o", "script.py"});
    EXPECT_EQ(shapes.status, 0) << shapes.output;
    EXPECT_THAT(shapes.output, HasSubstr("[W] --input-shapes has no effect here"));
  }
  const Finished opset = assay({"template", "trt-network", "neg.onnx", "--opset", "11", "-o", "script.py"});
  EXPECT_EQ(opset.status, 1);
  EXPECT_THAT(opset.output, HasSubstr("needs TensorFlow, which Assay doesn't support (in --opset)"));
}

TEST_F(Template, PathsInScriptsAreAbsolute) {
  EXPECT_THAT(script({"onnx-gs", "neg.onnx", "--ext", "weights"}),
              AllOf(HasSubstr("MODEL = \"" + path("neg.onnx").string() + "\""),
                    HasSubstr("RESULT = \"" + path("neg_updated.onnx").string() + "\""),
                    HasSubstr("EXTERNAL_DATA_DIR = \"" + path("weights").string() + "\"")));
  ASSERT_TRUE(base::write_file(path("ops.so"), "a library"));  // the loader would search for one that isn't here
  const Finished written = assay({"run", "neg.onnx", "--onnxrt", "--load-inputs", "in.json", "--custom-ops", "ops.so",
                                  "--gen-script", "script.py"});
  EXPECT_EQ(written.status, 0) << written.output;
  EXPECT_THAT(read("script.py"), AllOf(HasSubstr("\"" + path("neg.onnx").string() + "\""),
                                       HasSubstr("\"" + path("in.json").string() + "\""),
                                       HasSubstr("\"" + path("ops.so").string() + "\"")));
}

// Finds the program as `assay`.
class ConvertingTemplate : public Template {
 protected:
  ConvertingTemplate() {
    write_model("chain.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[2] x) => (float[2] z) { a = Abs(x) y = Neg(a) z = Exp(y) })");
    const std::filesystem::path program = with_program({})[0];
    environment_["PATH"] = program.parent_path().string() + ":" + std::getenv("PATH");
    environment_["PYTHONPATH"] = test::source_dir() / "src/tensorrt/scripts/testdata";
    environment_["PYTHONDONTWRITEBYTECODE"] = "1";
  }
};

TEST_F(ConvertingTemplate, AScriptForGraphSurgeonConvertsTheModel) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  const std::string text = script({"onnx-gs", "chain.onnx", "--fp-to-fp16", "--onnx-outputs", "y", "--ext", "."});
  EXPECT_THAT(text, AllOf(HasSubstr("Needs the Python packages onnx and onnx-graphsurgeon, and the command assay"),
                          HasSubstr("\"--external-data-dir\", ")));
  const Finished finished = run({python, "script.py"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  const Finished shown = assay({"inspect", "model", "chain_updated.onnx", "--show", "layers"});
  EXPECT_THAT(shown.output, AllOf(HasSubstr("{y/float16}\n         -> {y [dtype=float32, shape=(2,)]}"),
                                  HasSubstr("Op: Neg"), Not(HasSubstr("Op: Exp"))));
}

TEST_F(ConvertingTemplate, ANetworkIsThatOfTheConvertedModel) {
  const std::string text = script({"trt-network", "chain.onnx", "--fp-to-fp16", "--onnx-outputs", "y"});
  write("driver.py", R"(
import runpy, onnx_file
script = runpy.run_path("script.py")
script["load_network"]()
)");
  write("onnx_file.py", R"(
import shutil
import tensorrt as trt
def parse_from_file(self, path):
    shutil.copy(path, "parsed.onnx")
    return True
trt.OnnxParser.parse_from_file = parse_from_file
)");
  const Finished finished = run({"python3", "driver.py"});
  ASSERT_EQ(finished.status, 0) << finished.output << text;
  EXPECT_THAT(assay({"inspect", "model", "parsed.onnx", "--show", "layers"}).output,
              HasSubstr("{y/float16}\n         -> {y [dtype=float32, shape=(2,)]}"));
  EXPECT_THAT(script({"trt-network", "chain.onnx", "--onnx-outputs-by-type", "Neg"}),
              AllOf(HasSubstr("\"--onnx-outputs\", \"y\"]"), Not(HasSubstr("--fp-to-fp16"))));
  EXPECT_THAT(script({"trt-network", "chain.onnx"}), Not(HasSubstr("subprocess")));
}

TEST_F(Template, OutputsOfAModelAreFoundWhenTheScriptIsWritten) {
  for (const std::string command : {"onnx-gs", "trt-network"}) {
    const Finished finished =
        assay({"template", command, "neg.onnx", "--fp-to-fp16", "--onnx-outputs", "yy", "-o", "script.py"});
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.output, HasSubstr("no such tensor: yy"));
  }
  const Finished finished = assay({"template", "trt-network", "--fp-to-fp16", "-o", "script.py"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("there is no ONNX model to change (in --fp-to-fp16). Give a model"));
}

TEST_F(Template, WeightsBelongToTheNetwork) {
  const Finished finished = assay({"template", "trt-config", "neg.onnx", "--ext", "weights", "-o", "script.py"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("a configuration doesn't depend on weights (in --ext)"));
  EXPECT_THAT(script({"trt-network", "neg.onnx", "--ext", "weights"}), HasSubstr("/weights/model.onnx\")"));
}

TEST_F(Template, ACalibratorNeedsACache) {
  const Finished finished =
      assay({"template", "trt-config", "--int8", "--calib-base-cls", "IInt8MinMaxCalibrator", "-o", "script.py"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("no data to calibrate with (in --calib-base-cls)"));
}

TEST_F(Template, AnErrorIsNoScript) {
  const Finished finished = assay({"template", "onnx-gs", "missing.onnx", "-o", "-"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("missing.onnx"), Not(HasSubstr("\"error\""))));
}

TEST_F(Template, CalibrationDataAreRefused) {
  const Finished finished = assay({"template", "trt-config", "--int8", "--load-inputs", "in.json", "-o", "script.py"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("from a file, --calibration-cache (in --load-inputs)"));
}

}  // namespace
}  // namespace assay::e2e
