// One node test of ONNX: a model of a single operator, inputs, and the outputs that are expected.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::test {

struct NodeCase {
  struct DataSet {
    tensor::NamedTensors inputs;
    tensor::NamedTensors outputs;
  };
  std::string name;
  std::filesystem::path model;
  std::vector<DataSet> data_sets;
  double relative = 0;  // tolerances
  double absolute = 0;
};

// As tests/support/make_backend_models.py writes it.
base::Expected<NodeCase> read_node_case(const std::filesystem::path& folder);

// How an engine did: "ok"; "wrong"; "load", "build" or "run", where it refused; "crash", "hang" or "memory"; "-" where
// the test has inputs that are no tensors, or no output that is one.
std::string judge(worker::Pool& pool, const worker::EngineSpec& engine, const NodeCase& node_case);

}  // namespace assay::test
