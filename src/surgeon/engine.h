// The engine that a surgeon step works values out with.
#pragma once

#include <functional>

#include "base/error.h"
#include "worker/engine.h"

namespace assay::surgeon {

struct Engine {
  worker::Pool& pool;
  // Called once an engine is needed for the first time: a model without anything to work out needs none.
  std::function<base::Expected<worker::EngineSpec>()> find;
  worker::Limits limits;  // for each load and each run
};

}  // namespace assay::surgeon
