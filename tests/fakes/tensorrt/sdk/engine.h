// The engine: what a plan says, through the runtime's interface.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "handle.h"
#include "infer_stubs.h"
#include "misbehave.h"
#include "plan.h"

namespace fake_tensorrt {

class Engine final : public nvinfer1::apiv::stubs::VCudaEngine {
 public:
  // The logger must outlive the engine's contexts. `runtime`: its users.
  Engine(Plan plan, nvinfer1::ILogger& logger, std::shared_ptr<int> runtime);
  ~Engine() override {
    if (users_.use_count() > 1) break_rule("an engine must outlive its contexts");
  }
  // The public object in front of this one, which contexts return. The creator sets it.
  void set_self(nvinfer1::ICudaEngine& self) { self_ = &self; }
  [[nodiscard]] nvinfer1::ICudaEngine& self() const { return *self_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] nvinfer1::ILogger& logger() const { return logger_; }
  // Returns the index of an input or output in the graph. Logs an error if there is none of this name.
  [[nodiscard]] std::optional<int> find_io(const char* name) const;

  int32_t getNbLayers() const noexcept override { return static_cast<int32_t>(plan_.graph.layers.size()); }
  char const* getName() const noexcept override { return plan_.graph.name.c_str(); }
  bool isRefittable() const noexcept override { return plan_.is_refittable; }
  // Replaces the elements of a constant layer. Contexts see the change.
  void refit(const std::map<std::string, std::vector<std::uint8_t>>& weights);
  nvinfer1::IHostMemory* serialize() const noexcept override;
  nvinfer1::IExecutionContext* createExecutionContext(
      nvinfer1::ExecutionContextAllocationStrategy strategy) noexcept override;
  nvinfer1::IEngineInspector* createEngineInspector() const noexcept override;
  nvinfer1::ProfilingVerbosity getProfilingVerbosity() const noexcept override { return plan_.verbosity; }

  int32_t getNbIOTensors() const noexcept override { return static_cast<int32_t>(io_.size()); }
  char const* getIOTensorName(int32_t index) const noexcept override;
  nvinfer1::TensorIOMode getTensorIOMode(char const* name) const noexcept override;
  nvinfer1::DataType getTensorDataType(char const* name) const noexcept override;
  nvinfer1::Dims getTensorShape(char const* name) const noexcept override;
  // Returns kHOST for tensors on whose values shapes depend.
  nvinfer1::TensorLocation getTensorLocation(char const* name) const noexcept override;
  bool isShapeInferenceIO(char const* name) const noexcept override;
  nvinfer1::TensorFormat getTensorFormat(char const* name) const noexcept override;
  nvinfer1::TensorFormat getTensorFormatV2(char const* name, int32_t) const noexcept override {
    return getTensorFormat(name);
  }
  char const* getTensorFormatDescV2(char const* name, int32_t) const noexcept override {
    return getTensorFormatDesc(name);
  }
  char const* getTensorFormatDesc(char const* name) const noexcept override {
    return getTensorFormat(name) == nvinfer1::TensorFormat::kLINEAR ? "Row-major linear format (kLINEAR)" : "Other";
  }
  int32_t getTensorVectorizedDim(char const*) const noexcept override { return -1; }
  int32_t getTensorComponentsPerElement(char const*) const noexcept override { return -1; }
  int32_t getTensorBytesPerComponent(char const*) const noexcept override { return -1; }
  bool isDebugTensor(char const* name) const noexcept override;

  int32_t getNbOptimizationProfiles() const noexcept override { return static_cast<int32_t>(plan_.profiles.size()); }
  nvinfer1::Dims getProfileShape(char const* name, int32_t profile,
                                 nvinfer1::OptProfileSelector select) const noexcept override;

#if NV_TENSORRT_MAJOR < 11
  // Null for values that were set with another number of bits.
  int32_t const* getProfileTensorValues(char const* name, int32_t profile,
                                        nvinfer1::OptProfileSelector select) const noexcept override;
#endif
#ifdef FAKE_HAS_VCudaEngine_getProfileTensorValuesV2
  int64_t const* getProfileTensorValuesV2(char const* name, int32_t profile,
                                          nvinfer1::OptProfileSelector select) const noexcept override;
#endif
#ifdef FAKE_HAS_VCudaEngine_getAliasedInputTensor
  char const* getAliasedInputTensor(char const* name) const noexcept override;
#endif

#ifdef FAKE_HAS_VCudaEngine_getEngineStat
  int64_t getEngineStat(nvinfer1::EngineStat stat) const noexcept override;
#endif
  int64_t getStreamableWeightsSize() const noexcept override { return plan_.streamable_weights; }
#if NV_TENSORRT_MAJOR < 11
  bool setWeightStreamingBudget(int64_t budget) noexcept override { return set_budget(budget); }
  int64_t getWeightStreamingBudget() const noexcept override { return budget_; }
  int64_t getMinimumWeightStreamingBudget() const noexcept override { return 0; }
#endif
#ifdef FAKE_HAS_VCudaEngine_setWeightStreamingBudgetV2
  bool setWeightStreamingBudgetV2(int64_t budget) noexcept override {
    crash_if_too_old("setWeightStreamingBudgetV2");
    return set_budget(budget);
  }
  int64_t getWeightStreamingBudgetV2() const noexcept override { return budget_; }
  int64_t getWeightStreamingAutomaticBudget() const noexcept override { return plan_.streamable_weights / 2; }
  int64_t getWeightStreamingScratchMemorySize() const noexcept override { return 0; }
  int64_t getDeviceMemorySizeV2() const noexcept override { return 0; }
  int64_t getDeviceMemorySizeForProfileV2(int32_t profile) const noexcept override {
    crash_if_too_old("getDeviceMemorySizeForProfileV2");
    return static_cast<int64_t>(memory_of_profile(profile));
  }
#endif
#if NV_TENSORRT_MAJOR < 11
  size_t getDeviceMemorySizeForProfile(int32_t profile) const noexcept override { return memory_of_profile(profile); }
#endif

 private:
  bool set_budget(std::int64_t budget);
  // Returns the memory that a run with the largest inputs of a profile needs.
  [[nodiscard]] std::size_t memory_of_profile(int32_t profile) const;

  Plan plan_;
  std::shared_ptr<int> runtime_;
  std::shared_ptr<int> users_ = std::make_shared<int>();  // contexts, and this engine
  bool is_refitted_ = false;
  nvinfer1::ILogger& logger_;
  nvinfer1::ICudaEngine* self_ = nullptr;
  std::vector<int> io_;  // inputs, then outputs
  std::int64_t budget_;
  std::vector<bool> are_shapes_;  // by tensor
#if NV_TENSORRT_MAJOR < 11
  mutable std::deque<std::vector<std::int32_t>> narrow_{};  // what getProfileTensorValues() has returned
#endif
};

}  // namespace fake_tensorrt
