// Settings of TensorRT that keep some layers in a higher precision while the builder may choose lower ones.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "run/engine_runner.h"

namespace assay::run {

// Checks that the engine's settings let it compute in a lower precision than `kept`, which is float32 or float16.
// Errors: invalid_input, naming the settings that do.
base::Status check_lower_precision(const EngineSetup& engine, const std::string& kept);

// Returns true if the engine's settings allow float16, in which values can overflow.
bool allows_float16(const EngineSetup& engine);

// Returns the words of --layer-precisions that keep these layers in `kept`: "conv:float32".
std::vector<std::string> layer_precision_words(const std::vector<std::string>& layers, const std::string& kept);

// Returns the engine with the words added to --layer-precisions, and told to obey them unless the user chose otherwise.
base::Expected<EngineSetup> with_layer_precisions(EngineSetup engine, const std::vector<std::string>& words);

// Returns the engine as it computes in float32 alone, which is the reference.
EngineSetup in_float32(EngineSetup engine);

}  // namespace assay::run
