// Checks the core of the DLA, NVIDIA's deep-learning accelerator, that an engine is built for or runs on.
#pragma once

#include <fmt/format.h>

#include "backend/serve/serve.h"

namespace assay::backend {

// Returns a Refused in this phase if the machine, which has `cores` of them, lacks this one. TensorRT would ignore
// that.
inline Answer<void> check_dla_core(int core, int cores, worker::Phase phase) {
  if (core < cores) return {};
  if (cores <= 0) return refuse(phase, 0, "this machine has no DLA, NVIDIA's deep-learning accelerator");
  return refuse(
      phase, 0,
      fmt::format("--dla-core: this machine's DLA has no core {}. It has {}, counted from 0: use one of these", core,
                  cores));
}

}  // namespace assay::backend
