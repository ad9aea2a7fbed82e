// Results that were saved earlier, as a runner.
#pragma once

#include "compare/runner.h"

namespace assay::compare {

class SavedRunner final : public Runner {
 public:
  explicit SavedRunner(data::RunnerResults results) : results_(std::move(results)) {}

  [[nodiscard]] const std::string& name() const override { return results_.runner; }
  [[nodiscard]] bool needs_inputs() const override { return false; }
  base::Status activate(base::Log&) override { return {}; }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return {}; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t index, const tensor::NamedTensors&,
                                                           base::Log&) override {
    if (static_cast<std::size_t>(index) >= results_.iterations.size()) return std::nullopt;
    return results_.iterations[static_cast<std::size_t>(index)];
  }
  void deactivate() override {}

 private:
  data::RunnerResults results_;
};

}  // namespace assay::compare
