// assay run with several engines, versions and settings side by side.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "data/run_results.h"
#include "tests/e2e/workspace.h"
#include "tests/support/cache_of_links.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using test::variable;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr auto kAdd = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x) => (float[N, 2] y) { a = Add(x, x) y = Neg(a) })";
// OpenVINO 2026 lacks this operator; ONNX Runtime and the reference evaluator have it.
constexpr auto kLabels = R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 2]>
  g (int64[2] x) => (string[2] y) { y = ai.onnx.ml.LabelEncoder <keys_int64s = [0, 1], values_strings = ["a", "b"]> (x) })";

class EnginesTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    openvino_ = test::fetched_openvino();
    if (python_.empty() || openvino_.empty()) {
      GTEST_SKIP() << "no OpenVINO or no Python with onnx (ASSAY_FETCHED_OPENVINO_LIB, ASSAY_TEST_PYTHON)";
    }
    environment_["ASSAY_OPENVINO_LIB"] = openvino_;
    write_model("m.onnx", kAdd);
  }
  [[nodiscard]] std::vector<std::string> saved_runners(const std::string& name) const {
    std::vector<std::string> names;
    const data::RunResults results = data::load_run_results(path(name)).value();
    for (const data::RunnerResults& runner : results.runners) {
      names.push_back(runner.runner);
    }
    return names;
  }

  std::string python_;
  std::string openvino_;
};

TEST_F(EnginesTest, RunSideBySideAndAgree) {
  write("mine.py",
        "import numpy as np\ndef load(path):\n    print('not for you')\n    return 2\n"
        "def infer(factor, feeds):\n    return {'y': np.float32(-factor) * feeds['x']}\n");
  const Finished finished = assay({"run", "m.onnx", "--openvino", "--onnxrt", "--python", "mine.py", "--reference",
                                   "--python-interpreter", python_, "--save-outputs", "o.json", "--iterations", "2"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, Not(HasSubstr("not for you")));
  const auto names = saved_runners("o.json");
  ASSERT_EQ(names.size(), 4U);
  EXPECT_THAT(names[0], StartsWith("openvino-runner-N0-"));
  EXPECT_THAT(names[1], StartsWith("onnxrt-runner-N1-"));
  EXPECT_THAT(names[2], StartsWith("mine-runner-N2-"));
  EXPECT_THAT(names[3], StartsWith("reference-runner-N3-"));
}

// Every engine finds the weights of a changed model in the original file.
TEST_F(EnginesTest, TakeModelsWithMarkedOutputsAndExternalWeights) {
  write("mine.py",
        "import onnxruntime\ndef load(path):\n    return onnxruntime.InferenceSession(path)\n"
        "def infer(session, feeds, wanted):\n    return session.run(wanted, feeds)\n");
  for (const char* name : {"ext_weights.onnx", "light_squeezenet.onnx"}) {
    const Finished finished =
        assay({"run", (test::models_dir() / name).string(), "--onnxrt", "--openvino", "--python", "mine.py",
               "--reference", "--python-interpreter", python_, "--onnx-outputs", "mark", "all", "--rtol", "inf"});
    EXPECT_EQ(finished.status, 0) << name << finished.output.substr(0, 2000);
  }
}

// OpenVINO and ONNX, which reads models for the reference evaluator, refuse such links.
TEST_F(EnginesTest, TakeModelsWhoseWeightsAreBehindLinks) {
  std::filesystem::create_directories(path("snapshot"));
  for (const char* name : {"ext_weights.onnx", "ext_weights.data"}) {
    std::filesystem::copy_file(test::models_dir() / name, path("snapshot") / name);
  }
  test::move_to_blobs(path("snapshot"), {"ext_weights.onnx", "ext_weights.data"});
  const std::string model = "snapshot/ext_weights.onnx";
  for (const Words& words : {Words{"run", model, "--onnxrt", "--openvino", "--reference"},
                             Words{"debug", "locate", model, "--onnxrt", "--openvino"}, Words{"check", "lint", model},
                             Words{"diagnose", model, "--onnxrt", "-o", "out"},
                             Words{"surgeon", "sanitize", model, "--fold-constants", "-o", "whole.onnx"}}) {
    Words command = words;
    if (command[0] == "run") command.insert(command.end(), {"--python-interpreter", python_});
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 0) << finished.output;
  }
}

TEST_F(EnginesTest, TwoLibrariesOfOneEngine) {
  const std::string old = variable("ASSAY_OLD_ONNXRUNTIME_LIB");
  const std::string fetched = test::fetched_onnxruntime();
  if (old.empty() || fetched.empty()) GTEST_SKIP() << "no two versions of ONNX Runtime";
  const Finished listed = assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--onnxrt-lib", old, "--onnxrt-lib", fetched,
                                 "--save-outputs", "o.json", "-v"});
  EXPECT_EQ(listed.status, 0) << listed.output;
  const auto version = [](const std::string& library) { return library.substr(library.find(".so.") + 4); };
  EXPECT_THAT(listed.output, AllOf(HasSubstr("ONNX Runtime " + version(old) + " | Loaded"),
                                   HasSubstr("ONNX Runtime " + version(fetched) + " | Loaded")));
  EXPECT_THAT(saved_runners("o.json").at(0),
              StartsWith("onnxrt[lib=libonnxruntime.so." + version(old) + "]-runner-N0-"));
  EXPECT_THAT(saved_runners("o.json").at(1),
              StartsWith("onnxrt[lib=libonnxruntime.so." + version(fetched) + "]-runner-N1-"));

  const Finished named =
      assay({"run", "m.onnx", "--onnxrt=old:lib=" + old, "--onnxrt=new", "--save-outputs", "n.json"});
  EXPECT_EQ(named.status, 0) << named.output;
  EXPECT_THAT(named.output, HasSubstr("Comparing old-runner-N0-"));
  EXPECT_THAT(saved_runners("n.json").at(1), StartsWith("new-runner-N1-"));
}

