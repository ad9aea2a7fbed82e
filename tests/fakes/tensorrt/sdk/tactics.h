// The tactics of layers, which TensorRT 11 no longer lets a selector choose. Each layer of an engine has three, of
// which the builder takes the fastest that the algorithm selector allows. Tactics compute the same, unless misbehave.h
// says otherwise.
#pragma once

#include <string>

#include "config.h"
#include "graph.h"
#include "plan.h"

namespace fake_tensorrt {

// Chooses a tactic for each layer, once for each profile, and calls the configuration's algorithm selector as TensorRT
// does. Returns what is wrong, or an empty string.
[[nodiscard]] std::string choose_tactics(Plan& plan, const Config& config);

// Returns whether a layer has the tactic that computes wrong numbers if the fake misbehaves.
[[nodiscard]] bool has_bad_tactic(const GraphLayer& layer);

}  // namespace fake_tensorrt
