// Which sizes of which tensors of the outer graph have to stay equal: what shrink_dimensions cuts along.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edit/model_change.h"

namespace assay::reduce {

// A union-find over the dimensions of tensors. A dimension is fixed where something that we do not see through depends
// on its size; then all that have to be equal to it are.
class Dimensions {
 public:
  // Knows the shapes of inputs, outputs, initializers and of whatever `known` has. Unknown sizes are fixed.
  Dimensions(const onnx::GraphProto& graph, const edit::KnownValues& known);

  using Shape = std::vector<std::int64_t>;  // -1: not known
  // Null where not even the rank is known.
  [[nodiscard]] const Shape* shape(const std::string& tensor) const;

  // These two are equal. Where they are not, both are fixed: then something was not understood.
  void join(const std::string& a, std::size_t axis_of_a, const std::string& b, std::size_t axis_of_b);
  void fix(const std::string& tensor, std::size_t axis);
  void fix(const std::string& tensor);

  struct Class {
    std::int64_t size = 0;
    std::vector<std::pair<std::string, int>> members;  // tensor and axis, in the order of the names
  };
  // Sizes above 1 that can be made smaller.
  [[nodiscard]] std::vector<Class> free_classes() const;

 private:
  struct Entry {
    Shape shape;
    std::size_t first = 0;  // of its dimensions in parents_
  };
  void add(const std::string& name, const onnx::TypeProto& type);
  void add(const std::string& name, Shape shape);
  [[nodiscard]] std::size_t root(std::size_t id) const;

  std::unordered_map<std::string, Entry> tensors_;
  mutable std::vector<std::size_t> parents_;
  std::vector<bool> fixed_;  // of roots
};

// Says what the nodes of the graph make equal; what bodies capture, and all that touches a node of a type that is not
// in the table, is fixed.
void join_dimensions(const onnx::GraphProto& graph, Dimensions& dimensions);

}  // namespace assay::reduce
