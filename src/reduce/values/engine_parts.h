// Runs parts of a model in an engine: the nodes that some tensors need, back to tensors whose values are known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/selection.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "worker/engine.h"

namespace assay::reduce {

// Returns the limits of further parts of a model once a part has hung. They may take several times as long as the
// longest that ended, and at least two seconds: each search for the node that hangs runs into it again and again.
worker::Limits limits_after_hang(worker::Limits limits, double longest_s);

class EngineParts {
 public:
  using Values = std::map<edit::TensorId, tensor::Tensor>;

  // `subject` and `pool` must outlive this object.
  EngineParts(const edit::Subject& subject, edit::TensorFacts facts, worker::Pool& pool, worker::Limits limits);

  // Returns the nodes in topological order, or in the file's order if there is a cycle.
  [[nodiscard]] const std::vector<edit::NodeId>& order() const { return order_; }
  // Returns the index of the node that an engine's message names, or nodes.size() if it names none. If several names
  // match, the longest wins. `quote`: what stands on both sides of a name; without it, a name can match by chance.
  [[nodiscard]] std::size_t find_named(const std::vector<edit::NodeId>& nodes, const std::string& message,
                                       std::string_view quote = {}) const;
  // Returns the nodes that are needed to compute the tensors, in topological order. Tensors in `known` are constants
  // and don't need nodes.
  [[nodiscard]] std::vector<edit::NodeId> producers(const std::vector<edit::TensorId>& tensors,
                                                    const Values& known) const;
  // Returns the tensors that the nodes produce and none of them reads.
  [[nodiscard]] std::vector<edit::TensorId> ends(const std::vector<edit::NodeId>& nodes) const;

  // Loads these nodes as a model with these outputs. Tensors in `known` are constants in it; others that it needs are
  // inputs.
  [[nodiscard]] worker::Outcome<std::unique_ptr<worker::Session>> load(const worker::EngineSpec& engine,
                                                                       const std::vector<edit::NodeId>& nodes,
                                                                       const std::vector<edit::TensorId>& outputs,
                                                                       const Values& known) const;
  // `inputs` may contain more than the part needs. Outputs that aren't tensors are left out.
  [[nodiscard]] worker::Outcome<tensor::NamedTensors> run(worker::Session& session, const tensor::NamedTensors& inputs,
                                                          const std::vector<edit::TensorId>& outputs) const;
  [[nodiscard]] worker::Outcome<tensor::NamedTensors> load_and_run(const worker::EngineSpec& engine,
                                                                   const std::vector<edit::NodeId>& nodes,
                                                                   const std::vector<edit::TensorId>& outputs,
                                                                   const Values& known,
                                                                   const tensor::NamedTensors& inputs) const;
  // Returns whether the engine accepts models of this IR version and with these operator sets at all.
  [[nodiscard]] bool is_usable(const worker::EngineSpec& engine) const;

 private:
  worker::Outcome<std::unique_ptr<worker::Session>> load(const worker::EngineSpec& engine,
                                                         const model::Model& model) const;
  // Removes ranks of outputs that are only guessed, and may be wrong.
  void undeclare_guesses(onnx::GraphProto& part) const;
  // Declares tensors of a part whose shapes are inferred. ONNX Runtime compares each tensor of unknown shape with all
  // earlier ones when it plans its memory, so a part of thousands of nodes would take many seconds to load.
  void declare_inferred(onnx::GraphProto& part) const;
  [[nodiscard]] worker::Limits limits() const;
  // Remembers how long a part took, and whether it hung.
  void note(double seconds, const worker::Failure* failure) const;

  const edit::Subject& subject_;
  edit::TensorFacts facts_;
  worker::Pool& pool_;
  worker::Limits limits_;
  mutable bool has_hung_ = false;
  mutable double longest_s_ = 0;  // of the loads and runs that ended
  std::vector<edit::NodeId> order_;
  mutable std::optional<onnx::GraphProto> inferred_;  // outputs and value_info; made when it is needed
};

}  // namespace assay::reduce
