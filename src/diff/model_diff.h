// The changes between two models as data. diff_models.h finds them; diff_text.h and diff_json.h print them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/weight_change.h"
#include "model/count_operators.h"

namespace assay::diff {

// The subjects of changes, in the order in which changes are listed.
enum class Aspect {
  model,      // IR version, producer and the like
  opset,      // operator sets that are imported
  metadata,   // of the model, a graph or a node
  function,   // local functions
  input,      // of the graph: added, removed, type, shape
  output,     // likewise
  node,       // added, removed, other operator
  wiring,     // a node or an output of the graph reads another tensor
  attribute,  // of a node
  weight,     // initializers and tensors in attributes
  type,       // types and shapes of tensors between nodes
  name,       // of nodes, tensors, graphs
  order,      // of nodes, inputs, outputs
  doc,        // doc strings
};

enum class Kind { added, removed, changed };

// A thing in one of the two models.
struct Item {
  std::string type;  // operator of a node, otherwise a word such as "weight" or "input"
  std::string name;  // may be empty
  int index = -1;    // of a node in its graph; -1: not a node
};

// Texts of values are for people: long ones are cut.
struct Change {
  Aspect aspect = Aspect::model;
  Kind kind = Kind::changed;
  std::string graph;           // "body then_branch of If 'x' (node #3)" or "function my.F"; empty: the model's graph
  std::optional<Item> first;   // absent: added
  std::optional<Item> second;  // absent: removed
  std::string detail;          // what about it: "shape", "attribute 'axis'", "input 1"; may be empty
  std::string before, after;   // values; both empty if the items say everything
  std::optional<WeightChange> values = std::nullopt;  // of tensors whose elements were measured
};

// The size of a model.
struct ModelSize {
  std::size_t nodes = 0;    // of its graph, without bodies
  std::size_t weights = 0;  // initializers of its graph
  std::uint64_t weight_bytes = 0;
};

struct ModelDiff {
  ModelSize first, second;
  std::vector<model::OperatorChange> operators;  // of which there are more or fewer, in the graph and its bodies
  std::vector<Change> changes;                   // by aspect, then in the order of the first model
  bool weights_ignored = false;  // external weights of equal type and shape count as equal: they weren't loaded

  [[nodiscard]] bool equal() const { return changes.empty(); }
};

}  // namespace assay::diff
