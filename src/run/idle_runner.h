// Stands in for an engine in a window that has none of its tensors. It returns no outputs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run/runner.h"

namespace assay::run {

class IdleRunner final : public Runner {
 public:
  // `inputs`: those of the model. A run provides the inputs of its first runner, which may be an idle one.
  IdleRunner(std::string name, std::vector<tensor::TensorSpec> inputs)
      : name_(std::move(name)), inputs_(std::move(inputs)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] bool needs_inputs() const override { return true; }
  base::Status activate(base::Log&) override { return {}; }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return inputs_; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t, const tensor::NamedTensors&,
                                                           base::Log&) override {
    return data::IterationResult{.outputs = {}, .runtime_s = {}, .runner = name_};
  }
  void deactivate() override {}

 private:
  std::string name_;
  std::vector<tensor::TensorSpec> inputs_;
};

}  // namespace assay::run
