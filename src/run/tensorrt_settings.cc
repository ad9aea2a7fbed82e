#include "run/tensorrt_settings.h"

#include <algorithm>
#include <utility>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

void write(EngineSetup& engine, const tensorrt::GivenSettings& settings) {
  for (auto& [name, text] : tensorrt::encode_settings(settings)) engine.spec.options[name] = text;
}

}  // namespace

bool has_any(const EngineSetup& engine, std::span<const char* const> settings) {
  return std::ranges::any_of(settings, [&](const char* name) { return engine.spec.options.contains(name); });
}

bool has_profiles(const EngineSetup& engine) {
  return has_any(engine, std::array{"--trt-min-shapes", "--trt-opt-shapes", "--trt-max-shapes"});
}

EngineSetup with_optional_profiles(EngineSetup engine) {
  set_setting(engine, kOptionalProfiles, {});
  return engine;
}

void set_setting(EngineSetup& engine, const std::string& name, tensorrt::Words words) {
  tensorrt::GivenSettings settings;
  settings.add(name, std::move(words));
  write(engine, settings);
}

base::Status add_setting(EngineSetup& engine, const std::string& name, tensorrt::Words words) {
  tensorrt::GivenSettings settings;
  if (const auto before = engine.spec.options.find(name); before != engine.spec.options.end()) {
    ASSAY_ASSIGN(settings, tensorrt::decode_settings({*before}));
  }
  settings.add(name, std::move(words));
  write(engine, settings);
  return {};
}

EngineSetup without_saving(EngineSetup engine) {
  for (const char* name : kSaving) engine.spec.options.erase(name);
  return engine;
}

}  // namespace assay::run
