// Values of tensors of the unreduced model, for constants and for shapes that cannot be inferred.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/value_store.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::reduce {

class Reference {
 public:
  virtual ~Reference() = default;
  // The values of these tensors, all of them; may cost a run of an engine. An error means that they cannot be had, and
  // is no reason to end a reduction. Whether they can be had does not depend on what was asked before: candidates are
  // built ahead, in an order that is another with each number of jobs.
  virtual base::Expected<tensor::NamedTensors> values(const std::vector<std::string>& names) = 0;
};

// Takes values that the user gave (by tensor name), and computes the others with an engine, from the part of the model
// that they need: so an engine that fails elsewhere in the model does no harm. Where it fails, the tensor at fault is
// looked for by halving, and no part that holds the node which makes it is run again. Only an engine that has failed
// kFailedRuns times is not asked any more, whatever for.
class EngineReference final : public Reference {
 public:
  struct Options {
    worker::EngineSpec engine;
    worker::Limits limits;
    // Values for the graph inputs and, where the user has them, for any other tensor. Asked once, when first needed.
    // Where their bytes lie is left to whoever gives them.
    std::function<base::Expected<tensor::NamedTensors>()> given;
    // Bytes of computed values that are held in memory, and about as many are asked of the engine at a time. The others
    // lie in files of `folder`: value_store.h.
    std::uint64_t memory_budget = std::uint64_t{256} << 20;
    std::filesystem::path folder{};
  };
  // All of them must outlive this object.
  EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool, Options options);

  base::Expected<tensor::NamedTensors> values(const std::vector<std::string>& names) override;

  static constexpr int kFailedRuns = 32;

 private:
  // Null where it is not known yet.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const;
  base::Status compute(const std::vector<std::string>& names);
  base::Status run_part(const std::vector<std::string>& names);
  base::Status run(const model::Model& part, const std::vector<std::string>& names);
  // The names in lists of no more than the budget each, as far as sizes are known.
  [[nodiscard]] std::vector<std::vector<std::string>> windows(const std::vector<std::string>& names) const;

  const edit::Subject& subject_;
  const edit::TensorFacts& facts_;
  worker::Pool& pool_;
  Options options_;
  std::optional<tensor::NamedTensors> given_;
  ValueStore computed_;
  std::set<edit::NodeId> broken_;  // no part with one of these is run
  int failed_runs_ = 0;
};

}  // namespace assay::reduce
