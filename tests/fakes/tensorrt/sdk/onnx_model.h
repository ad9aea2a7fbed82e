// Reads the parts of an ONNX model that the fake parser uses, straight from protobuf's wire format. The parser doesn't
// link protobuf, because two copies of ONNX's generated code in one process abort when they register themselves, and
// the worker that loads the parser may have the other one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fake_tensorrt {

struct OnnxValueInfo {
  std::string name;
  int type = 0;                    // TensorProto.DataType
  std::vector<std::int64_t> dims;  // -1 if dynamic
};

struct OnnxTensor {
  std::string name;
  int type = 0;  // TensorProto.DataType
  std::vector<std::int64_t> dims;
  std::string bytes;     // the elements
  std::string location;  // of external data, relative to the model's folder; empty if there is none
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // 0: to the end of the file
};

struct OnnxNode {
  std::string name;
  std::string domain;
  std::string op_type;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, std::vector<double>> attributes;  // those that are numbers
  std::string auto_pad = "NOTSET";
  std::optional<OnnxTensor> value;  // an attribute that is a tensor
};

struct OnnxModel {
  std::int64_t opset = 0;  // of ONNX's own operators
  std::string graph_name;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxValueInfo> inputs;  // without those that are initializers
  std::vector<std::string> outputs;
  std::vector<OnnxTensor> initializers;
};

// Returns nothing if the bytes are damaged or have no graph.
[[nodiscard]] std::optional<OnnxModel> read_onnx_model(std::string_view bytes);

}  // namespace fake_tensorrt
