// Finds the nodes that have to stay in float32 if the others run in float16, or as a quantizer has made them: the steps
// that `assay debug precision` and assay.precision in Python share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backend/find_engines.h"
#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "blame/find_precision.h"
#include "blame/judge_precision.h"
#include "blame/mixed_model.h"
#include "blame/search_precision.h"
#include "model/model.h"
#include "reduce/verdicts/iterations.h"
#include "run/engine_runner.h"
#include "run/run_and_compare.h"
#include "worker/engine.h"

namespace assay::blame {

struct MixTask {
  model::Model model;
  std::optional<model::Model> quantized{};   // the model after quantization; absent: the others run in float16
  std::optional<run::EngineSetup> engine{};  // runs the mixed models; absent: `check` judges them
  // The inputs, which may be missing if a check judges quantized nodes, and how the outputs of an engine are compared.
  run::RunPlan plan{};
  // Returns the judge of mixed models in a file. The models outlive it.
  std::function<base::Expected<PrecisionJudge>(const MixedModel& models)> check{};
  PrecisionOptions options{};
  reduce::Iterations* iterations = nullptr;  // see search_precision()
  std::string name{};                        // the model's in messages
  std::string quantized_name{};
};

struct MixContext {
  worker::Pool& pool;
  base::Log& log;
  const base::Stop& stop;
  const backend::EngineSearch& engines;  // finds the engine that measures values if a check judges
};

struct MixAnswer {
  std::shared_ptr<const MixedModel> models;
  PrecisionSearch search;
  PrecisionChoice choice;
};

// Checks that the engine runs float32 nodes in float32, and mixed models as they are. Errors: unsupported if TensorRT
// may choose lower precisions itself.
base::Status check_keeps_types(const run::EngineSetup& engine);

// Errors: those of check_keeps_types(), PrecisionNodes::make(), QuantizedNodes::make(), check_rounding(), of the
// inputs, OutputJudge::make(), `check` and search_precision().
base::Expected<MixAnswer> mix_precision(MixTask task, const MixContext& context);

}  // namespace assay::blame
