// Prints a model's description as JSON for programs.
#pragma once

#include <string>

#include "inspect/model_description.h"

namespace assay::inspect {

inline constexpr std::size_t kMaxJsonValues = 1000;

// Returns one object, indented by 2:
//   {"name", "is_network": true for a network of TensorRT, "is_strongly_typed", "ir_version", "opsets":
//    {domain: version}, "producer", "doc", "metadata": {key: value}, "graph": GRAPH,
//    "functions": [{"name", "domain", "opsets", "attributes": their names, "body": GRAPH, "overload" if it has one;
//                   with attributes: "defaults": {name: as in NODE} if it has them}],
//    "unbounded_sizes": [{"tensor", "node"}]}
//   GRAPH: {"name", "doc", "inputs": [VALUE], "outputs": [VALUE], "initializer_count", "initializer_bytes",
//           "initializer_types": {"float32": {"count", "bytes"}}, "node_count", "operators": {"Conv": 12}, the most
//           frequent first, "body_operators": the same for the nodes in bodies, "initializers": [WEIGHT],
//           "nodes": [NODE]}
//   VALUE: {"name", "dtype": "float32" or null, "shape": [3, "n", -1] or null, "initializer": true if it is one}
//   WEIGHT: {"name", "dtype", "shape", "bytes", "stored" and "indices" if sparse, "values",
//            "missing": why there are no values}
//   NODE: {"name", "op", "domain", "inputs": [VALUE], "outputs": [VALUE], "overload" if it has one; with attributes:
//          "doc" and "metadata": {key: value} if it has them, "attributes": {name: a scalar, a list, WEIGHT or GRAPH}}
// Values of weights are flat lists in row-major order; those of more than kMaxJsonValues elements are
// {"first": [...], "count": N}. NaN and infinities are the strings "nan", "inf", "-inf"; complex numbers are pairs.
// Invalid UTF-8 in text is replaced. Lists that were not requested are left out.
std::string to_json(const ModelDescription& model, const DescribeOptions& options);

}  // namespace assay::inspect
