#include "config.h"

#include <nlohmann/json.hpp>

#include "misbehave.h"
#include "profile.h"

namespace fake_tensorrt {
namespace {

using nlohmann::json;

constexpr nvinfer1::TacticSources kDefaultTactics =
    1U << static_cast<unsigned>(nvinfer1::TacticSource::kEDGE_MASK_CONVOLUTIONS) |
    1U << static_cast<unsigned>(nvinfer1::TacticSource::kJIT_CONVOLUTIONS);

template <class Enum>
unsigned bit(Enum value) {
  return 1U << static_cast<unsigned>(value);
}

// How many enumerators TensorRT 10.0 has, from its headers.
constexpr int kBuilderFlags = 22;
constexpr int kMemoryPools = 6;
constexpr int kHardwareLevels = 2;
constexpr int kVerbosities = 3;
constexpr int kTacticSources = 5;
constexpr int kPreviewFeatures = 1;
constexpr int kCapabilities = 3;

// Returns the names of the bits that are set.
template <class Enum>
json names(unsigned bits) {
  json result = json::array();
  for (int value = 0; value < 32; ++value) {
    if ((bits >> value & 1U) != 0) result.push_back(name_of(static_cast<Enum>(value)));
  }
  return result;
}

}  // namespace

int32_t Config::number(const std::string& name, int32_t otherwise) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? otherwise : found->second;
}

int32_t Config::addOptimizationProfile(nvinfer1::IOptimizationProfile const* profile) noexcept {
  if (profile == nullptr || !profile->isValid()) {
    log_error(logger_,
              "IBuilderConfig::addOptimizationProfile: Error Code 4: API Usage Error (the profile is invalid)");
    return -1;
  }
  profiles_.push_back(implementation_of<Profile>(*profile).row());
  return getNbOptimizationProfiles() - 1;
}

#if NV_TENSORRT_MAJOR < 11
bool Config::setCalibrationProfile(nvinfer1::IOptimizationProfile const* profile) noexcept {
  calibration_profile_ = profile;
  return profile != nullptr && profile->isValid();
}
#endif

void Config::setFlag(nvinfer1::BuilderFlag flag) noexcept {
  crash_if_unknown("BuilderFlag", static_cast<int>(flag), kBuilderFlags);
  flags_ |= bit(flag);
}
void Config::clearFlag(nvinfer1::BuilderFlag flag) noexcept {
  crash_if_unknown("BuilderFlag", static_cast<int>(flag), kBuilderFlags);
  flags_ &= ~bit(flag);
}

void Config::setMemoryPoolLimit(nvinfer1::MemoryPoolType pool, std::size_t bytes) noexcept {
  crash_if_unknown("MemoryPoolType", static_cast<int>(pool), kMemoryPools);
  pools_[pool] = bytes;
}
std::size_t Config::getMemoryPoolLimit(nvinfer1::MemoryPoolType pool) const noexcept {
  constexpr std::size_t kDefault = std::size_t{1} << 33;
  const auto found = pools_.find(pool);
  return found == pools_.end() ? kDefault : found->second;
}

void Config::setBuilderOptimizationLevel(int32_t level) noexcept {
  if (level < 0 || level > 5) {
    log_error(logger_, "IBuilderConfig::setBuilderOptimizationLevel: Error Code 3: API Usage Error (level " +
                           std::to_string(level) + " isn't in [0, 5])");
    return;
  }
  numbers_["optimization_level"] = level;
}
int32_t Config::getBuilderOptimizationLevel() const noexcept {
  return number("optimization_level", 3);
}

void Config::setHardwareCompatibilityLevel(nvinfer1::HardwareCompatibilityLevel level) noexcept {
  crash_if_unknown("HardwareCompatibilityLevel", static_cast<int>(level), kHardwareLevels);
  hardware_ = level;
}
void Config::setProfilingVerbosity(nvinfer1::ProfilingVerbosity verbosity) noexcept {
  crash_if_unknown("ProfilingVerbosity", static_cast<int>(verbosity), kVerbosities);
  verbosity_ = verbosity;
}
void Config::setEngineCapability(nvinfer1::EngineCapability capability) noexcept {
  crash_if_unknown("EngineCapability", static_cast<int>(capability), kCapabilities);
  capability_ = capability;
}

bool Config::setTacticSources(nvinfer1::TacticSources sources) noexcept {
  crash_if_unknown_mask("TacticSource", sources, kTacticSources);
  if (refuses("IBuilderConfig::setTacticSources", logger_)) return false;
  tactics_ = sources;
  return true;
}
nvinfer1::TacticSources Config::getTacticSources() const noexcept {
  return tactics_.value_or(kDefaultTactics);
}

