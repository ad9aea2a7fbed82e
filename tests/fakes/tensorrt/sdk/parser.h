// The ONNX parser. It adds Identity, Relu, Add, NonZero and constants through the public interface of the network, like
// the real one, and the operators of operators/ through the fake's own. It reports every other node as unsupported.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "onnx_model.h"
#include "parser_stubs.h"

namespace fake_tensorrt {

class ParserError final : public nvonnxparser::stubs::IParserError {
 public:
  // `node` is -1 if the error isn't about a node.
  ParserError(nvonnxparser::ErrorCode code, std::string text, int node, const OnnxNode& about);
  nvonnxparser::ErrorCode code() const override { return code_; }
  char const* desc() const override { return text_.c_str(); }
  char const* file() const override { return "fake_parser.cc"; }
  int line() const override { return 1; }
  char const* func() const override { return "parse"; }
  int node() const override { return node_; }
  char const* nodeName() const override { return name_.c_str(); }
  char const* nodeOperator() const override { return op_type_.c_str(); }
  char const* const* localFunctionStack() const override { return nullptr; }
  int32_t localFunctionStackSize() const override { return 0; }

 private:
  nvonnxparser::ErrorCode code_;
  std::string text_;
  int node_;
  std::string name_;
  std::string op_type_;
};

class Parser final : public nvonnxparser::stubs::IParser {
 public:
  Parser(nvinfer1::INetworkDefinition& network, nvinfer1::ILogger& logger) : network_(network), logger_(logger) {}

  bool parse(void const* model, size_t size, char const* path) noexcept override;
  bool parseFromFile(char const* path, int verbosity) noexcept override;
  bool supportsOperator(char const* name) const noexcept override;
  bool supportsModelV2(void const* model, size_t size, char const* path) noexcept override;
  int64_t getNbSubgraphs() noexcept override { return static_cast<int64_t>(groups_.size()); }
  bool isSubgraphSupported(int64_t const index) noexcept override { return groups_.at(index).supported; }
  int64_t* getSubgraphNodes(int64_t const index, int64_t& length) noexcept override;
  int getNbErrors() const noexcept override { return static_cast<int>(errors_.size()); }
  nvonnxparser::IParserError const* getError(int index) const noexcept override;
  void clearErrors() noexcept override { errors_.clear(); }
  char const* const* getUsedVCPluginLibraries(int64_t& count) const noexcept override;
  void setFlags(nvonnxparser::OnnxParserFlags flags) noexcept override { flags_ = flags; }
  nvonnxparser::OnnxParserFlags getFlags() const noexcept override { return flags_; }
  void setFlag(nvonnxparser::OnnxParserFlag flag) noexcept override;
  void clearFlag(nvonnxparser::OnnxParserFlag flag) noexcept override;
  bool getFlag(nvonnxparser::OnnxParserFlag flag) const noexcept override;
#ifdef FAKE_HAS_IParser_setBuilderConfig
  bool setBuilderConfig(const nvinfer1::IBuilderConfig* const config) noexcept override;
#endif

 private:
  // Nodes that follow each other.
  struct Group {
    std::vector<int64_t> nodes;
    bool supported = false;
  };

  bool fail(nvonnxparser::ErrorCode code, const std::string& text, int node = -1, const OnnxNode& about = {});
  bool check_operators();
  bool add_inputs();
  bool add_node(int index);
  // Asks whether the DLA can run the layers from `first` on, which the node has added.
  bool check_dla(int index, int first);
  nvinfer1::ILayer* add_operator(const OnnxNode& node, const std::vector<nvinfer1::ITensor*>& inputs);
  nvinfer1::ILayer* add_layer(const OnnxNode& node, const std::vector<nvinfer1::ITensor*>& inputs);
  // Returns a tensor that is known so far. Adds a constant layer if it is an initializer; null if there is none.
  nvinfer1::ITensor* find(const std::string& name);
  nvinfer1::ITensor* add_constant(const OnnxTensor& tensor);
  bool mark_outputs();

  nvinfer1::INetworkDefinition& network_;
  nvinfer1::ILogger& logger_;
  const nvinfer1::IBuilderConfig* config_ = nullptr;  // for questions about the DLA
  OnnxModel model_;
  std::filesystem::path folder_;  // of the model, for external data
  std::map<std::string, nvinfer1::ITensor*> tensors_;
  std::deque<std::string> weights_;  // of constants; the network refers to them until it is built
  std::deque<ParserError> errors_;
  std::vector<Group> groups_;  // of supportsModelV2()
  nvonnxparser::OnnxParserFlags flags_ = 1U
                                         << static_cast<unsigned>(nvonnxparser::OnnxParserFlag::kNATIVE_INSTANCENORM);
};

}  // namespace fake_tensorrt
