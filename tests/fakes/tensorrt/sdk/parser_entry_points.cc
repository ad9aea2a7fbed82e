// The functions that libnvonnxparser.so.10 exports, as far as the fake has them.
#include <NvOnnxParser.h>

#include "parser.h"

void* createNvOnnxParser_INTERNAL(void* network, void* logger, int) noexcept {
  if (network == nullptr || logger == nullptr) return nullptr;
  // The caller casts the pointer to IParser*.
  return static_cast<nvonnxparser::IParser*>(new fake_tensorrt::Parser(
      *static_cast<nvinfer1::INetworkDefinition*>(network), *static_cast<nvinfer1::ILogger*>(logger)));
}

void* createNvOnnxParserRefitter_INTERNAL(void*, void*, int32_t) noexcept {
  return nullptr;
}
int getNvOnnxParserVersion() noexcept {
  return NV_ONNX_PARSER_VERSION;
}
