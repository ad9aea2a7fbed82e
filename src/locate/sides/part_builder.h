// Builds the models that a search runs from one model: the whole model with more outputs, pieces of it, and many small
// pieces side by side.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "edit/candidate_facts.h"
#include "edit/subject.h"
#include "locate/sides/skeleton.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::locate {

struct Part {
  model::Model model;
  std::vector<std::string> inputs;   // in the order of the graph's inputs
  std::vector<std::string> outputs;  // in the order requested; those of each_alone() have new names
  int nodes = 0;
  bool is_piece = false;  // inputs of the whole model may be missing
};

class PartBuilder {
 public:
  // Copies the model (not its weights). `skeleton` is that of the first model and must outlive this object; the second
  // of two models has other nodes between the same tensors.
  PartBuilder(const model::Model& model, const Skeleton& skeleton);
  ~PartBuilder();
  PartBuilder(const PartBuilder&) = delete;
  PartBuilder& operator=(const PartBuilder&) = delete;

  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] const model::GraphView& view() const { return subject_.view(); }

  // Remembers types and shapes seen in a run, for the inputs and outputs of parts built later. A type known from the
  // model stays, since an engine that lacks it returns another one. Outputs don't get the sizes: those of the other
  // side may differ, and an engine can be stopped for returning other sizes than the model declares.
  void learn(const tensor::NamedTensors& seen);
  // Returns the type of a tensor as known from the model, or else as seen in a run, or else undefined.
  [[nodiscard]] tensor::ElementType type(const std::string& name) const;

  // Returns the whole model with its own outputs and these tensors as additional ones. Part::outputs lists only
  // comparable ones.
  [[nodiscard]] base::Expected<Part> whole(const std::vector<std::string>& marked) const;

  // Returns those of these tensors, computed back to `given`, that are outputs of the model or are read by other nodes.
  // Only for the first model.
  [[nodiscard]] std::vector<std::string> leaving(const std::vector<std::string>& made,
                                                 const std::set<std::string, std::less<>>& given) const;

  // Returns the nodes that compute `wanted`, back to tensors in `given` and to the model's own inputs. Tensors in
  // `frozen` become constants.
  [[nodiscard]] Part piece(const std::vector<std::string>& wanted, const std::set<std::string, std::less<>>& given,
                           const tensor::NamedTensors& frozen) const;
  // Returns the tensors that piece() would read as inputs.
  [[nodiscard]] std::vector<std::string> reads(const std::vector<std::string>& wanted,
                                               const std::set<std::string, std::less<>>& given) const;

  // Like piece() and reads() for many tensors at once, each computed only from results of other cells, which are
  // inputs. The outputs are renamed by name_alone(), since the tensors themselves are inputs of their readers.
  [[nodiscard]] Part each_alone(const std::vector<std::string>& wanted, const tensor::NamedTensors& frozen);
  [[nodiscard]] std::vector<std::string> reads_alone(const std::vector<std::string>& wanted);
  [[nodiscard]] static std::string name_alone(const std::string& tensor) { return tensor + "/made_alone"; }

 private:
  // A copy of the model in which each result of a cell is an input, and its node writes it under another name.
  struct Exploded;
  Exploded& exploded();
  // Declares the known types of outputs whose type the model doesn't declare. Engines, and code that reads their
  // outputs, rely on it.
  void declare_types(onnx::GraphProto& graph) const;

  const Skeleton& skeleton_;
  model::Model model_;
  edit::Subject subject_;
  edit::CandidateFacts facts_;
  std::vector<tensor::ElementType> types_;  // by tensor: declared or inferred, otherwise undefined
  std::unique_ptr<Exploded> exploded_;
};

}  // namespace assay::locate
