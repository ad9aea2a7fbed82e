// The bare program that `assay run --trt` is compared with: builds an engine from a model and runs it once, with
// TensorRT's own interface and the settings that Assay has by default. Prints the seconds from opening the library to
// the last output.
//
//   assay_bench_tensorrt LIBRARY MODEL      LIBRARY: libnvinfer.so.10; dynamic dimensions are 1
#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "backend/tensorrt/cuda_driver.h"
#include "backend/tensorrt/library.h"

namespace {

using namespace assay::backend;
using namespace nvinfer1;

class Logger final : public ILogger {
 public:
  void log(Severity severity, char const* message) noexcept override {
    if (severity <= Severity::kERROR) fmt::print(stderr, "{}\n", message);
  }
};

template <class T>
T value_of(Answer<T> answer) {
  if (answer) return *std::move(answer);
  fmt::print(stderr, "{}\n", answer.error().failed.message);
  std::exit(1);
}

template <class T>
std::unique_ptr<T> made(void* object) {
  if (object == nullptr) std::exit(1);  // the logger has said why
  return std::unique_ptr<T>(static_cast<T*>(object));
}

Dims closed(Dims dims) {
  for (int i = 0; i < dims.nbDims; ++i) dims.d[i] = dims.d[i] < 0 ? 1 : dims.d[i];
  return dims;
}

std::unique_ptr<IHostMemory> build(const TensorRtLibrary& library, Logger& logger, const char* model) {
  const auto builder = made<IBuilder>(library.create_builder(&logger, library.number()));
  const auto network = made<INetworkDefinition>(builder->createNetworkV2(0));
  const auto create_parser = value_of(library.open_parser());
  const auto parser = made<nvonnxparser::IParser>(create_parser(network.get(), &logger, NV_ONNX_PARSER_VERSION));
  if (!parser->parseFromFile(model, 0)) std::exit(1);
  const auto config = made<IBuilderConfig>(builder->createBuilderConfig());
  config->clearFlag(BuilderFlag::kTF32);
  config->setProfilingVerbosity(ProfilingVerbosity::kDETAILED);
  IOptimizationProfile* profile = builder->createOptimizationProfile();
  for (int i = 0; i < network->getNbInputs(); ++i) {
    const ITensor& input = *network->getInput(i);
    const Dims dims = closed(input.getDimensions());
    for (const auto select : {OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX}) {
      profile->setDimensions(input.getName(), select, dims);
    }
  }
  if (config->addOptimizationProfile(profile) < 0) std::exit(1);
  return made<IHostMemory>(builder->buildSerializedNetwork(*network, *config));
}

// Feeds ones, and copies all outputs back.
void run(const CudaDriver& driver, ICudaEngine& engine) {
  const auto context = made<IExecutionContext>(engine.createExecutionContext());
  const cuda::Functions& api = driver.api();
  const auto check = [&](cuda::Result code) {
    if (code != 0) std::exit(1);
  };
  cuda::Stream stream = nullptr;
  check(api.cuStreamCreate(&stream, 1));
  struct Output {
    cuda::Pointer memory;
    std::vector<std::byte> bytes;
  };
  std::vector<Output> outputs;
  for (int i = 0; i < engine.getNbIOTensors(); ++i) {
    const char* name = engine.getIOTensorName(i);
    const bool is_input = engine.getTensorIOMode(name) == TensorIOMode::kINPUT;
    if (is_input && !context->setInputShape(name, closed(engine.getTensorShape(name)))) std::exit(1);
    const Dims dims = closed(context->getTensorShape(name));
    std::size_t size = static_cast<std::size_t>(engine.getTensorBytesPerComponent(name));
    for (int axis = 0; axis < dims.nbDims; ++axis) size *= static_cast<std::size_t>(dims.d[axis]);
    cuda::Pointer memory = 0;
    check(api.cuMemAlloc_v2(&memory, size));
    if (!context->setTensorAddress(name, reinterpret_cast<void*>(memory))) std::exit(1);  // NOLINT
    std::vector<std::byte> bytes(size, std::byte{1});
    if (is_input) {
      check(api.cuMemcpyHtoDAsync_v2(memory, bytes.data(), size, stream));
      check(api.cuStreamSynchronize(stream));
    } else {
      outputs.push_back({memory, std::move(bytes)});
    }
  }
  if (!context->enqueueV3(stream)) std::exit(1);
  for (Output& output : outputs) {
    check(api.cuMemcpyDtoHAsync_v2(output.bytes.data(), output.memory, output.bytes.size(), stream));
  }
  check(api.cuStreamSynchronize(stream));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: assay_bench_tensorrt LIBRARY MODEL\n");
    return 2;
  }
  Logger logger;
  const auto start = std::chrono::steady_clock::now();
  const CudaDriver driver = value_of(CudaDriver::open(0));
  const TensorRtLibrary library = value_of(TensorRtLibrary::open(argv[1], NV_TENSORRT_MAJOR));
  const std::unique_ptr<IHostMemory> plan = build(library, logger, argv[2]);
  const auto runtime = made<IRuntime>(library.create_runtime(&logger, library.number()));
  const auto engine = made<ICudaEngine>(runtime->deserializeCudaEngine(plan->data(), plan->size()));
  run(driver, *engine);
  fmt::print("{}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}
