// The table of all compared tensors: how large their errors are, and where these come from.
// An error is born at a node whose inputs are equal and whose outputs disagree; later nodes pass it on. So each
// tensor's error (the norm of the difference, relative to that of the values) is shown next to the largest error among
// the tensors that it is computed from. Tensors that were not compared are skipped: the nearest compared tensors before
// them count. If the inputs differ, a larger error doesn't prove a wrong node: an exact Sub of nearly equal values
// makes the error of its inputs large. Only a run of the node by itself can tell (`assay debug locate`).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/compare_outputs.h"
#include "data/run_results.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::compare {

// The worst over all iterations; infinite if only one of the values is NaN or infinite, or if the shapes differ.
struct LayerErrors {
  double absolute = 0;  // the largest error of an element
  double relative = 0;
  std::uint64_t ulp = 0;  // 0 for strings
  double norm = 0;        // |a - b| / |b|, Euclidean; used to rank errors
  // The numbers of elements that are NaN, or the same infinity, on both sides. They add nothing to the errors, but can
  // make outputs disagree.
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  bool agrees = true;  // the verdict of the comparisons
};

struct ComparedLayer {
  std::string tensor;
  int node = -1;  // index in the graph; -1 for a graph input, or without a model
  std::string node_name;
  std::string op_type;
  LayerErrors errors;
  double passed_on = 0;  // the largest norm among the tensors that it is computed from
  // True if the node's inputs are known to be equal: inputs of the graph, weights, or compared without any difference.
  bool inputs_equal = false;
  // True if the node only moves values, as Slice does, and no element's error is larger than the largest in its inputs.
  // A part of a tensor may have a larger relative error than the whole without being the cause.
  bool only_moved = false;

  // Returns the part of the error that exceeds the error of the inputs.
  [[nodiscard]] double growth() const;
  // Returns true if the tensor disagrees only because both sides hold NaN or infinity in the same places.
  [[nodiscard]] bool only_specials() const;
  // Names these values: "NaN", "infinity" or "NaN and infinity".
  [[nodiscard]] std::string_view specials() const;
  // Returns true if the tensor differs although the node's inputs are equal.
  [[nodiscard]] bool is_birthplace() const;
  // Returns true if the tensor differs and most of the error isn't in the inputs, which differ, too.
  [[nodiscard]] bool grew() const;
};

struct LayerPair {
  std::string first, second;          // runners
  std::vector<ComparedLayer> layers;  // in topological order; without a model, in order of arrival
  std::size_t index = 0;              // LayerTable::Compared::pair
};

class LayerTable {
 public:
  // A comparison of an output of two neighbouring runners. `pair` is the index of the pair; the name is the first
  // runner's.
  struct Compared {
    std::size_t pair = 0;
    std::string_view first_runner, second_runner;
    std::string_view name;
    const tensor::Tensor& first;
    const tensor::Tensor& second;
    bool agrees = true;
  };
  void add(const Compared& compared);
  // Calls `watch` with everything that is added from now on.
  void watch(std::function<void(const Compared& compared, const LayerErrors& errors)> watch) {
    watch_ = std::move(watch);
  }
  // Adds all judged outputs of two neighbouring runners (see RunPlan::watch).
  void add(std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
           const IterationJudgement& judgement);

  // Returns the layers, by pair. With a model, the names are those of its tensors, and the layers have nodes.
  [[nodiscard]] std::vector<LayerPair> layers(const model::Model* model) const;

 private:
  struct Pair {
    std::string first, second;
    std::vector<std::string> names;  // in order of arrival
    std::unordered_map<std::string, LayerErrors> errors;
  };
  std::map<std::size_t, Pair> pairs_;
  std::function<void(const Compared& compared, const LayerErrors& errors)> watch_;
};

}  // namespace assay::compare
