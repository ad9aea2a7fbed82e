// Opens a body, so that its nodes can replace its node. Shared by replace_if_by_branch, unroll_loop, open_scan and
// inline_functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/changes/model_change.h"
#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {

struct OpenedBody {
  std::vector<onnx::NodeProto> nodes;
  std::vector<onnx::TensorProto> initializers;
  [[nodiscard]] bool reads(const std::string& tensor) const;
};

// Returns the nodes of the body with its inputs bound to `inputs` (names in the enclosing graph) and its outputs
// renamed to `outputs` ("" for an unused one). Everything else that the body defines gets unused names; captured
// tensors keep their names. An output that the body doesn't compute itself (an outer tensor, an input, an initializer),
// or that occurs twice, is produced by an Identity. Returns nothing if the body has sparse initializers, or the numbers
// of inputs or outputs don't match.
//
// A body that is part of the model keeps those names that nothing else uses; one that isn't gets new ones.
enum class BodyIs { in_model, made_up };
std::optional<OpenedBody> open_body(const onnx::GraphProto& body, const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs, FreshNames& names,
                                    BodyIs where = BodyIs::in_model);

// Returns the change that replaces the node by its opened body.
edit::ModelChange put_in_place(const Place& place, const onnx::NodeProto& node, OpenedBody body, std::string what);

// Adds a node that inserts a dimension of size 1 at `axis`. `opset` is that of the model: before 13 the axis is an
// attribute, from 13 on a constant, which is added to the body as well.
void add_unsqueeze(OpenedBody& body, const std::string& from, const std::string& to, std::int64_t axis, int opset,
                   FreshNames& names);

}  // namespace assay::reduce
