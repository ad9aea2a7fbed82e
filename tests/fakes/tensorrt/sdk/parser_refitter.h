// Reads the weights of an ONNX model and sets them in a refitter.
#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "onnx_model.h"
#include "parser.h"
#include "parser_stubs.h"

namespace fake_tensorrt {

class ParserRefitter final : public nvonnxparser::stubs::IParserRefitter {
 public:
  ParserRefitter(nvinfer1::IRefitter& refitter, nvinfer1::ILogger& logger) : refitter_(refitter), logger_(logger) {}

  bool refitFromBytes(void const* model, size_t size, char const* path) noexcept override;
  bool refitFromFile(char const* path) noexcept override;
  int32_t getNbErrors() const noexcept override { return static_cast<int32_t>(errors_.size()); }
  nvonnxparser::IParserError const* getError(int32_t index) const noexcept override;
  void clearErrors() override { errors_.clear(); }

 private:
  bool fail(nvonnxparser::ErrorCode code, const std::string& text);
  bool set_weights(const OnnxTensor& tensor, const std::filesystem::path& folder);

  nvinfer1::IRefitter& refitter_;
  nvinfer1::ILogger& logger_;
  std::deque<std::string> weights_;  // the refitter refers to them
  std::deque<ParserError> errors_;
};

}  // namespace fake_tensorrt
