// A worker of the parts of TensorRT's that need no headers. Loading a model only asks the library for a builder.
#include <unistd.h>

#include <memory>
#include <optional>

#include "backend/serve/serve.h"
#include "backend/tensorrt/cuda_driver.h"
#include "backend/tensorrt/library.h"
#include "backend/tensorrt/options.h"
#include "worker/child.h"

namespace assay::backend {
namespace {

constexpr int kMajor = 10;  // of the library that stands in

class FakeEngine final : public EngineAdapter {
 public:
  Answer<std::string> open(const std::string& path, const std::map<std::string, std::string>& options) override {
    ASSAY_ASSIGN(const TensorRtOptions parsed, parse_tensorrt_options(options, kMajor));
    ASSAY_TRY(CudaDriver::open(parsed.device));
    ASSAY_ASSIGN(library_, TensorRtLibrary::open(path, kMajor));
    return library_->version().text();
  }
  Answer<worker::SessionInfo> load(const worker::ModelSource& /*model*/) override {
    if (library_->create_builder(nullptr, library_->number()) == nullptr) {
      return refuse(worker::Phase::build, 0, "there is no builder");
    }
    return worker::SessionInfo{};
  }
  Answer<worker::InferResult> infer(const tensor::NamedTensors& /*feeds*/,
                                    const std::vector<std::string>& /*wanted*/) override {
    return worker::InferResult{};
  }
  void unload() override {}

 private:
  std::optional<TensorRtLibrary> library_;
};

}  // namespace
}  // namespace assay::backend

int main() {
  assay::backend::FakeEngine engine;
  ::_exit(assay::backend::serve(engine, assay::worker::kChannel));
}
