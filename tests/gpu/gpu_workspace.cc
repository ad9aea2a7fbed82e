#include "tests/gpu/gpu_workspace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

// Parts of the tool's messages about missing components, in the order in which it looks for them.
constexpr std::array<std::string_view, 7> kMissing = {
    "has no worker for TensorRT",    // the build
    "TensorRT was not found",        // the library
    "there is no TensorRT at",       // the library that was named
    "NVIDIA's driver is missing",    //
    "NVIDIA's driver can't start",   // a stub, or without a GPU
    "NVIDIA's driver finds no GPU",  //
    "install a newer driver",        //
};

constexpr auto kProbe = R"(<ir_version: 8, opset_import: ["" : 17]>
  probe (float[2] x) => (float[2] y) { y = Relu(x) })";

}  // namespace

bool Gpu::on_stand_in() {
  return std::getenv("ASSAY_GPU_STAND_IN") != nullptr;
}

void Gpu::SetUp() {
  EngineWorkspace::SetUp();
  if (IsSkipped()) return;
  choose_tensorrt();
  if (std::getenv("ASSAY_GPU_PROBED") != nullptr) return;  // scripts/gpu-run.sh has run GpuProbe
  static const Probe first = probe();                      // it takes seconds on a GPU
  if (!first.missing.empty()) GTEST_SKIP() << first.missing;
  if (!first.passed) GTEST_SKIP() << "TensorRT can't run a model with one node: see GpuProbe.RunsAModelWithOneNode";
}

void Gpu::choose_tensorrt() {
  if (on_stand_in()) {
    environment_["ASSAY_TENSORRT_LIB"] = test::fake("tensorrt/sdk");
    const char* others = std::getenv("LD_LIBRARY_PATH");  // of scripts/gpu-run.sh
    environment_["LD_LIBRARY_PATH"] =
        test::fake("tensorrt/fake_cuda") + (others != nullptr ? ":" + std::string(others) : "");
  } else if (std::getenv("ASSAY_TENSORRT_LIB") == nullptr) {
    if (const char* fetched = std::getenv("ASSAY_FETCHED_TENSORRT_LIB")) environment_["ASSAY_TENSORRT_LIB"] = fetched;
  }
}

int Gpu::tensorrt_major() const {
  return e2e::tensorrt_major(assay({"--version"}).output);
}

Gpu::Probe Gpu::probe() const {
  write_model("probe.onnx", kProbe);
  Finished finished = assay({"run", "probe.onnx", "--trt", "-v"});
  std::error_code code;
  std::filesystem::remove(path("probe.onnx"), code);
  if (finished.status == 0) return {.passed = true, .missing = "", .output = std::move(finished.output)};
  for (const std::string& line : base::split(finished.output, '\n')) {
    const auto says = [&](std::string_view words) { return line.find(words) != std::string::npos; };
    if (std::ranges::any_of(kMissing, says)) return {.passed = false, .missing = line, .output = finished.output};
  }
  return {.passed = false, .missing = "", .output = std::move(finished.output)};
}

std::string convolutions() {
  std::string weights;
  for (int i = 0; i < 4 * 4 * 3 * 3; ++i) weights += (i == 0 ? "" : ", ") + std::to_string(i * 7 % 5 - 2);
  return R"(<ir_version: 8, opset_import: ["" : 17]>
    conv (float[1, 4, 32, 32] x) => (float[1, 4, 32, 32] y) <float[4, 4, 3, 3] w = {)" +
         weights + R"(}> {
      a = Conv <pads = [1, 1, 1, 1]> (x, w) b = Relu(a) y = Conv <pads = [1, 1, 1, 1]> (b, w)
    })";
}

Words Gpu::reduction(const std::string& model, const Words& options, const Words& check) const {
  Words words = {"debug", "reduce", model};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--check");
  for (const std::string& word : with_program({"run", "polygraphy_debug.onnx", "--trt"})) words.push_back(word);
  words.insert(words.end(), check.begin(), check.end());
  return words;
}

}  // namespace assay::e2e
