// Real models in TensorRT and in ONNX Runtime. Which of them TensorRT takes hasn't been recorded yet, so it may refuse
// most of them, in its own words; the outputs of those that it takes have to agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "tests/gpu/gpu_workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;

struct Row {
  const char* name;
  bool has_to_run = false;       // plain convolutions, which TensorRT can't refuse
  bool differs_in_half = false;  // in float16, its values overflow, or ONNX Runtime's own results are too far away
  bool converts_badly = false;   // in float16, its weights or values are infinity if they are rounded everywhere
};

// All models of shared/models that ONNX Runtime runs with dynamic dimensions of 1, but for quantized ones, whose steps
// are larger than the tolerances.
constexpr Row kModels[] = {
    {"basic_pitch", false, true},
    {"computation_reduction_e2e"},
    {"dtln_1"},
    {"dtln_2"},
    {"ext_weights"},
    {"fastestdet", false, true},
    {"gpt2_megatron"},
    {"gpt2_past"},
    {"light_densenet121", false, false, true},
    {"light_inception_v2", false, false, true},
    {"light_resnet50", false, true},
    {"light_shufflenet", false, false, true},
    {"light_squeezenet", false, true},
    {"magika_v2_1"},
    {"magika_v3_3"},
    {"nuphar_tiny_loop"},
    {"polygraphy_reduce_example"},
    {"scan_1"},
    {"squeezenet_fp16"},
    {"test_training_model"},
    {"tiny_random_gpt2"},
    {"tiny_random_lfm2"},
    {"ultraface_rfb_320", true},
    {"whisper_dummy_decoder"},
};

constexpr auto kSmall = R"(<ir_version: 8, opset_import: ["" : 17]>
  small (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, -2, 3, -4}> { a = Add(x, w) b = Relu(a) y = Add(b, x) })";

std::optional<fs::path> find_model(const std::string& name) {
  std::vector<fs::path> folders = {test::models_dir()};
  if (const auto shared = test::shared_dir()) folders.push_back(*shared / "models");
  for (const fs::path& folder : folders) {
    std::error_code code;
    if (fs::exists(folder / (name + ".onnx"), code)) return folder / (name + ".onnx");
  }
  return std::nullopt;
}

class Models : public Gpu {
 protected:
  // Compares both engines; returns false if TensorRT refused the model.
  bool agrees(const std::string& model, const Words& options) {
    Words words = {"run", model, "--onnxrt", "--trt"};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = assay(words);
    EXPECT_TRUE(no_process_left());
    return passed(finished);
  }
  // Returns whether a command passed. If not, TensorRT must have refused its model.
  static bool passed(const Finished& finished) {
    if (finished.status == 0) return true;
    const auto says = [&](const char* text) { return finished.output.find(text) != std::string::npos; };
    const bool refused =
        (says("the engine failed while loading the model:") || says("the engine failed while building:")) &&
        says("(in TensorRT)");
    EXPECT_TRUE(refused) << finished.output;
    return false;
  }
  // Returns a model in float16, in whose types TensorRT 11 computes.
  std::string to_float16(const std::string& model) const {
    passes({"convert", model, "--fp-to-fp16", "-o", "half.onnx"});
    return "half.onnx";
  }
  void run_all(bool in_half, Words options) {
    const bool converts = in_half && tensorrt_major() > 10;
    if (in_half && !converts) options.emplace_back("--fp16");
    write_model("small.onnx", kSmall);
    EXPECT_TRUE(agrees(converts ? to_float16("small.onnx") : "small.onnx", options));
    for (const Row& row : kModels) {
      const auto file = find_model(row.name);
      if (!file || (in_half && row.differs_in_half) || (converts && row.converts_badly)) continue;
      SCOPED_TRACE(row.name);
      const bool ran = agrees(converts ? to_float16(*file) : file->string(), options);
      std::cout << row.name << (ran ? ": agrees" : ": refused") << std::endl;
      EXPECT_TRUE(ran || !row.has_to_run || on_stand_in());
    }
  }
};

TEST_F(Models, AgreeInFloat32) {
  run_all(false, {"--atol", "1e-3", "--rtol", "1e-3"});
}
TEST_F(Models, AgreeInFloat16) {
  run_all(true, {"--atol", "2e-2", "--rtol", "2e-2"});
}

// Every kind of layer is asked for its attributes.
TEST_F(Models, NetworksAreShown) {
  for (const Row& row : kModels) {
    const auto file = find_model(row.name);
    if (!file) continue;
    SCOPED_TRACE(row.name);
    const Finished shown = assay({"inspect", "model", *file, "--display-as", "trt", "--show", "layers", "attrs"});
    EXPECT_TRUE(passed(shown) || !row.has_to_run || on_stand_in());
    EXPECT_EQ(shown.status == 0, shown.output.find("[Op: ") != std::string::npos) << shown.output;
  }
}

}  // namespace
}  // namespace assay::e2e
