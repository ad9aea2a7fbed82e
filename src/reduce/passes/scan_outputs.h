// What a Loop or Scan stacks, iteration by iteration, when only one iteration is left.
#pragma once

#include <string>
#include <vector>

#include "reduce/passes/open_body.h"

namespace assay::reduce {

class ScanOutputs {
 public:
  // The outputs of `node` from `first` on are stacked ones; those before are carried. `body_offset`: where in the
  // body's outputs those of the node begin. All must outlive this object.
  ScanOutputs(const Place& place, const onnx::NodeProto& node, int first, const onnx::GraphProto& body, int body_offset,
              const edit::KnownValues& known);

  // What the outputs of the body are to be called, to be given to open_body(): one for each output of the node.
  std::vector<std::string> slice_names(FreshNames& names);
  // Adds the nodes that give each slice, where somebody counts on it, the dimension along which it was stacked: one of
  // `axes` for each stacked output, 0 where there are none.
  void stack(OpenedBody& body, const std::vector<std::int64_t>& axes, int opset, FreshNames& names) const;
  // Graph outputs whose shape is another one now get what is true of them.
  void declare(edit::ModelChange& change) const;

 private:
  struct Output {
    std::string slice;   // what the body makes
    bool stack = false;  // and a node makes the output from it
  };
  [[nodiscard]] const std::string& in_body(int output) const { return body_.output(output + body_offset_).name(); }

  const Place& place_;
  const onnx::NodeProto& node_;
  int first_;
  const onnx::GraphProto& body_;
  int body_offset_;
  const edit::KnownValues& known_;
  std::vector<Output> outputs_;
};

}  // namespace assay::reduce
