// Compares assay run with the real Polygraphy of ASSAY_TEST_PYTHON's environment: the same verdicts, the same inputs,
// and statistics that are equal to the last printed digit.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "base/strings.h"
#include "data/run_results.h"
#include "tensor/json.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;

class BesidePolygraphyTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    const std::string python = test::fetched_python();
    if (python.empty()) GTEST_SKIP() << test::kNoPython;
    polygraphy_ = (std::filesystem::path(python).parent_path() / "polygraphy").string();
  }
  Finished polygraphy(const Words& words) const {
    Words argv = {polygraphy_};
    argv.insert(argv.end(), words.begin(), words.end());
    return run(argv);
  }
  void save(const std::string& name, const NamedTensors& outputs) const {
    data::RunResults results;
    results.runner(name).iterations.push_back({outputs, 0.0, name});
    ASSERT_TRUE(data::save_run_results(path(name + ".json"), results));
  }
  std::string polygraphy_;
};

// Returns everything from "mean=" to the end of the line, for all lines that have it.
std::vector<std::string> statistics(const std::string& output) {
  std::vector<std::string> found;
  for (const std::string& line : base::split(output, '\n')) {
    if (const std::size_t at = line.find("mean="); at != std::string::npos) found.push_back(line.substr(at));
  }
  return found;
}

template <class T, class Make>
Tensor make(ElementType type, const tensor::Shape& shape, Make value) {
  std::vector<T> values;
  for (std::uint64_t i = 0; i < tensor::element_count(shape).value(); ++i) values.push_back(static_cast<T>(value(i)));
  return Tensor::of(type, shape, values);
}

// Outputs of all types that Polygraphy compares, with differences of all sizes. No integer overflows Polygraphy's
// 32-bit arithmetic.
NamedTensors made_up_outputs(unsigned seed, bool with_bool = true) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto noise = [&](std::uint64_t i) { return std::sin(static_cast<double>(i)) + 1e-4 * normal(random); };
  const auto whole = [&](double scale) { return [&, scale](std::uint64_t i) { return std::floor(scale * noise(i)); }; };
  NamedTensors outputs;
  outputs.set("f32", make<float>(ElementType::float32, {3, 211}, noise));
  outputs.set("f64", make<double>(ElementType::float64, {9001}, noise));
  outputs.set("large", make<float>(ElementType::float32, {20, 1001}, [&](auto i) { return 1000 + noise(i); }));
  outputs.set("zeros", make<float>(ElementType::float32, {5}, [&](auto i) { return i < 2 ? 0.0 : noise(i); }));
  outputs.set("i8", make<std::int8_t>(ElementType::int8, {4, 99}, whole(100)));
  outputs.set("u8",
              make<std::uint8_t>(ElementType::uint8, {77}, [&](auto i) { return 128 + std::floor(100 * noise(i)); }));
  outputs.set("i32", make<std::int32_t>(ElementType::int32, {1000}, whole(1e6)));
  outputs.set("i64", make<std::int64_t>(ElementType::int64, {8193}, whole(1e9)));
  if (with_bool)
    outputs.set("bool", make<std::uint8_t>(ElementType::boolean, {50}, [&](auto i) { return noise(i) > 0; }));
  outputs.set("scalar", make<float>(ElementType::float32, {}, noise));
  outputs.set("odd", floats({4}, {std::numeric_limits<float>::infinity(), 1, std::nanf(""), 2}));
  outputs.set("half", Tensor::of<std::uint16_t>(ElementType::float16, {3},
                                                {0x3C00, 0x4005, static_cast<std::uint16_t>(0x3555 + seed)}));
  return outputs;
}

TEST_F(BesidePolygraphyTest, PrintsTheSameStatistics) {
  save("a", made_up_outputs(1));
  save("b", made_up_outputs(2));
  const Finished theirs = polygraphy({"run", "--load-outputs", "a.json", "b.json"});
  const Finished ours = assay({"run", "--load-outputs", "a.json", "b.json"});
  EXPECT_EQ(ours.status, theirs.status);
  EXPECT_EQ(statistics(theirs.output).size(), 12U * 4) << theirs.output;
  EXPECT_THAT(statistics(ours.output), testing::ElementsAreArray(statistics(theirs.output)));
}

