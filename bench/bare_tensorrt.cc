// The bare program that `assay run --trt` is compared with: builds an engine from a model and runs it once, with
// TensorRT's own interface and the settings that Assay has by default. Prints the seconds from opening the library to
// the last output.
//
//   assay_bench_tensorrt LIBRARY MODEL      LIBRARY: libnvinfer.so.10; dynamic dimensions are 1
#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
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

// Ends the program unless a call succeeded. TensorRT's logger, too, may have said why it failed.
void need(bool succeeded, const char* call) {
  if (succeeded) return;
  fmt::print(stderr, "{} failed\n", call);
  std::exit(1);
}

template <class T>
T value_of(Answer<T> answer) {
  if (!answer) fmt::print(stderr, "{}\n", answer.error().failed.message);
  need(answer.has_value(), "the start");
  return *std::move(answer);
}

template <class T>
std::unique_ptr<T> made(void* object, const char* call) {
  need(object != nullptr, call);
  return std::unique_ptr<T>(static_cast<T*>(object));
}

Dims closed(Dims dims) {
  for (int i = 0; i < dims.nbDims; ++i) dims.d[i] = dims.d[i] < 0 ? 1 : dims.d[i];
  return dims;
}

std::unique_ptr<IHostMemory> build(const TensorRtLibrary& library, Logger& logger, const char* model) {
  const auto builder = made<IBuilder>(library.create_builder(&logger, library.number()), "createInferBuilder");
  const auto network = made<INetworkDefinition>(builder->createNetworkV2(0), "createNetworkV2");
  const auto create_parser = value_of(library.open_parser());
  const auto parser =
      made<nvonnxparser::IParser>(create_parser(network.get(), &logger, NV_ONNX_PARSER_VERSION), "createParser");
  need(parser->parseFromFile(model, 0), "parseFromFile");
  const auto config = made<IBuilderConfig>(builder->createBuilderConfig(), "createBuilderConfig");
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
  need(config->addOptimizationProfile(profile) >= 0, "addOptimizationProfile");
  return made<IHostMemory>(builder->buildSerializedNetwork(*network, *config), "buildSerializedNetwork");
}

std::size_t element_size(DataType type) {
  switch (type) {
    case DataType::kINT64:
      return 8;
    case DataType::kFLOAT:
    case DataType::kINT32:
      return 4;
    case DataType::kHALF:
    case DataType::kBF16:
      return 2;
    default:
      return 1;  // those of 4 bits need less
  }
}

// An input or output. TensorRT wants some tensors in the memory of the host, such as those that hold shapes.
struct IoTensor {
  const char* name;
  bool is_input;
  std::vector<std::byte> bytes;
  cuda::Pointer on_gpu = 0;  // 0: it is in `bytes`
};

// Feeds ones, or the smallest positive numbers, and copies all outputs back.
void run(const CudaDriver& driver, ICudaEngine& engine) {
  const auto context = made<IExecutionContext>(engine.createExecutionContext(), "createExecutionContext");
  const cuda::Functions& api = driver.api();
  const auto check = [&](cuda::Result code, const char* action) {
    const auto checked = driver.check(code, assay::worker::Phase::run, action);
    if (!checked) fmt::print(stderr, "{}\n", checked.error().failed.message);
    need(checked.has_value(), "the run");
  };
  cuda::Stream stream = nullptr;
  check(api.cuStreamCreate(&stream, 1), "make a stream");
  std::vector<IoTensor> tensors;
  for (const bool is_input : {true, false}) {  // the shapes of outputs depend on those of all inputs
    for (int i = 0; i < engine.getNbIOTensors(); ++i) {
      const char* name = engine.getIOTensorName(i);
      if ((engine.getTensorIOMode(name) == TensorIOMode::kINPUT) != is_input) continue;
      if (is_input) need(context->setInputShape(name, closed(engine.getTensorShape(name))), "setInputShape");
      const Dims dims = closed(context->getTensorShape(name));
      const std::size_t element = element_size(engine.getTensorDataType(name));
      std::size_t size = element;
      for (int axis = 0; axis < dims.nbDims; ++axis) size *= static_cast<std::size_t>(dims.d[axis]);
      IoTensor& tensor =
          tensors.emplace_back(IoTensor{name, is_input, std::vector<std::byte>(std::max(size, element))});
      for (std::size_t at = 0; at < tensor.bytes.size(); at += element) tensor.bytes[at] = std::byte{1};
      void* address = tensor.bytes.data();
      if (engine.getTensorLocation(name) == TensorLocation::kDEVICE) {
        check(api.cuMemAlloc_v2(&tensor.on_gpu, tensor.bytes.size()), "allocate memory");
        address = reinterpret_cast<void*>(tensor.on_gpu);  // NOLINT
        if (is_input) {
          check(api.cuMemcpyHtoDAsync_v2(tensor.on_gpu, tensor.bytes.data(), tensor.bytes.size(), stream),
                "copy an input");
        }
      }
      need(context->setTensorAddress(name, address), "setTensorAddress");
    }
  }
  need(context->enqueueV3(stream), "enqueueV3");
  for (IoTensor& tensor : tensors) {
    if (tensor.is_input || tensor.on_gpu == 0) continue;
    check(api.cuMemcpyDtoHAsync_v2(tensor.bytes.data(), tensor.on_gpu, tensor.bytes.size(), stream), "copy an output");
  }
  check(api.cuStreamSynchronize(stream), "run the engine");
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
  const auto runtime = made<IRuntime>(library.create_runtime(&logger, library.number()), "createInferRuntime");
  const auto engine =
      made<ICudaEngine>(runtime->deserializeCudaEngine(plan->data(), plan->size()), "deserializeCudaEngine");
  run(driver, *engine);
  fmt::print("{}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}
