// The engine with which a surgeon step computes values.
#pragma once

#include <functional>

#include "base/error.h"
#include "worker/engine.h"

namespace assay::surgeon {

struct Engine {
  worker::Pool& pool;
  // Called when an engine is first needed: a model without anything to compute needs none.
  std::function<base::Expected<worker::EngineSpec>()> find;
  worker::Limits limits;  // for each load and each run
};

}  // namespace assay::surgeon
