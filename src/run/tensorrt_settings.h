// TensorRT's settings of an engine. Its options hold them as text (tensorrt/encode_settings.h).
#pragma once

#include <array>
#include <span>
#include <string>

#include "base/error.h"
#include "run/engine_runner.h"
#include "tensorrt/given_settings.h"

namespace assay::run {

// Settings that save what TensorRT makes of a model.
inline constexpr std::array kSaving = {"--save-engine", "--save-tactics"};

inline constexpr const char* kOptionalProfiles = "--trt-optional-profiles";

bool has_any(const EngineSetup& engine, std::span<const char* const> settings);

// Returns whether optimisation profiles are given.
bool has_profiles(const EngineSetup& engine);
// Returns the engine for models that may lack inputs which its profiles mention.
EngineSetup with_optional_profiles(EngineSetup engine);

// Replaces a setting of the engine by a single occurrence with these words.
void set_setting(EngineSetup& engine, const std::string& name, tensorrt::Words words);
// Adds an occurrence of a setting after those that the engine has. Errors: invalid_input if these are malformed.
base::Status add_setting(EngineSetup& engine, const std::string& name, tensorrt::Words words);

// Returns the engine without the settings of kSaving: it runs another model than the one whose engine the user wants.
EngineSetup without_saving(EngineSetup engine);

}  // namespace assay::run
