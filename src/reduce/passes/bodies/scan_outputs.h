// The outputs that a Loop or Scan stacks over its iterations, for the case that only one iteration is left.
#pragma once

#include <string>
#include <vector>

#include "reduce/passes/bodies/open_body.h"

namespace assay::reduce {

class ScanOutputs {
 public:
  // The outputs of `node` from index `first` on are stacked; those before are carried. Output i of the node is output i
  // + body_offset of the body. All references must outlive this object.
  ScanOutputs(const Place& place, const onnx::NodeProto& node, int first, const onnx::GraphProto& body, int body_offset,
              const edit::ValueInfos& known);

  // Returns the names to pass to open_body() for the outputs of the body: one for each output of the node.
  std::vector<std::string> slice_names(FreshNames& names);
  // Adds nodes that restore the stacked dimension of each slice, if a reader depends on it. `axes`: the axis for each
  // stacked output, 0 if there are fewer.
  void stack(OpenedBody& body, const std::vector<std::int64_t>& axes, int opset, FreshNames& names) const;
  // Updates the declared types of tensors of the outer graph whose shape changes. If a stacked dimension had a fixed
  // size, it is 1 now, and all sizes of what is computed from it become open: which of them it affects isn't known.
  void declare(edit::ModelChange& change, const std::vector<std::int64_t>& axes) const;

 private:
  struct Output {
    std::string slice;   // what the body produces
    bool stack = false;  // whether a node has to produce the output from it
  };
  void open_sizes_behind(edit::ModelChange& change, const std::vector<std::int64_t>& axes) const;
  // Adds the rank of this output of the node to the type of what takes its place, if that has none.
  void add_rank(int output, onnx::ValueInfoProto& value) const;
  [[nodiscard]] std::int64_t axis_of(std::size_t output, const std::vector<std::int64_t>& axes) const;
  [[nodiscard]] const std::string& in_body(int output) const { return body_.output(output + body_offset_).name(); }

  const Place& place_;
  const onnx::NodeProto& node_;
  int first_;
  const onnx::GraphProto& body_;
  int body_offset_;
  const edit::ValueInfos& known_;
  std::vector<Output> outputs_;
};

}  // namespace assay::reduce
