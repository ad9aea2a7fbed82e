// A library of plug-ins. It is built twice: as an old one, which registers its plug-in by itself, and as a new one,
// which exports a list of its plug-ins.
#include <NvInferRuntime.h>

namespace {

class Creator final : public nvinfer1::IPluginCreatorV3One {
 public:
  nvinfer1::IPluginV3* createPlugin(char const*, nvinfer1::PluginFieldCollection const*,
                                    nvinfer1::TensorRTPhase) noexcept override {
    return nullptr;
  }
  nvinfer1::PluginFieldCollection const* getFieldNames() noexcept override { return nullptr; }
  char const* getPluginName() const noexcept override { return "FakePlugin"; }
  char const* getPluginVersion() const noexcept override { return "1"; }
  char const* getPluginNamespace() const noexcept override { return ""; }
};

Creator creator;

#ifdef FAKE_PLUGIN_REGISTERS_ITSELF
[[maybe_unused]] const bool registered = getPluginRegistry()->registerCreator(creator, "");
#endif

}  // namespace

#ifndef FAKE_PLUGIN_REGISTERS_ITSELF
// TensorRT wants both functions of a library.
extern "C" __attribute__((visibility("default"))) void setLoggerFinder(nvinfer1::ILoggerFinder* /*finder*/) {}
extern "C" __attribute__((visibility("default"))) nvinfer1::IPluginCreatorInterface* const* getCreators(
    int32_t& count) {
  static nvinfer1::IPluginCreatorInterface* const creators[] = {&creator};
  count = 1;
  return creators;
}
#endif
