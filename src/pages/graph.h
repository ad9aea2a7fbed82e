// A model's graph as reports show it, and its tensors by name.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "report/page/page.h"

namespace assay::pages {

// Returns the nodes in topological order (in that of the file if the graph has a cycle); the nodes of a body follow the
// node that holds it. Types and shapes are those that the model declares or ONNX infers; what can't be inferred stays
// empty. Reads no weights, except for values of small tensors in attributes. Bodies nested deeper than
// inspect::kMaxNesting are left out.
report::PageGraph graph_of(const model::Model& model);

// Adds statistics of the largest weights of the main graph: at most `count` of them, and at most `bytes` in all. A
// weight that alone takes more, or can't be read, is left out. `graph` is graph_of(model).
void add_weight_statistics(report::PageGraph& graph, const model::Model& model, std::size_t count = 200,
                           std::uint64_t bytes = std::uint64_t{64} << 20);

// Copies errors and origins to the tensors of these names; adds tensors that the graph lacks.
void set_errors(report::PageGraph& graph, const std::vector<report::PageTensor>& errors);

// Lets the view open at this tensor, if the graph has it.
void open_at(report::PageGraph& graph, const std::string& tensor);

// The tensors of a graph by name; a name that a body repeats is that of the main graph. The graph must outlive this
// object and must not change otherwise.
class GraphTensors {
 public:
  explicit GraphTensors(report::PageGraph& graph);
  // Returns null if there is no such tensor.
  [[nodiscard]] report::PageTensor* find(const std::string& name);
  // Adds a tensor without a node if there is none; pointers from find() are then invalid.
  report::PageTensor& find_or_add(const std::string& name);

 private:
  report::PageGraph& graph_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace assay::pages