TEST_F(EnginesTest, SettingsOfOneEngineSideBySide) {
  const Finished finished =
      assay({"run", "m.onnx", "--onnxrt", "--onnxrt=:graph-optimization-level=ORT_DISABLE_ALL",
             "--onnxrt=one:threads=1", "--openvino", "--openvino=half:config.INFERENCE_PRECISION_HINT=f16", "--rtol",
             "1e-2", "--save-outputs", "o.json"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  const auto names = saved_runners("o.json");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 5U);
  EXPECT_THAT(names.at(1), StartsWith("onnxrt[graph-optimization-level=ORT_DISABLE_ALL]-runner-N1-"));
  EXPECT_THAT(names.at(2), StartsWith("one-runner-N2-"));
  const Finished same = assay({"run", "m.onnx", "--onnxrt=a", "--onnxrt=a", "--save-outputs", "s.json"});
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_NE(saved_runners("s.json").at(0), saved_runners("s.json").at(1)) << "one name given twice";
}

TEST_F(EnginesTest, TheEngineChecksItsSettings) {
  const auto output = [this](const Words& more) {
    Words words = {"run", "m.onnx"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 1) << finished.output;
    return finished.output;
  };
  EXPECT_THAT(output({"--openvino", "--openvino-config", "SPEED=11"}), HasSubstr("Unsupported property SPEED"));
  EXPECT_THAT(output({"--openvino", "--openvino-device", "TPU"}), HasSubstr("TPU"));
  EXPECT_THAT(output({"--openvino=o:threads=many"}), HasSubstr("INFERENCE_NUM_THREADS"));
  EXPECT_THAT(output({"--onnxrt=o:threads=many"}), HasSubstr("'many' is not a number"));
  EXPECT_THAT(output({"--onnxrt=a:speed=11"}), HasSubstr("has no setting 'speed'"));
  EXPECT_THAT(output({"--openvino", "--openvino-config", "SPEED"}), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(output({"--onnxrt", "--openvino-device", "CPU"}),
              HasSubstr("none of the given engines has this setting"));
  EXPECT_THAT(output({"--openvino", "--openvino-lib", "/no/such.so"}),
              HasSubstr("there is no OpenVINO at /no/such.so"));
  EXPECT_THAT(output({"--reference", "--python-interpreter", "no-such-python"}),
              HasSubstr("there is no no-such-python in PATH (in --python-interpreter)"));
  EXPECT_THAT(output({"--python", "gone.py", "--python-interpreter", python_}),
              AllOf(HasSubstr("there is no module "), HasSubstr("gone.py")));
}

TEST_F(EnginesTest, TimesAreThereForPrograms) {
  const Finished finished = run({"sh", "-c",
                                 with_program({}).at(0) + " run m.onnx --onnxrt --openvino --iterations 4 --warm-up 1 "
                                                          "--format json 2>/dev/null"});
  const auto document = nlohmann::json::parse(finished.output, nullptr, false);
  ASSERT_TRUE(document.is_object()) << finished.output;
  const auto& timings = document["timings"];
  ASSERT_EQ(timings.size(), 2U);
  EXPECT_THAT(timings[1]["runner"].get<std::string>(), StartsWith("openvino-runner-N1-"));
  EXPECT_EQ(timings[1]["iterations"], 4);
  EXPECT_LE(timings[1]["least_s"].get<double>(), timings[1]["median_s"].get<double>());
  EXPECT_LE(timings[1]["median_s"].get<double>(), timings[1]["most_s"].get<double>());
}

TEST_F(EnginesTest, AnOperatorThatOneOfThemLacks) {
  write_model("labels.onnx", kLabels);
  const Finished without = assay({"run", "labels.onnx", "--onnxrt", "--reference", "--python-interpreter", python_});
  EXPECT_EQ(without.status, 0) << without.output;
  const Finished with = assay({"run", "labels.onnx", "--onnxrt", "--openvino"});
  EXPECT_EQ(with.status, 1);
  EXPECT_THAT(with.output, AllOf(HasSubstr("LabelEncoder"), HasSubstr("(in OpenVINO)")));
}

TEST_F(EnginesTest, AModuleThatMisbehavesIsNamed) {
  const auto output = [this](const std::string& body, const Words& more = {}) {
    write("bad.py", "import os, sys\ndef load(path):\n    pass\ndef infer(model, feeds):\n    " + body + "\n");
    Words words = {"run", "m.onnx", "--python", "bad.py", "--python-interpreter", python_};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 1) << finished.output;
    return finished.output;
  };
  EXPECT_THAT(output("return 1 / 0"), AllOf(HasSubstr("ZeroDivisionError"), HasSubstr("bad.py:5, in infer")));
  EXPECT_THAT(output("os._exit(7)"), HasSubstr("exited with status 7"));
  EXPECT_THAT(output("os.abort()"), HasSubstr("signal 6"));
  EXPECT_THAT(output("return {'z': 1}"), HasSubstr("returned no 'y': it returned 'z'"));
  EXPECT_THAT(output("while True: pass", {"--engine-timeout", "1"}), HasSubstr("did not end within 1 s"));
  EXPECT_TRUE(no_process_left());
}

}  // namespace
}  // namespace assay::e2e