TEST_F(BesidePolygraphyTest, TheEvaluatorOfThreeOperatorsAgrees) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1, 2, 3] x, float[2] scale, float[2] bias) => (float[1, 2, 3] y) {
        a = Identity(x) y = InstanceNormalization(a, scale, bias) })");
  const Finished theirs = polygraphy({"run", "m.onnx", "--pluginref", "--save-outputs", "theirs.json"});
  ASSERT_EQ(theirs.status, 0) << theirs.output;
  environment_["VIRTUAL_ENV"] = std::filesystem::path(polygraphy_).parent_path().parent_path().string();
  const Finished ours = assay({"run", "m.onnx", "--pluginref", "--load-outputs", "theirs.json"});
  EXPECT_EQ(ours.status, 0) << ours.output;
  EXPECT_THAT(ours.output, testing::HasSubstr("pluginref-runner-N0"));
}

// Returns the verdict of each output, "PASSED" or "FAILED", by name. Both tools print the output's name in quotes after
// "Output:".
std::map<std::string, std::string> verdicts(const std::string& output) {
  std::map<std::string, std::string> found;
  for (const std::string& line : base::split(output, '\n')) {
    const std::size_t at = line.find("Output: '");
    if (at == std::string::npos) continue;
    const std::string name = line.substr(at + 9, line.find('\'', at + 9) - at - 9);
    if (line.find("PASSED") != std::string::npos) found[name] = "PASSED";
    if (line.find("FAILED") != std::string::npos) found[name] = "FAILED";
  }
  return found;
}

TEST_F(BesidePolygraphyTest, JudgesTheSame) {
  const auto compare = [&](const Words& more, std::size_t outputs) {
    Words command = {"run", "--load-outputs", "a.json", "b.json"};
    command.insert(command.end(), more.begin(), more.end());
    const Finished theirs = polygraphy(command);
    const Finished ours = assay(command);
    EXPECT_EQ(verdicts(theirs.output).size(), outputs) << theirs.output;
    EXPECT_EQ(verdicts(ours.output), verdicts(theirs.output)) << base::join(more, " ");
    EXPECT_EQ(ours.status, theirs.status) << base::join(more, " ");
  };
  save("a", made_up_outputs(3));
  save("b", made_up_outputs(4));
  const std::vector<Words> options = {{},
                                      {"--atol", "1e-3"},
                                      {"--rtol", "1e-3", "--atol", "0"},
                                      {"--rtol", "1e-2", "f32:0", "--atol", "0", "i64:1e6"},
                                      {"--check-error-stat", "max", "--atol", "1e-3"},
                                      {"--check-error-stat", "mean", "--atol", "1e-4", "--rtol", "1e-7"},
                                      {"--check-error-stat", "median", "--atol", "1e-4"},
                                      {"--infinities-compare-equal", "--atol", "1"}};
  for (const Words& more : options) compare(more, 12);
  // Polygraphy can't compute quantiles of booleans.
  save("a", made_up_outputs(3, false));
  save("b", made_up_outputs(4, false));
  compare({"--check-error-stat", "quantile", "--error-quantile", "0.5", "f64:0.9", "--atol", "1e-4"}, 11);
}

// Compares the metrics of both files: equal names, verdicts and runners, and numbers equal in all printed digits.
void expect_same_metrics(const nlohmann::ordered_json& ours, const nlohmann::ordered_json& theirs,
                         const std::string& at) {
  ASSERT_EQ(ours.type(), theirs.type()) << at;
  if (ours.is_number()) {
    EXPECT_NEAR(ours.get<double>(), theirs.get<double>(), 1e-5 * std::abs(theirs.get<double>())) << at;
    return;
  }
  if (!ours.is_structured()) {
    EXPECT_EQ(ours, theirs) << at;
    return;
  }
  ASSERT_EQ(ours.size(), theirs.size()) << at;
  for (auto our = ours.begin(), their = theirs.begin(); our != ours.end(); ++our, ++their) {
    if (ours.is_object()) {
      EXPECT_EQ(our.key(), their.key()) << at;
    }
    expect_same_metrics(*our, *their, ours.is_object() ? at + "." + our.key() : at + "[]");
  }
}

