// One of ONNX's node tests: a model with a single operator, inputs, and the expected outputs.
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

// Reads a test as tests/support/make_backend_models.py writes it.
base::Expected<NodeCase> read_node_case(const std::filesystem::path& folder);

// Returns how an engine did: "ok"; "wrong"; "load", "build" or "run" if it refused; "crash", "hang" or "memory"; "-" if
// the test has inputs that aren't tensors, or has no tensor output.
std::string judge(worker::Pool& pool, const worker::EngineSpec& engine, const NodeCase& node_case);

}  // namespace assay::test
