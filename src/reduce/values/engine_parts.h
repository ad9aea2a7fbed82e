// Running parts of a model in an engine: the nodes that some tensors need, up to tensors whose values are known.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "edit/selection.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "worker/engine.h"

namespace assay::reduce {

class EngineParts {
 public:
  using Values = std::map<edit::TensorId, tensor::Tensor>;

  // All of them must outlive this object.
  EngineParts(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool, worker::Limits limits);

  // The nodes in an order in which each stands behind those that it needs; in that of the file if there is none.
  [[nodiscard]] const std::vector<edit::NodeId>& order() const { return order_; }
  // Which of the nodes a message of an engine names: the one with the longest name in it. nodes.size(): none.
  [[nodiscard]] std::size_t find_named(const std::vector<edit::NodeId>& nodes, const std::string& message) const;
  // The nodes that make the tensors, in that order. Those in `known` are not made, but constants.
  [[nodiscard]] std::vector<edit::NodeId> makers(const std::vector<edit::TensorId>& tensors, const Values& known) const;
  // What a set of nodes makes and none of them reads.
  [[nodiscard]] std::vector<edit::TensorId> ends(const std::vector<edit::NodeId>& nodes) const;

  [[nodiscard]] worker::Outcome<std::unique_ptr<worker::Session>> load(const worker::EngineSpec& engine,
                                                                       const std::vector<edit::NodeId>& nodes,
                                                                       const std::vector<edit::TensorId>& outputs,
                                                                       const Values& known) const;
  // `inputs` may have more than the part needs. Outputs that are no tensors are left out.
  [[nodiscard]] worker::Outcome<tensor::NamedTensors> run(worker::Session& session, const tensor::NamedTensors& inputs,
                                                          const std::vector<edit::TensorId>& outputs) const;
  [[nodiscard]] worker::Outcome<tensor::NamedTensors> load_and_run(const worker::EngineSpec& engine,
                                                                   const std::vector<edit::NodeId>& nodes,
                                                                   const std::vector<edit::TensorId>& outputs,
                                                                   const Values& known,
                                                                   const tensor::NamedTensors& inputs) const;
  // Whether the engine takes models of this version, with these operator sets, at all: an Identity has to load.
  [[nodiscard]] bool is_usable(const worker::EngineSpec& engine) const;

 private:
  worker::Outcome<std::unique_ptr<worker::Session>> load(const worker::EngineSpec& engine,
                                                         const model::Model& model) const;

  const edit::Subject& subject_;
  const edit::TensorFacts& facts_;
  worker::Pool& pool_;
  worker::Limits limits_;
  std::vector<edit::NodeId> order_;
};

}  // namespace assay::reduce