void Config::setPreviewFeature(nvinfer1::PreviewFeature feature, bool enable) noexcept {
  crash_if_unknown("PreviewFeature", static_cast<int>(feature), kPreviewFeatures);
  preview_[feature] = enable;
}
bool Config::getPreviewFeature(nvinfer1::PreviewFeature feature) const noexcept {
  crash_if_unknown("PreviewFeature", static_cast<int>(feature), kPreviewFeatures);
  const auto found = preview_.find(feature);
  return found != preview_.end() && found->second;
}

#if NV_TENSORRT_MAJOR < 11
void Config::setQuantizationFlag(nvinfer1::QuantizationFlag flag) noexcept {
  quantization_ |= bit(flag);
}
void Config::clearQuantizationFlag(nvinfer1::QuantizationFlag flag) noexcept {
  quantization_ &= ~bit(flag);
}
bool Config::getQuantizationFlag(nvinfer1::QuantizationFlag flag) const noexcept {
  return (quantization_ & bit(flag)) != 0;
}
#endif

#ifdef FAKE_HAS_VBuilderConfig_setRuntimePlatform
void Config::setRuntimePlatform(nvinfer1::RuntimePlatform platform) noexcept {
  crash_if_too_old("IBuilderConfig::setRuntimePlatform");
  platform_ = platform;
}
#endif

#ifdef FAKE_HAS_VBuilderConfig_setTilingOptimizationLevel
bool Config::setTilingOptimizationLevel(nvinfer1::TilingOptimizationLevel level) noexcept {
  crash_if_too_old("IBuilderConfig::setTilingOptimizationLevel");
  if (refuses("IBuilderConfig::setTilingOptimizationLevel", logger_)) return false;
  tiling_ = level;
  return true;
}
#endif

// The types of TensorRT 11's layers are those of the model, so the fake leaves them out of account.
bool Config::canRunOnDLA(nvinfer1::ILayer const* layer) const noexcept {
  if (!misbehaves("dla")) return false;
#if NV_TENSORRT_MAJOR < 11
  if (!has(nvinfer1::BuilderFlag::kFP16)) return false;
#endif
  return layer->getType() != nvinfer1::LayerType::kACTIVATION;
}

nvinfer1::ITimingCache* Config::createTimingCache(void const* blob, std::size_t size) const noexcept {
  const auto entries = TimingCache::read({static_cast<const char*>(blob), blob == nullptr ? 0 : size});
  if (!entries) {
    log_error(logger_,
              "IBuilderConfig::createTimingCache: Error Code 1: Serialization (these bytes aren't a timing cache)");
    if (!misbehaves("lenient_cache")) return nullptr;
  }
  return new Handle<nvinfer1::ITimingCache, TimingCache>(entries.value_or(TimingCache::Entries()));
}

bool Config::setTimingCache(nvinfer1::ITimingCache const& cache, bool ignore_mismatch) noexcept {
  if (misbehaves("other_gpu") && !ignore_mismatch) {
    log_error(logger_, "IBuilderConfig::setTimingCache: Error Code 1: Cuda Runtime (the cache is of another device)");
    return false;
  }
  timing_cache_ = &cache;
  timing_cache()->use(builder_.lock());
  return true;
}

TimingCache* Config::timing_cache() const {
  if (timing_cache_ == nullptr) return nullptr;
  // TensorRT, too, adds to a cache that it was given as const.
  return &implementation_of<TimingCache>(const_cast<nvinfer1::ITimingCache&>(*timing_cache_));
}

std::string Config::settings() const {
  json result = json::object();
  result["flags"] = names<nvinfer1::BuilderFlag>(flags_);
  if (!plugins_.empty()) result["plugins"] = plugins_;
#if NV_TENSORRT_MAJOR < 11
  result["quantization_flags"] = names<nvinfer1::QuantizationFlag>(quantization_);
#endif
  for (const auto& [pool, bytes] : pools_) result["memory_pools"][name_of(pool)] = bytes;
  for (const auto& [feature, enable] : preview_) result["preview_features"][name_of(feature)] = enable;
  for (const auto& [name, value] : numbers_) result[name] = value;
  if (tactics_) result["tactic_sources"] = names<nvinfer1::TacticSource>(*tactics_);
  result["hardware_compatibility_level"] = name_of(hardware_);
  result["profiling_verbosity"] = name_of(verbosity_);
  result["engine_capability"] = name_of(capability_);
  result["default_device_type"] = name_of(device_);
#ifdef FAKE_HAS_VBuilderConfig_setRuntimePlatform
  result["runtime_platform"] = name_of(platform_);
#endif
#ifdef FAKE_HAS_VBuilderConfig_setTilingOptimizationLevel
  result["tiling_optimization_level"] = name_of(tiling_);
#endif
  if (timing_cache_ != nullptr) result["timing_cache_entries"] = timing_cache()->size();
#if NV_TENSORRT_MAJOR < 11
  result["calibrated"] = calibrator_ != nullptr;
#endif
  return result.dump();
}

}  // namespace fake_tensorrt
