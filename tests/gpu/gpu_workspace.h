// A folder for one test on a GPU. The tests run with the real TensorRT, and, if ASSAY_GPU_STAND_IN is set, with the
// stand-ins of tests/fakes/tensorrt, which compute Add, Relu and Identity. So the tests themselves are tested on every
// machine that has TensorRT's headers.
#pragma once

#include <string>

#include "tests/e2e/tensorrt_version.h"
#include "tests/e2e/workspace.h"

namespace assay::e2e {

// Base class of all tests here: skipped, with the tool's own words, if the worker, the library, the driver or the GPU
// is missing. If anything else stops a small model, one test fails (GpuProbe), and the others are skipped.
class Gpu : public EngineWorkspace {
 protected:
  void SetUp() override;

  [[nodiscard]] static bool on_stand_in();
  [[nodiscard]] int tensorrt_major() const;  // 10 or 11
  // How TensorRT runs a model with one node.
  struct Probe {
    bool passed = false;
    std::string missing;  // what TensorRT lacks on this machine, in the tool's words; empty if it lacks nothing
    std::string output;
  };
  [[nodiscard]] Probe probe() const;
  // Sets the environment in which the program finds TensorRT.
  void choose_tensorrt();

  // Returns `debug reduce MODEL OPTIONS... --check assay run polygraphy_debug.onnx --trt CHECK...`.
  [[nodiscard]] Words reduction(const std::string& model, const Words& options, const Words& check) const;
};

// Returns the text of a model with two convolutions, for which TensorRT has several kernels and has to time them. For a
// chain of simple operators, or one number per channel, it may have just one.
std::string convolutions();

}  // namespace assay::e2e
