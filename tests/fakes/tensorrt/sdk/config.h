// The builder's configuration, which TensorRT 11 has without calibration, tactics and quantization flags. It remembers
// what it was told and writes it into the plan; only profiles, the timing cache, the calibrator, the algorithm selector
// and a few flags change what the builder does.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "infer_stubs.h"
#include "misbehave.h"
#include "plan.h"
#include "timing_cache.h"

namespace fake_tensorrt {

class Config final : public nvinfer1::apiv::stubs::VBuilderConfig {
 public:
  // `builder` lives as long as the builder.
  Config(nvinfer1::ILogger& logger, const std::shared_ptr<int>& builder) : logger_(logger), builder_(builder) {}
  ~Config() override {
    if (builder_.expired()) break_rule("a configuration must be destroyed before its builder");
  }
  [[nodiscard]] const std::vector<ProfileRow>& profiles() const { return profiles_; }
  [[nodiscard]] bool has(nvinfer1::BuilderFlag flag) const { return (flags_ >> static_cast<unsigned>(flag) & 1U) != 0; }
  [[nodiscard]] TimingCache* timing_cache() const;  // null if none was set
  [[nodiscard]] std::string settings() const;       // JSON

  void setFlags(nvinfer1::BuilderFlags flags) noexcept override { flags_ = flags; }
  nvinfer1::BuilderFlags getFlags() const noexcept override { return flags_; }
  void setFlag(nvinfer1::BuilderFlag flag) noexcept override;
  void clearFlag(nvinfer1::BuilderFlag flag) noexcept override;
  bool getFlag(nvinfer1::BuilderFlag flag) const noexcept override { return has(flag); }
  int32_t addOptimizationProfile(nvinfer1::IOptimizationProfile const* profile) noexcept override;
  int32_t getNbOptimizationProfiles() const noexcept override { return static_cast<int32_t>(profiles_.size()); }
#if NV_TENSORRT_MAJOR < 11
  bool setCalibrationProfile(nvinfer1::IOptimizationProfile const* profile) noexcept override;
  nvinfer1::IOptimizationProfile const* getCalibrationProfile() noexcept override { return calibration_profile_; }
  void setInt8Calibrator(nvinfer1::IInt8Calibrator* calibrator) noexcept override { calibrator_ = calibrator; }
  nvinfer1::IInt8Calibrator* getInt8Calibrator() const noexcept override { return calibrator_; }
  void setAlgorithmSelector(nvinfer1::IAlgorithmSelector* selector) noexcept override { selector_ = selector; }
  nvinfer1::IAlgorithmSelector* getAlgorithmSelector() const noexcept override { return selector_; }
#endif
  void setMemoryPoolLimit(nvinfer1::MemoryPoolType pool, std::size_t bytes) noexcept override;
  std::size_t getMemoryPoolLimit(nvinfer1::MemoryPoolType pool) const noexcept override;
  void setBuilderOptimizationLevel(int32_t level) noexcept override;
  int32_t getBuilderOptimizationLevel() const noexcept override;
  void setHardwareCompatibilityLevel(nvinfer1::HardwareCompatibilityLevel level) noexcept override;
  nvinfer1::HardwareCompatibilityLevel getHardwareCompatibilityLevel() const noexcept override { return hardware_; }
#if NV_TENSORRT_MAJOR < 11
  void setMaxAuxStreams(int32_t count) noexcept override { numbers_["max_aux_streams"] = count; }
#else
  bool setMaxAuxStreams(int32_t count) noexcept override {
    if (refuses("IBuilderConfig::setMaxAuxStreams", logger_) || count < 0) return false;
    numbers_["max_aux_streams"] = count;
    return true;
  }
#endif
  int32_t getMaxAuxStreams() const noexcept override { return number("max_aux_streams", -1); }
  void setAvgTimingIterations(int32_t count) noexcept override { numbers_["avg_timing_iterations"] = count; }
  int32_t getAvgTimingIterations() const noexcept override { return number("avg_timing_iterations", 1); }
  void setPluginsToSerialize(char const* const* paths, int32_t count) noexcept override {
    plugins_.assign(paths, paths + count);
  }
  void setProfilingVerbosity(nvinfer1::ProfilingVerbosity verbosity) noexcept override;
  nvinfer1::ProfilingVerbosity getProfilingVerbosity() const noexcept override { return verbosity_; }
  bool setTacticSources(nvinfer1::TacticSources sources) noexcept override;
  nvinfer1::TacticSources getTacticSources() const noexcept override;
  void setPreviewFeature(nvinfer1::PreviewFeature feature, bool enable) noexcept override;
  bool getPreviewFeature(nvinfer1::PreviewFeature feature) const noexcept override;
#if NV_TENSORRT_MAJOR < 11
  void setQuantizationFlags(nvinfer1::QuantizationFlags flags) noexcept override { quantization_ = flags; }
  nvinfer1::QuantizationFlags getQuantizationFlags() const noexcept override { return quantization_; }
  void setQuantizationFlag(nvinfer1::QuantizationFlag flag) noexcept override;
  void clearQuantizationFlag(nvinfer1::QuantizationFlag flag) noexcept override;
  bool getQuantizationFlag(nvinfer1::QuantizationFlag flag) const noexcept override;
#endif
  void setEngineCapability(nvinfer1::EngineCapability capability) noexcept override;
  nvinfer1::EngineCapability getEngineCapability() const noexcept override { return capability_; }
  void setDefaultDeviceType(nvinfer1::DeviceType type) noexcept override { device_ = type; }
  nvinfer1::DeviceType getDefaultDeviceType() const noexcept override { return device_; }
  bool canRunOnDLA(nvinfer1::ILayer const* layer) const noexcept override;
  void setDLACore(int32_t core) noexcept override { numbers_["dla_core"] = core; }
  int32_t getDLACore() const noexcept override { return number("dla_core", -1); }
#ifdef FAKE_HAS_VBuilderConfig_setRuntimePlatform
  void setRuntimePlatform(nvinfer1::RuntimePlatform platform) noexcept override;
  nvinfer1::RuntimePlatform getRuntimePlatform() const noexcept override { return platform_; }
#endif
#ifdef FAKE_HAS_VBuilderConfig_setTilingOptimizationLevel
  bool setTilingOptimizationLevel(nvinfer1::TilingOptimizationLevel level) noexcept override;
  nvinfer1::TilingOptimizationLevel getTilingOptimizationLevel() const noexcept override { return tiling_; }
#endif
  nvinfer1::ITimingCache* createTimingCache(void const* blob, std::size_t size) const noexcept override;
  bool setTimingCache(nvinfer1::ITimingCache const& cache, bool ignore_mismatch) noexcept override;
  nvinfer1::ITimingCache const* getTimingCache() const noexcept override { return timing_cache_; }

