// The execution context: shapes, addresses and runs. Device memory is host memory, as in the fake of CUDA, so that the
// context reads and writes it directly. A run is complete when enqueueV3 returns.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute.h"
#include "engine.h"
#include "infer_stubs.h"
#include "known.h"
#include "misbehave.h"

namespace fake_tensorrt {

class Context final : public nvinfer1::apiv::stubs::VExecutionContext {
 public:
  // `users`: those of the engine.
  Context(Engine& engine, nvinfer1::ExecutionContextAllocationStrategy strategy, std::shared_ptr<int> users);

  // Returns the shapes of all tensors, as far as they follow from the inputs.
  [[nodiscard]] std::vector<nvinfer1::Dims> shapes() const;
  nvinfer1::ICudaEngine const& getEngine() const noexcept override { return engine_.self(); }
  void setName(char const* name) noexcept override { name_ = name; }
  char const* getName() const noexcept override { return name_.c_str(); }

  bool setOptimizationProfileAsync(int32_t profile, cudaStream_t stream) noexcept override;
  int32_t getOptimizationProfile() const noexcept override { return profile_; }
  bool setInputShape(char const* name, nvinfer1::Dims const& dims) noexcept override;
  nvinfer1::Dims getTensorShape(char const* name) const noexcept override;
  nvinfer1::Dims getTensorStrides(char const* name) const noexcept override;
  int32_t inferShapes(int32_t max_names, char const** names) noexcept override;
  bool allInputDimensionsSpecified() const noexcept override;
#if NV_TENSORRT_MAJOR < 11
  bool allInputShapesSpecified() const noexcept override { return true; }  // deprecated; nothing uses it
#endif
  int64_t getMaxOutputSize(char const* name) const noexcept override;

  bool setTensorAddress(char const* name, void* data) noexcept override;
  void const* getTensorAddress(char const* name) const noexcept override;
  bool setInputTensorAddress(char const* name, void const* data) noexcept override;
  bool setOutputTensorAddress(char const* name, void* data) noexcept override;
  void* getOutputTensorAddress(char const* name) const noexcept override;
  bool setOutputAllocator(char const* name, nvinfer1::IOutputAllocator* allocator) noexcept override;
  nvinfer1::IOutputAllocator* getOutputAllocator(char const* name) noexcept override;

  // Returns the size of all tensors that aren't inputs or outputs. With kUSER_MANAGED, the caller has to set such
  // memory.
  size_t updateDeviceMemorySizeForShapes() noexcept override;
  void setDeviceMemory(void* memory) noexcept override { device_memory_ = memory; }
#ifdef FAKE_HAS_VExecutionContext_setDeviceMemoryV2
  void setDeviceMemoryV2(void* memory, int64_t size) noexcept override {
    crash_if_too_old("setDeviceMemoryV2");
    device_memory_ = memory;
    device_memory_bytes_ = size;
  }
#endif

  bool setNvtxVerbosity(nvinfer1::ProfilingVerbosity verbosity) noexcept override {
    markers_ = verbosity;
    return true;
  }
  nvinfer1::ProfilingVerbosity getNvtxVerbosity() const noexcept override { return markers_; }

  bool setDebugListener(nvinfer1::IDebugListener* listener) noexcept override;
  nvinfer1::IDebugListener* getDebugListener() noexcept override { return listener_; }
  bool setTensorDebugState(char const* name, bool flag) noexcept override;
  bool getDebugState(char const* name) const noexcept override;
  bool setAllTensorsDebugState(bool flag) noexcept override;
#ifdef FAKE_HAS_VExecutionContext_setUnfusedTensorsDebugState
  bool setUnfusedTensorsDebugState(bool flag) noexcept override;
  bool getUnfusedTensorsDebugState() const noexcept override { return reports_unfused_; }
#endif

  bool enqueueV3(cudaStream_t stream) noexcept override;

 private:
  bool fail(const std::string& function, const std::string& error) const;
  // Returns what is known with these shapes of the inputs, and the values of shape tensors that are set.
  [[nodiscard]] Known known_with(std::vector<nvinfer1::Dims> inputs) const;
  [[nodiscard]] bool infer(Known& known) const;
  [[nodiscard]] std::string wrong_address(int tensor) const;
  // Returns why a tensor can't be at this address, or an empty string.
  [[nodiscard]] std::string wrong_place(int tensor, const void* address) const;
  [[nodiscard]] std::string wrong_values(int input) const;
  [[nodiscard]] std::size_t device_memory_size() const;
  // Returns the shape of a tensor as the caller learns it.
  [[nodiscard]] nvinfer1::Dims told(int tensor, nvinfer1::Dims dims) const;
  [[nodiscard]] std::string what_is_missing() const;
  [[nodiscard]] Value read_input(int tensor) const;
  bool write_output(int tensor, const Value& value, cudaStream_t stream);
  bool report(int tensor, const Value& value, cudaStream_t stream);
  bool run(cudaStream_t stream);

  Engine& engine_;
  std::shared_ptr<int> users_;
  const Graph& graph_;
  nvinfer1::ExecutionContextAllocationStrategy strategy_;
  void* device_memory_ = nullptr;
  std::optional<int64_t> device_memory_bytes_;  // what setDeviceMemoryV2 told; the older function doesn't
  std::string name_;
  int32_t profile_ = 0;
  std::vector<nvinfer1::Dims> shapes_;  // by tensor; only those of inputs are used
  std::vector<bool> are_shapes_;        // by tensor
  std::map<int, void*> addresses_;
  std::map<int, nvinfer1::IOutputAllocator*> allocators_;
  nvinfer1::ProfilingVerbosity markers_;
  nvinfer1::IDebugListener* listener_ = nullptr;
  std::map<int, bool> debug_states_;
  bool reports_unfused_ = false;
};

}  // namespace fake_tensorrt
