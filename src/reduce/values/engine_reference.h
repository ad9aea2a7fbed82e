// A reference that computes the values in an engine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/values/choose_model_inputs.h"
#include "reduce/values/engine_parts.h"
#include "reduce/values/evaluate_small.h"
#include "reduce/values/failed_nodes.h"
#include "reduce/values/missing_values.h"
#include "reduce/values/reference.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/value_store.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::reduce {

// Returns the limits for one run of an engine that computes values: 300 s or, if checks have a limit, twice that, but
// between 6 and 300 s; and twice the memory of a check. The failure may be that the model hangs or takes all memory.
worker::Limits reference_limits(const worker::Limits& of_check);

// Uses values that the user gave (by tensor name) and computes the others with an engine, from the part of the model
// that they need. So an engine that fails elsewhere in the model does no harm.
//
// Sizes that neither the model nor the user fixes are chosen once, on the first call (choose_model_inputs.h). If the
// engine still fails, bisection finds the failing node. Other engines compute that node alone, or evaluate_small does,
// and the first engine continues after it. If none can, everything that depends on the node has no value, except sizes
// of tensors whose shapes can be inferred. Each failing node is examined once, so the number of failed runs is bounded
// by the number of such nodes, whatever the calls and their order.
class EngineReference final : public Reference {
 public:
  struct Options {
    std::vector<worker::EngineSpec> engines;  // the first that accepts the model computes what it can
    worker::Limits limits;
    // Returns values for the graph inputs and for any other tensors for which the user has them, given the sizes of
    // dynamic dimensions. The function decides where their bytes are stored.
    GivenInputs given;
    bool same_for_all_sizes = false;    // `given` ignores the sizes
    InputShapes input_shapes{};         // those that the user asked for
    std::optional<RunOfCheck> check{};  // the sizes of its inputs are preferred; absent if unknown
    // Bytes of computed values that are kept in memory; a single run of the engine is asked for about as many. The rest
    // is in files in `folder` (value_store.h).
    std::uint64_t memory_budget = kValueBudget;
    std::filesystem::path folder{};
    std::shared_ptr<MissingValues> missing{};  // collects what could not be frozen; may be null
    // Warns of a tensor whose declared type or shape isn't what a run computes. False for a model that was cut from
    // another one.
    bool checks_declarations = false;
    base::Log* log = nullptr;  // reports which sizes were chosen, and that values can't be stored; may be null
  };
  // `subject` and `pool` must outlive this object.
  EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool, Options options);
  EngineReference(const EngineReference&) = delete;
  EngineReference& operator=(const EngineReference&) = delete;

  tensor::NamedTensors available(const std::vector<std::string>& names) override;
  [[nodiscard]] bool answers_at_once(const std::vector<std::string>& names) override {
    return given_ && unknown(names).empty();
  }
  [[nodiscard]] bool is_slow() const override { return !failed_.empty(); }

  [[nodiscard]] int runs() const { return runs_; }  // of engines after the choice of inputs, for tests

 private:
  using Tensors = std::vector<edit::TensorId>;

  // Returns null if the value isn't known yet.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const;
  // Returns those of these tensors that may have a value, but none yet.
  [[nodiscard]] std::vector<std::string> unknown(const std::vector<std::string>& names) const;
  // Computes as many of these values as possible. Errors: interrupted.
  base::Status look_up(const std::vector<std::string>& names);
  // Chooses the inputs, once. `names`: tensors whose values are wanted at once.
  void choose_inputs(const std::vector<std::string>& names);
  // Returns those of these tensors that nodes compute; none if they don't fit into one run.
  [[nodiscard]] Tensors computable(std::vector<std::string> names) const;
  void set_inputs(const base::Expected<tensor::NamedTensors>& given);
  base::Status compute(Tensors wanted);
  // Removes the tensors that need a failing node or an input without a value.
  void drop_blocked(Tensors& wanted);
  void look_into(const Tensors& wanted, worker::Failure failure);
  [[nodiscard]] bool compute_alone(edit::NodeId node);
  // Computes the only output of a node with evaluate_small(). Returns false if that isn't possible.
  bool compute_without_engine(edit::NodeId node, const EngineParts::Values& known);
  void give_up(edit::NodeId node, std::string why);
  void take_inferred_sizes();
  void evaluate_without_engine();
  // Returns what is known of the inputs of a node. Values of more than kSmallElements elements are left out.
  [[nodiscard]] std::vector<SmallInput> inputs_of(edit::NodeId node, const EngineParts::Values& known);
  // Errors: io, which is also reported.
  base::Status store(const tensor::NamedTensors& values);
  // Warns once.
  void check_declarations(const tensor::NamedTensors& values);
  void miss(edit::TensorId id, std::string why);
  // Splits the names into lists whose values take no more than the budget each, as far as sizes are known.
  [[nodiscard]] std::vector<std::vector<std::string>> windows(const std::vector<std::string>& names) const;

  const edit::Subject& subject_;
  edit::TensorFacts facts_;
  Options options_;
  EngineParts parts_;
  std::vector<worker::EngineSpec> engines_;
  bool engine_is_usable_ = false;  // false if not known yet
  std::optional<tensor::NamedTensors> given_;
  ValueStore computed_;
  FailedNodes failed_;
  std::set<edit::TensorId> missing_;  // those that were asked for and have no value
  std::optional<std::map<std::string, tensor::Shape>> inferred_;
  int runs_ = 0;
  bool told_ = false;  // that values can't be stored
};

}  // namespace assay::reduce
