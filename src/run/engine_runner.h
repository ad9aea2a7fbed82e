// A runner that executes a model in a worker process of the pool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/declared_types.h"
#include "run/runner.h"
#include "worker/engine.h"
#include "worker/limits.h"

namespace assay::run {

struct EngineSetup {
  std::string runner;  // name of the runner: data::make_runner_name
  std::string engine;  // name for messages: "ONNX Runtime"
  worker::EngineSpec spec;
  worker::Limits limits;  // for loading, and for each run
};

// Returns a line that says that the engine computes in a lower precision than float32, and which option changes that.
// Empty if it computes in float32, or if its worker doesn't report that (SessionInfo::reduced_precision).
std::string precision_note(const worker::SessionInfo& info, const worker::EngineSpec& engine);

// The model must outlive the runner; so must the pool.
class EngineRunner final : public Runner {
 public:
  EngineRunner(EngineSetup setup, const worker::ModelSource& model, worker::Pool& pool);
  // Shares ownership of the model; the pool must still outlive the runner.
  EngineRunner(EngineSetup setup, std::shared_ptr<const worker::ModelSource> model, worker::Pool& pool);

  [[nodiscard]] const std::string& name() const override { return setup_.runner; }
  [[nodiscard]] bool needs_inputs() const override { return true; }
  base::Status activate(base::Log& log) override;
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return inputs_; }
  // Fits feeds to the model's inputs (data::fit_inputs). Outputs that aren't tensors are skipped with a warning when
  // the engine is activated. Errors: engine, saying how the engine ended.
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t index, const tensor::NamedTensors& feeds,
                                                           base::Log& log) override;
  void deactivate() override { session_.reset(); }

 private:
  EngineSetup setup_;
  std::shared_ptr<const worker::ModelSource> model_;
  worker::Pool& pool_;
  std::unique_ptr<worker::Session> session_;
  std::vector<tensor::TensorSpec> inputs_;
  std::vector<std::string> wanted_;  // outputs
  DeclaredTypes types_;
};

}  // namespace assay::run
