// Finds which sizes of which tensors of the outer graph have to stay equal. shrink_dimensions shrinks them together.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edit/changes/model_change.h"

namespace assay::reduce {

// A union-find structure over the dimensions of tensors. A dimension is fixed if something that we don't analyse
// depends on its size; then all dimensions that have to be equal to it are fixed, too.
class Dimensions {
 public:
  // Takes the shapes of inputs, outputs, initializers and everything in `known`. Unknown sizes and those of
  // sparse initializers are fixed.
  Dimensions(const onnx::GraphProto& graph, const edit::ValueInfos& known);

  using Shape = std::vector<std::int64_t>;  // -1 if unknown
  // Returns null if not even the rank is known.
  [[nodiscard]] const Shape* shape(const std::string& tensor) const;

  // Declares two dimensions equal. If their sizes differ, something was misunderstood, and both are fixed.
  void join(const std::string& a, std::size_t axis_of_a, const std::string& b, std::size_t axis_of_b);
  void fix(const std::string& tensor, std::size_t axis);
  void fix(const std::string& tensor);

  struct Class {
    std::int64_t size = 0;
    std::vector<std::pair<std::string, int>> members;  // tensor and axis, in the order of the names
  };
  // Returns the sizes above 1 that can be reduced.
  [[nodiscard]] std::vector<Class> free_classes() const { return classes(false); }
  // Returns the known sizes above 1 of which it is unknown whether they can be reduced.
  [[nodiscard]] std::vector<Class> fixed_classes() const { return classes(true); }

 private:
  struct Entry {
    Shape shape;
    std::size_t first = 0;  // index of its first dimension in parents_
  };
  void add(const std::string& name, const onnx::TypeProto& type);
  void add(const std::string& name, Shape shape);
  [[nodiscard]] std::size_t root(std::size_t id) const;
  [[nodiscard]] std::vector<Class> classes(bool fixed) const;

  std::unordered_map<std::string, Entry> tensors_;
  mutable std::vector<std::size_t> parents_;
  std::vector<bool> fixed_;  // of roots
};

// Joins the dimensions that the nodes of the graph force to be equal. Fixes everything that bodies capture, and all
// tensors of nodes whose operator isn't in the tables.
void join_dimensions(const onnx::GraphProto& graph, Dimensions& dimensions);

}  // namespace assay::reduce