 private:
  [[nodiscard]] int32_t number(const std::string& name, int32_t otherwise) const;

  nvinfer1::ILogger& logger_;
  std::weak_ptr<int> builder_;
  nvinfer1::BuilderFlags flags_ = 1U << static_cast<unsigned>(nvinfer1::BuilderFlag::kTF32);
  std::vector<ProfileRow> profiles_;
#if NV_TENSORRT_MAJOR < 11
  nvinfer1::IOptimizationProfile const* calibration_profile_ = nullptr;
  nvinfer1::IInt8Calibrator* calibrator_ = nullptr;
  nvinfer1::IAlgorithmSelector* selector_ = nullptr;
#endif
  std::map<nvinfer1::MemoryPoolType, std::size_t> pools_;
  std::map<nvinfer1::PreviewFeature, bool> preview_;
  std::map<std::string, int32_t> numbers_;  // settings that are numbers and were set, by their names in the plan
  std::vector<std::string> plugins_;
  std::optional<nvinfer1::TacticSources> tactics_;
#if NV_TENSORRT_MAJOR < 11
  nvinfer1::QuantizationFlags quantization_ = 0;
#endif
  nvinfer1::HardwareCompatibilityLevel hardware_ = nvinfer1::HardwareCompatibilityLevel::kNONE;
  nvinfer1::ProfilingVerbosity verbosity_ = nvinfer1::ProfilingVerbosity::kLAYER_NAMES_ONLY;
  nvinfer1::EngineCapability capability_ = nvinfer1::EngineCapability::kSTANDARD;
  nvinfer1::DeviceType device_ = nvinfer1::DeviceType::kGPU;
#ifdef FAKE_HAS_VBuilderConfig_setRuntimePlatform
  nvinfer1::RuntimePlatform platform_ = nvinfer1::RuntimePlatform::kSAME_AS_BUILD;
#endif
#ifdef FAKE_HAS_VBuilderConfig_setTilingOptimizationLevel
  nvinfer1::TilingOptimizationLevel tiling_ = nvinfer1::TilingOptimizationLevel::kNONE;
#endif
  nvinfer1::ITimingCache const* timing_cache_ = nullptr;
};

}  // namespace fake_tensorrt
