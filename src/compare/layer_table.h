// All tensors that runs were compared at, with how large their errors are and where these come from.
//
// An error is born where a node's inputs agree and its outputs do not; behind it, it is passed on. So the error of each
// tensor (the norm of the difference, relative to that of the values) stands beside the largest among the tensors that
// it is made of. Tensors that were not compared are looked through, up to those that were.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compare/compare_outputs.h"
#include "data/run_results.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::compare {

// Over all iterations the worst; infinite where one value is no number, or the shapes differ.
struct LayerErrors {
  double absolute = 0;  // the largest of an element
  double relative = 0;
  std::uint64_t ulp = 0;  // 0 where elements are no numbers
  double norm = 0;        // |a - b| / |b|, Euclidean; what errors are told by
  bool agrees = true;     // as the comparisons were told to judge
};

struct Layer {
  std::string tensor;
  int node = -1;  // its place in the file; -1 for a graph input, or where there is no model
  std::string node_name;
  std::string op_type;
  LayerErrors errors;
  double passed_on = 0;  // the largest norm among the tensors that it is made of
  // Whether the node only puts values in other places, as Slice does, and no element is further off than one of what it
  // is made of: a part of a tensor may be worse than the whole.
  bool only_moved = false;

  // The part of the error that no input brings.
  [[nodiscard]] double born() const;
  // Whether most of a disagreement arises here.
  [[nodiscard]] bool is_birthplace() const;
};

struct LayerPair {
  std::string first, second;  // runners
  std::vector<Layer> layers;  // in topological order; as they came where there is no model
};

class LayerTable {
 public:
  // One comparison of an output of two neighbouring runners. `pair` counts these from 0; the name is that of the first.
  struct Compared {
    std::size_t pair = 0;
    std::string_view first_runner, second_runner;
    std::string_view name;
    const tensor::Tensor& first;
    const tensor::Tensor& second;
    bool agrees = true;
  };
  void add(const Compared& compared);
  // All outputs of two neighbouring runners that were judged (RunPlan::watch).
  void add(std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
           const IterationJudgement& judgement);

  // With a model, whose tensors the names are, the layers have nodes. By pair.
  [[nodiscard]] std::vector<LayerPair> layers(const model::Model* model) const;

 private:
  struct Pair {
    std::string first, second;
    std::vector<std::string> names;  // as they came
    std::unordered_map<std::string, LayerErrors> errors;
  };
  std::map<std::size_t, Pair> pairs_;
};

}  // namespace assay::compare
