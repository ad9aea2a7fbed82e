// How long the layers of the stand-in for TensorRT take.
#pragma once

#include <map>
#include <string>

#include "tests/support/paths.h"

namespace assay::e2e {

// Adds the variables with which programs have these layers: "Exp=4,FakePlugin=crash"
// (tests/fakes/tensorrt/sdk/layer_behaviour.h). The worker then measures just these times, on however busy a machine,
// because the test gives it a clock that only layers move.
inline void set_layer_times(const std::string& layers, std::map<std::string, std::string>& environment) {
  environment["ASSAY_FAKE_TENSORRT_LAYERS"] = layers;
  environment["LD_PRELOAD"] = test::fake("tensorrt/fake_clock/libassay_fake_clock.so");
}

}  // namespace assay::e2e
