// Values of tensors of the unreduced model, for constants and for shapes that cannot be inferred.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/values/engine_parts.h"
#include "reduce/values/evaluate_small.h"
#include "reduce/values/missing_values.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/value_store.h"
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
  // Those of them that are available. The same holds for them.
  virtual tensor::NamedTensors known(const std::vector<std::string>& names) {
    auto all = values(names);
    return all ? *std::move(all) : tensor::NamedTensors{};
  }
};

// Takes values that the user gave (by tensor name), and computes the others with an engine, from the part of the model
// that they need: so an engine that fails elsewhere in the model does no harm.
//
// Sizes that neither the model nor the user fixes are chosen at the first question, once: the first of input_choices
// with which the engine runs the whole model, else all settings in it (holds_settings). If the engine fails all the
// same, the node at fault is found by halving. Other engines compute it alone, or evaluate_small does, and the first
// engine continues behind it. If none can, what depends on the node has no value, but for the sizes of tensors whose
// shapes can be inferred. Each failing node is looked at once, so the number of failed runs is bounded by that of such
// nodes, whatever is asked, and in which order.
class EngineReference final : public Reference {
 public:
  struct Options {
    std::vector<worker::EngineSpec> engines;  // the first that takes the model computes what it can
    worker::Limits limits;
    // Values for the graph inputs and, where the user has them, for any other tensor, given sizes of open dimensions.
    // Where their bytes lie is left to whoever gives them.
    std::function<base::Expected<tensor::NamedTensors>(const InputShapes&)> given;
    bool fixed_inputs = false;   // `given` doesn't look at the sizes
    InputShapes input_shapes{};  // that the user asked for
    // Bytes of computed values that are held in memory, and about as many are asked of the engine at a time. The others
    // lie in files of `folder`: value_store.h.
    std::uint64_t memory_budget = std::uint64_t{256} << 20;
    std::filesystem::path folder{};
    std::shared_ptr<MissingValues> missing{};  // is told what could not be frozen; may be null
    base::Log* log = nullptr;                  // is told which sizes were chosen; may be null
  };
  // All of them must outlive this object.
  EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool, Options options);

  base::Expected<tensor::NamedTensors> values(const std::vector<std::string>& names) override;
  tensor::NamedTensors known(const std::vector<std::string>& names) override;

  [[nodiscard]] int runs() const { return runs_; }  // of engines behind the choice of inputs, for tests

 private:
  using Tensors = std::vector<edit::TensorId>;

  // Null where it is not known yet.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const;
  // Computes what can be computed of these. Errors: interrupted, io.
  base::Status look_up(const std::vector<std::string>& names);
  base::Status choose_inputs(const std::vector<std::string>& names);
  base::Status take_inputs(const std::vector<InputChoice>& choices, const Tensors& now);
  [[nodiscard]] base::Expected<tensor::NamedTensors> make_inputs(const InputChoice& choice) const;
  [[nodiscard]] std::vector<Tensors> goals() const;
  void set_inputs(tensor::NamedTensors given);
  base::Status compute(Tensors wanted);
  // Takes those out that need a failing node or an input without a value.
  void drop_blocked(Tensors& wanted);
  [[nodiscard]] std::vector<const std::string*> hindrances() const;  // by tensor; null: there is none
  void look_into(const Tensors& wanted, worker::Failure failure);
  [[nodiscard]] bool compute_alone(edit::NodeId node);
  void give_up(edit::NodeId node, std::string why);
  void take_inferred_sizes();
  void evaluate_without_engine();
  // What is known of the tensors that a node reads. Constants only if `small`.
  [[nodiscard]] std::vector<SmallInput> inputs_of(edit::NodeId node, const EngineParts::Values& known);
  base::Status store(const tensor::NamedTensors& values);
  void miss(edit::TensorId id, std::string why);
  // The names in lists of no more than the budget each, as far as sizes are known.
  [[nodiscard]] std::vector<std::vector<std::string>> windows(const std::vector<std::string>& names) const;

  const edit::Subject& subject_;
  const edit::TensorFacts& facts_;
  Options options_;
  EngineParts parts_;
  std::vector<worker::EngineSpec> engines_;
  bool engine_is_usable_ = false;  // known to be
  std::optional<tensor::NamedTensors> given_;
  ValueStore computed_;
  EngineParts::Values made_up_for_;  // outputs of nodes that the first engine cannot run; parts end there
  std::map<edit::TensorId, std::string> no_input_;  // inputs without a value
  std::map<edit::NodeId, std::string> broken_;
  std::map<edit::TensorId, std::string> missing_;
  std::optional<std::map<std::string, tensor::Shape>> inferred_;
  int runs_ = 0;
};

}  // namespace assay::reduce
