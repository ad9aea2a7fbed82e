// A model in memory: ONNX's own protobuf message, with its large weights left on disk.
//
// Loading doesn't read large weights. A tensor of at least kByReference bytes keeps its name, type and shape in the
// message and is marked as ONNX external data (data_location, external_data: location, offset, length), whether it was
// external in the file or inline in raw_data, float_data or double_data. Values in other lists, which exporters use for
// small tensors, stay in the message. We call the marked tensors "weights by reference". One that was inline refers to
// the model file itself and also carries the key `kInlineKey`, so that saving can put it back where it was. So a
// model's memory grows with its nodes, not its weights, copying a Model copies no weights, and building a candidate of
// the reducer costs O(its nodes). Weights are read through model/weights.h only.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/mapped_file.h"

namespace assay::model {

inline constexpr std::size_t kByReference = 1024;  // bytes

// external_data key of a tensor that was inline; its value names the field that held the data. The location of such a
// tensor begins with '#': it is a key of Model::files, not a path.
inline constexpr const char* kInlineKey = "assay_inline";
inline constexpr const char* kInlineRaw = "1";  // raw_data
inline constexpr const char* kInlineFloats = "float_data";
inline constexpr const char* kInlineDoubles = "double_data";

// The files that external_data locations refer to, keyed by the location as the message has it. Each is opened once and
// shared by all copies of the model. A mapped file stays readable after it is replaced or removed on disk.
using WeightFiles = std::map<std::string, std::shared_ptr<const base::MappedFile>>;

struct Model {
  onnx::ModelProto proto;
  std::filesystem::path path;         // the file it came from; empty if built in memory
  std::filesystem::path data_folder;  // base of external data locations; empty if built in memory
  std::shared_ptr<const WeightFiles> files = std::make_shared<const WeightFiles>();
  bool weights_ignored = false;  // --ignore-external-data: reading an external weight is an error

  [[nodiscard]] const onnx::GraphProto& graph() const { return proto.graph(); }
  [[nodiscard]] onnx::GraphProto& graph() { return *proto.mutable_graph(); }
};

// Returns a model with an empty message, in which weights of `model` can be used.
Model without_message(const Model& model);

// Returns the version of the default operator set ("" or "ai.onnx") that the model imports, or 0 if it imports none.
int default_opset(const onnx::ModelProto& model);

// Describe a node in messages: "Conv 'conv_1'", or with its number "Conv 'conv_1' (node #3)". A node without a name is
// named by its first output that has one.
std::string describe_node(const onnx::NodeProto& node);
std::string describe_node(const onnx::NodeProto& node, int index);

}  // namespace assay::model
