#include "builder.h"

#include <cstdlib>
#include <fstream>

#include "host_memory.h"
#include "misbehave.h"

namespace fake_tensorrt {

nvinfer1::INetworkDefinition* Builder::createNetworkV2(nvinfer1::NetworkDefinitionCreationFlags flags) noexcept {
  return new Handle<nvinfer1::INetworkDefinition, Network>(flags, logger_, plugins_);
}

nvinfer1::IBuilderConfig* Builder::createBuilderConfig() noexcept {
  return new Handle<nvinfer1::IBuilderConfig, Config>(logger_, lifetime_);
}

nvinfer1::IOptimizationProfile* Builder::createOptimizationProfile() noexcept {
  if (misbehaves("null_profile")) {
    log_error(logger_, "IBuilder::createOptimizationProfile: Error Code 2: OutOfMemory (no memory for a profile)");
    return nullptr;
  }
  return &profiles_.emplace_back();
}

nvinfer1::IHostMemory* Builder::buildSerializedNetwork(nvinfer1::INetworkDefinition& network,
                                                       nvinfer1::IBuilderConfig& config) noexcept {
  if (misbehaves("hang_build")) hang();
  if (misbehaves("skip_tactics") || misbehaves("no_tactics")) {
    for (int tactic = 0; tactic < 30; ++tactic) {
      log_error(logger_,
                "Error Code: 9: Skipping tactic 0x" + std::to_string(tactic) + " due to exception canImplement");
    }
  }
  if (misbehaves("little_memory")) {
    for (int tactic = 0; tactic < 30; ++tactic) {
      log_warning(logger_, "UNSUPPORTED_STATE: Skipping tactic " + std::to_string(tactic) +
                               " due to insufficient memory on requested size of 1048576000 detected for tactic 0x" +
                               std::to_string(tactic) + ".");
    }
  }
  if (misbehaves("fail_build") || misbehaves("no_tactics") || misbehaves("little_memory")) {
    log_error(logger_, "Error Code 10: Internal Error (Could not find any implementation for a node of the network.)");
    return nullptr;
  }
  if (misbehaves("no_memory")) {
    log_error(logger_, "Error Code 2: OutOfMemory (Requested size was 1099511627776 bytes.)");
    return nullptr;
  }
  if (const char* file = std::getenv("ASSAY_FAKE_CACHE"); file != nullptr && misbehaves("late_cache")) {
    std::ofstream(file) << "a cache of another GPU";
  }
  Built built = build(implementation_of<Network>(network), implementation_of<Config>(config));
  if (!built.error.empty()) {
    log_error(logger_, "IBuilder::buildSerializedNetwork: " + built.error);
    return nullptr;
  }
  warn_if_asked(logger_, "The fake TensorRT has cast a weight down.");
  log_info(logger_, "The fake TensorRT has built a plan of " + std::to_string(built.plan.size()) + " bytes.");
  return make_host_memory(std::move(built.plan));
}

}  // namespace fake_tensorrt
