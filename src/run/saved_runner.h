// Runners that return saved results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "data/results_reader.h"
#include "run/runner.h"

namespace assay::run {

class SavedRunner final : public Runner {
 public:
  explicit SavedRunner(data::RunnerResults results) : results_(std::move(results)) {}

  [[nodiscard]] const std::string& name() const override { return results_.runner; }
  [[nodiscard]] bool needs_inputs() const override { return false; }
  [[nodiscard]] std::optional<std::size_t> iteration_count() const override { return results_.iterations.size(); }
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

// Like SavedRunner, but reads each iteration from the file when it is needed.
class StoredRunner final : public Runner {
 public:
  // Returns the results of runner `index`. `wanted`: the outputs to return in an iteration; empty: all.
  StoredRunner(std::shared_ptr<data::ResultsReader> results, std::size_t index,
               std::function<std::unordered_set<std::string>(std::int64_t iteration)> wanted = {})
      : results_(std::move(results)), index_(index), wanted_(std::move(wanted)) {}

  [[nodiscard]] const std::string& name() const override { return results_->runner_name(index_); }
  [[nodiscard]] bool needs_inputs() const override { return false; }
  [[nodiscard]] std::optional<std::size_t> iteration_count() const override {
    return results_->iteration_count(index_);
  }
  base::Status activate(base::Log&) override { return {}; }
  [[nodiscard]] std::span<const tensor::TensorSpec> inputs() const override { return {}; }
  base::Expected<std::optional<data::IterationResult>> run(std::int64_t index, const tensor::NamedTensors&,
                                                           base::Log&) override {
    const auto iteration = static_cast<std::size_t>(index);
    if (iteration >= results_->iteration_count(index_)) return std::nullopt;
    std::unordered_set<std::string> some;
    if (wanted_) some = wanted_(index);
    ASSAY_ASSIGN(auto result, results_->read(index_, iteration, wanted_ ? &some : nullptr));
    return result;
  }
  void deactivate() override {}

 private:
  std::shared_ptr<data::ResultsReader> results_;
  std::size_t index_;
  std::function<std::unordered_set<std::string>(std::int64_t iteration)> wanted_;
};

}  // namespace assay::run
