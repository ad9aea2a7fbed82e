// Models to run, made of one model: the whole with more outputs, pieces of it, and many small pieces side by side.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "locate/skeleton.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::locate {

struct Part {
  model::Model model;
  std::vector<std::string> inputs;   // in the order of the graph's inputs
  std::vector<std::string> outputs;  // in the order of what was asked for; of apart() with names of their own
  int nodes = 0;
};

class PartBuilder {
 public:
  // The model is copied (its weights are not). `skeleton` is that of the first model and must outlive this object: the
  // second model of two has other nodes between the same tensors.
  PartBuilder(const model::Model& model, const Skeleton& skeleton);
  ~PartBuilder();
  PartBuilder(const PartBuilder&) = delete;
  PartBuilder& operator=(const PartBuilder&) = delete;

  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] const model::GraphView& view() const { return subject_.view(); }

  // Remembers types and shapes that a run showed: of inputs and outputs of the parts that are made from now on. The
  // type that the model tells stays: an engine that lacks it returns another.
  void learn(const tensor::NamedTensors& seen);
  // The type of a tensor that the model tells, else that a run showed; else undefined.
  [[nodiscard]] tensor::ElementType type(const std::string& name) const;

  // The model with its comparable outputs, and these tensors besides.
  [[nodiscard]] base::Expected<Part> whole(const std::vector<std::string>& marked) const;

  // Of these tensors, which are made back to `given`: those that an output of the model is, or other nodes read. Of the
  // first model only.
  [[nodiscard]] std::vector<std::string> leaving(const std::vector<std::string>& made,
                                                 const std::set<std::string, std::less<>>& given) const;

  // What makes `wanted`, back to tensors in `given` and to the model's own inputs. Tensors of `frozen` are constants.
  [[nodiscard]] Part piece(const std::vector<std::string>& wanted, const std::set<std::string, std::less<>>& given,
                           const tensor::NamedTensors& frozen) const;
  // The tensors that piece() would have to be given.
  [[nodiscard]] std::vector<std::string> reads(const std::vector<std::string>& wanted,
                                               const std::set<std::string, std::less<>>& given) const;

  // The same for many wanted tensors at once, each made from results of cells that are all given. The outputs have
  // other names, as the tensors themselves are inputs of their readers: apart_name().
  [[nodiscard]] Part apart(const std::vector<std::string>& wanted, const tensor::NamedTensors& frozen);
  [[nodiscard]] std::vector<std::string> apart_reads(const std::vector<std::string>& wanted);
  [[nodiscard]] static std::string apart_name(const std::string& tensor) { return tensor + "/made_alone"; }

 private:
  // A copy in which each result of a cell is an input, and its node makes it under another name.
  struct Exploded;
  Exploded& exploded();
  // Outputs of unknown type get the one that the model tells. Engines, and those who read what they return, go by it.
  void declare_types(onnx::GraphProto& graph) const;

  const Skeleton& skeleton_;
  model::Model model_;
  edit::Subject subject_;
  edit::TensorFacts facts_;
  std::vector<tensor::ElementType> types_;  // by tensor: declared or inferred; else undefined
  std::unique_ptr<Exploded> exploded_;
};

}  // namespace assay::locate