TEST_F(BesidePolygraphyTest, SavesTheSameAccuracyResultsAndJudgesThemAlike) {
  // Without NaN, and without integers whose dot products overflow in Polygraphy.
  const auto outputs = [](unsigned seed) {
    NamedTensors some;
    for (const auto& [name, tensor] : made_up_outputs(seed, false)) {
      if (name != "odd" && name != "i32" && name != "i64") some.set(name, tensor);
    }
    return some;
  };
  save("a", outputs(5));
  save("b", outputs(6));
  for (const Words& more :
       {Words{}, Words{"--check-error-stat", "max"}, Words{"--check-error-stat", "mean", "--check-average"},
        Words{"--check-error-stat", "quantile", "--error-quantile", "0.9"}}) {
    Words command = {
        "run", "--load-outputs",         "a.json", "b.json", "--compare", "simple", "l2", "cosine_similarity", "psnr",
        "snr", "--save-accuracy-results"};
    command.insert(command.end(), more.begin(), more.end());
    const auto place = std::ranges::find(command, "--save-accuracy-results") - command.begin() + 1;
    Words ours = command;
    Words theirs = command;
    ours.insert(ours.begin() + place, "ours.json");
    theirs.insert(theirs.begin() + place, "theirs.json");
    EXPECT_EQ(assay(ours).status, polygraphy(theirs).status);
    const auto our_file = tensor::JsonDocument::open(path("ours.json"));
    const auto their_file = tensor::JsonDocument::open(path("theirs.json"));
    ASSERT_TRUE(our_file && their_file);
    expect_same_metrics(our_file->root(), their_file->root(), "");
  }
  for (const Words& more : {Words{"--compare", "l2", "--l2-threshold", "1e9"}, Words{"--compare", "l2"},
                            Words{"--compare", "psnr", "snr", "--snr-threshold", "1"},
                            Words{"--check-error-stat", "median", "--atol", "1e-3"},
                            Words{"--check-error-stat", "quantile", "--atol", "1e9", "--check-average"}}) {
    for (const char* file : {"ours.json", "theirs.json"}) {
      Words command = {"check", "accuracy", file};
      command.insert(command.end(), more.begin(), more.end());
      const Finished ours = assay(command);
      const Finished theirs = polygraphy(command);
      EXPECT_EQ(ours.status, theirs.status) << base::join(command, " ") << ours.output << theirs.output;
    }
  }
}

TEST_F(BesidePolygraphyTest, MakesTheSameInputsAndComparesItsOutputs) {
  for (const char* name : {"mnist_quantized.onnx", "ext_weights.onnx", "scan_1.onnx"}) {
    const std::string model = (test::models_dir() / name).string();
    const Words options = {"--onnxrt", "--iterations", "2", "--seed", "7", "--val-range", "[-1,2]"};
    const auto with = [&](Words more) {
      Words words = {"run", model};
      words.insert(words.end(), options.begin(), options.end());
      words.insert(words.end(), more.begin(), more.end());
      return words;
    };
    ASSERT_EQ(polygraphy(with({"--save-inputs", "theirs.json", "--save-outputs", "out.json"})).status, 0) << name;
    const Finished ours = assay(with({"--save-inputs", "ours.json", "--load-outputs", "out.json"}));
    EXPECT_EQ(ours.status, 0) << ours.output;
    EXPECT_EQ(read("ours.json"), read("theirs.json")) << name;
  }
}

TEST_F(BesidePolygraphyTest, ReadsWhatWeSaved) {
  const std::string model = (test::models_dir() / "mnist_quantized.onnx").string();
  ASSERT_EQ(
      assay({"run", model, "--onnxrt", "--onnx-outputs", "*", "--save-inputs", "in", "--save-outputs", "out"}).status,
      0);
  const Finished theirs = polygraphy({"run", model, "--onnxrt", "--onnx-outputs", "*", "--load-inputs", "in",
                                      "--load-outputs", "out", "--atol", "1e-3"});
  EXPECT_EQ(theirs.status, 0) << theirs.output;
}

}  // namespace
}  // namespace assay::e2e
