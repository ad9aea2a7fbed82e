// A body, ready to take its node's place: what replace_if_by_branch, unroll_loop, open_scan and inline_functions share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/model_change.h"
#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {

struct OpenedBody {
  std::vector<onnx::NodeProto> nodes;
  std::vector<onnx::TensorProto> initializers;
  [[nodiscard]] bool reads(const std::string& tensor) const;
};

// The nodes of the body with its inputs bound to `inputs` (names of the graph around it) and its outputs called
// `outputs` ("": nobody wants it). All else that the body defines gets names that are free; tensors that it captures
// keep theirs. An output that the body does not make itself (an outer tensor, an input, an initializer), or that is an
// output twice, is made by an Identity. Nothing where the body has sparse initializers, or the numbers do not fit.
//
// A body that stands in the model keeps its names where nobody else has them; one that does not, gets new ones.
enum class BodyIs { in_model, made_up };
std::optional<OpenedBody> open_body(const onnx::GraphProto& body, const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs, FreshNames& names,
                                    BodyIs where = BodyIs::in_model);

// The change that puts it in its node's place.
edit::ModelChange put_in_place(const Place& place, const onnx::NodeProto& node, OpenedBody body, std::string what);

// A node that gives a tensor one more dimension, of size 1, at `axis`. `opset` is that of the model: the axis is an
// attribute before 13, and a constant, which is added to the body, from then on.
void add_unsqueeze(OpenedBody& body, const std::string& from, const std::string& to, std::int64_t axis, int opset,
                   FreshNames& names);

}  // namespace assay::reduce
