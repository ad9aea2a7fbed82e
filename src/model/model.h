// A model in memory: ONNX's own protobuf message, with its large weights left where they lie on disk.
//
// Loading never reads a large weight. A tensor of at least kByReference bytes keeps its name, type and shape in the
// message and is marked as ONNX external data (data_location, external_data: location, offset, length), whether it was
// external in the file or inline; an inline one refers to the model file itself and carries the key `kInlineKey`
// besides, so that saving can put it back where it was. So a model costs memory by its nodes, not by its weights,
// copying a Model copies no weights, and a candidate of the reducer is built in O(its nodes). Weights are read through
// model/weights.h, and only there.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/files.h"

namespace assay::model {

inline constexpr std::size_t kByReference = 1024;  // bytes

// external_data key of a tensor that was inline. Its value is the form in which it was. The location of such a tensor
// begins with '#': it is a key of Model::files, not a path.
inline constexpr const char* kInlineKey = "assay_inline";
inline constexpr const char* kInlineRaw = "1";  // raw_data
inline constexpr const char* kInlineFloats = "float_data";
inline constexpr const char* kInlineDoubles = "double_data";

// Files that external_data locations refer to. Keys are locations as the message has them. Opened once, shared by all
// copies of the model; a mapped file stays readable after it was replaced or removed.
using WeightFiles = std::map<std::string, std::shared_ptr<const base::MappedFile>>;

struct Model {
  onnx::ModelProto proto;
  std::filesystem::path path;         // the file it came from; empty for one made in memory
  std::filesystem::path data_folder;  // that locations of external data are relative to; empty for one made in memory
  std::shared_ptr<const WeightFiles> files = std::make_shared<const WeightFiles>();
  bool weights_ignored = false;  // --ignore-external-data: reading an external weight is refused

  [[nodiscard]] const onnx::GraphProto& graph() const { return proto.graph(); }
  [[nodiscard]] onnx::GraphProto& graph() { return *proto.mutable_graph(); }
};

// Version of the default operator set ("" or "ai.onnx") that the model imports; 0 where it imports none.
int default_opset(const onnx::ModelProto& model);

// "Conv 'conv_1' (node #3)": how messages name a node. Nodes without a name are named by their first output.
std::string describe_node(const onnx::NodeProto& node, int index);

}  // namespace assay::model
