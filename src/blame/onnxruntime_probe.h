// Runs a model in ONNX Runtime with optimizers disabled, and looks at the graphs that remain.
#pragma once

#include "base/temp_dir.h"
#include "blame/find_optimizers.h"
#include "blame/output_judge.h"

namespace assay::blame {

class OnnxRuntimeProbe final : public OptimizerProbe {
 public:
  // `engine` must be ONNX Runtime; its own settings stay, except for the level. All arguments but the judge must
  // outlive the probe. Errors: io if no temporary folder can be created.
  static base::Expected<OnnxRuntimeProbe> make(const run::EngineSetup& engine, const worker::ModelSource& model,
                                               EngineJudge judge, worker::Pool& pool);

  base::Expected<Agreement> judge(const OptimizerSetting& setting) override;
  base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) override;

  // Returns the engine with a setting.
  static run::EngineSetup with(run::EngineSetup engine, const OptimizerSetting& setting);
  // Returns the engine without these optimizers, besides those that its own settings disable.
  static run::EngineSetup without(run::EngineSetup engine, const std::vector<std::string>& optimizers);
  // Returns whether the engine's own settings disable optimizers.
  static bool disables_some(const run::EngineSetup& engine);
  // The session configuration entry that disables optimizers.
  static constexpr const char* kDisable = "optimization.disable_specified_optimizers";

 private:
  OnnxRuntimeProbe(const run::EngineSetup& engine, const worker::ModelSource& model, EngineJudge judge,
                   worker::Pool& pool, base::TempDir folder)
      : engine_(engine), model_(model), judge_(std::move(judge)), pool_(pool), folder_(std::move(folder)) {}

  const run::EngineSetup& engine_;
  const worker::ModelSource& model_;
  EngineJudge judge_;
  worker::Pool& pool_;
  base::TempDir folder_;
};

}  // namespace assay::blame
