// The functions that libnvonnxparser.so.10 exports, as far as the fake has them.
#include <NvOnnxParser.h>

#include "parser.h"
#include "parser_refitter.h"

void* createNvOnnxParser_INTERNAL(void* network, void* logger, int) noexcept {
  if (network == nullptr || logger == nullptr) return nullptr;
  // The caller casts the pointer to IParser*.
  return static_cast<nvonnxparser::IParser*>(new fake_tensorrt::Parser(
      *static_cast<nvinfer1::INetworkDefinition*>(network), *static_cast<nvinfer1::ILogger*>(logger)));
}

void* createNvOnnxParserRefitter_INTERNAL(void* refitter, void* logger, int32_t) noexcept {
  if (refitter == nullptr || logger == nullptr) return nullptr;
  return static_cast<nvonnxparser::IParserRefitter*>(new fake_tensorrt::ParserRefitter(
      *static_cast<nvinfer1::IRefitter*>(refitter), *static_cast<nvinfer1::ILogger*>(logger)));
}
int getNvOnnxParserVersion() noexcept {
  return NV_ONNX_PARSER_VERSION;
}
