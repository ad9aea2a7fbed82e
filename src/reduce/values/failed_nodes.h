// Remembers what the first engine of a reference can't compute, and which tensors have no value as a result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "reduce/values/engine_parts.h"
#include "tensor/tensor.h"

namespace assay::reduce {

class FailedNodes {
 public:
  // Both must outlive this object.
  FailedNodes(const edit::Subject& subject, const EngineParts& parts) : subject_(subject), parts_(parts) {}

  // The model's input has no value. `why`, here and below, is one sentence without a full stop.
  void lack_input(edit::TensorId input, std::string why) { lacking_.emplace(input, std::move(why)); }
  // Nothing computes the node. The first reason given for a node is kept.
  void give_up(edit::NodeId node, std::string why) { given_up_.emplace(node, std::move(why)); }
  // This output of a failing node was computed in another way, so parts of the model begin after it.
  void replace(edit::TensorId output, tensor::Tensor value) { replaced_.insert_or_assign(output, std::move(value)); }

  // Returns true if no node has failed so far.
  [[nodiscard]] bool empty() const { return given_up_.empty() && replaced_.empty(); }
  [[nodiscard]] const EngineParts::Values& replaced() const { return replaced_; }
  [[nodiscard]] bool is_replaced(edit::TensorId id) const { return replaced_.contains(id); }
  // Returns the reason for one of the nodes that were given up, or null if there is none.
  [[nodiscard]] const std::string* any_reason() const {
    return given_up_.empty() ? nullptr : &given_up_.begin()->second;
  }
  // Returns, by tensor id, why a tensor has no value: it depends on such a node or input. Null for the others. The
  // pointers stay valid as long as this object.
  [[nodiscard]] std::vector<const std::string*> reasons() const;

 private:
  const edit::Subject& subject_;
  const EngineParts& parts_;
  std::map<edit::TensorId, std::string> lacking_;
  std::map<edit::NodeId, std::string> given_up_;
  EngineParts::Values replaced_;
};

}  // namespace assay::reduce
