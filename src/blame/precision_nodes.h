// The nodes of a model as a PrecisionSubject: some stay in float32, and the others become float16.
//
// A run doesn't convert nodes: it rounds each value that would be float16. So the verdict holds for a device that
// computes in float16, even if the engine has no float16 kernels. ONNX Runtime, for example, would compute most
// converted nodes in float32, without rounding in between.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "blame/mixed_model.h"
#include "model/model.h"

namespace assay::blame {

class PrecisionNodes final : public MixedModel {
 public:
  // Inlines the model's functions. `engine` runs the model; it may be missing if only write() and save() are called.
  // `name` is the model's in messages. Errors: invalid_input if no node can run in float16; those of
  // surgeon::convert_to_float16().
  static base::Expected<PrecisionNodes> make(model::Model model, std::optional<run::EngineSetup> engine,
                                             const std::string& name);

  [[nodiscard]] const std::vector<PrecisionCandidate>& candidates() const override { return nodes_; }
  [[nodiscard]] std::string describe(const PrecisionCandidate& node) const override;
  [[nodiscard]] std::vector<int> suspects(const std::map<std::string, double>& largest) const override;
  [[nodiscard]] const model::Model& whole() const override { return model_; }

 private:
  PrecisionNodes(model::Model model, std::optional<run::EngineSetup> engine)
      : MixedModel(std::move(engine)), model_(std::move(model)) {}

  // The candidates that aren't kept become float16 nodes. Errors: those of surgeon::convert_to_float16().
  [[nodiscard]] base::Expected<model::Model> mix(const std::set<int>& keep) const override;
  // Rounds the values that would be float16. Errors: the same.
  [[nodiscard]] base::Expected<model::Model> mix_for_run(const std::set<int>& keep) const override;

  model::Model model_;
  std::vector<PrecisionCandidate> nodes_;
  std::set<std::string> large_weights_;  // beyond float16's range
};

// Checks that the engine rounds values as PrecisionNodes asks it to. Errors: unsupported if it doesn't; those
// of run::rounds_to_float16().
base::Status check_rounding(const run::EngineSetup& engine, worker::Pool& pool);

}  // namespace assay::blame
