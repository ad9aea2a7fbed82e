// Fits a candidate for a body into a copy of its node: what the three operators with bodies have in common, and a class
// for each of them. Internal to wrap_body().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/changes/model_change.h"
#include "edit/rename_tensors.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/loop_parts.h"

namespace assay::reduce {

// Returns the node's attribute of that name, which is added if the node has none.
onnx::AttributeProto& attribute_of(onnx::NodeProto& node, std::string_view name);

// Works on copies of the node and of the candidate's graph. The candidate's inputs and outputs are matched by name with
// those of the old body: what matches keeps its role, everything else becomes a new scanned input, an input or output
// of the model, or a captured tensor.
class Wrapping {
 public:
  // The arguments of wrap_body(), which must outlive the object.
  Wrapping(const onnx::GraphProto& outer, const edit::ValueInfos& known, const onnx::NodeProto& node,
           const std::string& attribute, const onnx::GraphProto& candidate);
  virtual ~Wrapping() = default;
  Wrapping(const Wrapping&) = delete;
  Wrapping& operator=(const Wrapping&) = delete;

  // Returns the change, or nothing if the candidate doesn't fit. To be called once.
  std::optional<edit::ModelChange> run();

 protected:
  using Names = std::unordered_set<std::string>;

  // Sets the inputs and outputs of `node_` and `body_`. Returns false if the candidate doesn't fit.
  virtual bool fit() = 0;

  // Returns whether the candidate has an input of this name.
  [[nodiscard]] bool takes(const std::string& name) const { return inputs_.contains(name); }
  // Returns whether the candidate returns this tensor and no earlier call claimed it, and claims it.
  bool claim_output(const std::string& name) { return outputs_.contains(name) && claimed_.insert(name).second; }
  // Adds a tensor that the body takes and returns: from `initial` to `result` in the outer graph.
  void keep_state(const onnx::ValueInfoProto& in, const onnx::ValueInfoProto& out, const std::string& initial,
                  const std::string& result);
  // Adds an input of the model.
  void add_outer_input(onnx::ValueInfoProto value, const std::string& name);
  // Adds an output of the model.
  void add_outer_output(onnx::ValueInfoProto value, const std::string& name);
  // Returns the type of `value` with one more dimension in front, of size `length_`.
  [[nodiscard]] onnx::ValueInfoProto stacked(const onnx::ValueInfoProto& value) const;
  // For each scanned input or stacked output, which axis, and whether from its end.
  struct Scanned {
    std::vector<std::int64_t> axes{}, backward{};
  };
  // Adds all unclaimed outputs that are tensors, stacked, under their old outer names or as new outputs of the model.
  // Output i of the old node, from `first_old` on, is output i + `offset` of the old body; `old` says how it was
  // stacked, by default along the first axis. Returns how the outputs added are stacked.
  Scanned stack_outputs(int first_old, int offset, const Scanned& old);
  // Makes the body read inputs that a cut created from the outer graph, where they become inputs of the model. Returns
  // false if the shape of one is unknown.
  bool capture_inputs(edit::Renames& renames);

  const onnx::GraphProto& outer_;
  const edit::ValueInfos& known_;
  const onnx::NodeProto& before_;
  const onnx::GraphProto& old_;  // the node's current body
  onnx::NodeProto node_;         // the new node, without outputs at first
  const onnx::GraphProto& candidate_;
  onnx::GraphProto body_;  // the node's new body, without inputs and outputs at first
  FreshNames names_;       // unused in the whole model, so that nothing in the body hides them
  std::string attribute_;
  Names inputs_;                                                          // of the candidate
  Names captured_;                                                        // by the old body
  Names placed_;                                                          // inputs of the candidate that have a role
  Names claimed_;                                                         // outputs of the candidate that have a role
  std::unordered_map<std::string, const onnx::ValueInfoProto*> outputs_;  // of the candidate
  onnx::TensorShapeProto::Dimension length_;                              // the number of steps, if it is known
  edit::ModelChange change_;
};

class ScanWrapping final : public Wrapping {
 public:
  using Wrapping::Wrapping;

 private:
  bool fit() override;
  void scan(const onnx::ValueInfoProto& inner, const std::string& outer, std::int64_t axis, std::int64_t backward,
            Scanned& scanned);
  // Scans inputs that a cut created and states that aren't carried any more.
  bool scan_new_inputs(int states, Scanned& scanned);
  void set_scan_attributes(const Scanned& scanned, const ScanParts& old);
  // Finds the number of steps, as far as it is known.
  void find_length(const std::string& tensor, std::int64_t axis);
  // If an input was a state that starts with a constant and isn't carried any more, gives the body that constant.
  bool keep_initial_value(const std::string& inner, int states);
};

class LoopWrapping final : public Wrapping {
 public:
  using Wrapping::Wrapping;

 private:
  bool fit() override;
  // Sets a number of iterations if the new body would let the Loop run forever.
  void keep_finite();
};

class IfWrapping final : public Wrapping {
 public:
  using Wrapping::Wrapping;

 private:
  bool fit() override;
  // Adds an output to the other branch that matches a new one of this branch. Its value doesn't matter.
  bool add_constant_output(onnx::GraphProto& graph, const onnx::ValueInfoProto& like);
};

}  // namespace assay::reduce
