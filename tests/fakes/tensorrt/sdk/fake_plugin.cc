// A library of plug-ins. It is built three times: as an old one, which registers its plug-in by itself, as a new one,
// which exports a list of its plug-ins, and like NVIDIA's own, which has a function that registers them, but registers
// some by itself. (On opening, libnvinfer_plugin.so of TensorRT 10.15 registers 28 of 77.)
#include <NvInferRuntime.h>

namespace {

class Creator final : public nvinfer1::IPluginCreatorV3One {
 public:
  explicit Creator(char const* name) : name_(name) {}
  nvinfer1::IPluginV3* createPlugin(char const*, nvinfer1::PluginFieldCollection const*,
                                    nvinfer1::TensorRTPhase) noexcept override {
    return nullptr;
  }
  nvinfer1::PluginFieldCollection const* getFieldNames() noexcept override { return nullptr; }
  char const* getPluginName() const noexcept override { return name_; }
  char const* getPluginVersion() const noexcept override { return "1"; }
  char const* getPluginNamespace() const noexcept override { return ""; }

 private:
  char const* name_;
};

Creator creator("FakePlugin");

#ifdef FAKE_PLUGIN_REGISTERS_ITSELF
[[maybe_unused]] const bool registered = getPluginRegistry()->registerCreator(creator, "");
#elif defined(FAKE_PLUGIN_IS_NVIDIAS)
Creator other("OtherPlugin");
[[maybe_unused]] const bool registered = getPluginRegistry()->registerCreator(other, "");
#endif

}  // namespace

#ifdef FAKE_PLUGIN_IS_NVIDIAS
extern "C" __attribute__((visibility("default"))) bool initLibNvInferPlugins(void* logger, char const* space) {
  if (getPluginRegistry()->registerCreator(creator, space)) return true;
  const char* error = "Could not register plugin creator - FakePlugin version 1";
  if (logger != nullptr) static_cast<nvinfer1::ILogger*>(logger)->log(nvinfer1::ILogger::Severity::kERROR, error);
  return false;
}
#elif !defined(FAKE_PLUGIN_REGISTERS_ITSELF)
// TensorRT wants both functions of a library.
extern "C" __attribute__((visibility("default"))) void setLoggerFinder(nvinfer1::ILoggerFinder* /*finder*/) {}
extern "C" __attribute__((visibility("default"))) nvinfer1::IPluginCreatorInterface* const* getCreators(
    int32_t& count) {
  static nvinfer1::IPluginCreatorInterface* const creators[] = {&creator};
  count = 1;
  return creators;
}
#endif
