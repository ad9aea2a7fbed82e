// The two sides that an input describes, ready to run.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "locate/sides/golden.h"
#include "locate/sides/locate_input.h"
#include "locate/sides/pair.h"
#include "locate/sides/part_builder.h"
#include "locate/sides/skeleton.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::locate {

class Sides {
 public:
  // All arguments must outlive the result. Errors: invalid_input if no output of the model can be compared; those of
  // reading saved results.
  static base::Expected<std::unique_ptr<Sides>> make(const LocateInput& input, worker::Pool& pool,
                                                     const base::Stop& stop, Ledger& ledger, base::Log& log);

  [[nodiscard]] Pair& pair() { return pair_; }
  // The cells of LocateInput::model: the tensors that both sides have.
  [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }

  // Return the builder of the model that a side runs; the same one if both run the same model.
  [[nodiscard]] PartBuilder& first() { return *first_; }
  [[nodiscard]] PartBuilder& second() { return *second_; }
  [[nodiscard]] bool run_two_models() const { return other_ != nullptr; }
  // Returns the builder of LocateInput::model, whose nodes the answer names.
  [[nodiscard]] const PartBuilder& named() const { return model_; }

  // Returns whether the first side's values are the good ones; otherwise the second side's are.
  [[nodiscard]] bool first_is_good() const { return first_is_good_; }
  // Returns whether the good side is right for certain, or is assumed to be because it is a reference.
  [[nodiscard]] bool good_is_known() const { return good_is_known_; }

  // Fills in the bytes that the results of each cell take for these inputs.
  void estimate_bytes(const tensor::NamedTensors& feeds);
  // Compares an engine (0 or 1) with itself from now on: it becomes the first side, and there is no second one. See
  // Pair::compare_with_itself().
  void compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan);

 private:
  Sides(const LocateInput& input, std::vector<run::EngineSetup> engines, std::optional<Golden> golden,
        Skeleton skeleton, worker::Pool& pool, const base::Stop& stop, Ledger& ledger, base::Log& log);

  Skeleton skeleton_;
  PartBuilder model_;
  std::unique_ptr<PartBuilder> other_;  // of the other model that a side runs; null if there is none
  PartBuilder* first_;
  PartBuilder* second_;
  bool first_is_good_;
  Pair pair_;
  bool good_is_known_;
};

}  // namespace assay::locate
