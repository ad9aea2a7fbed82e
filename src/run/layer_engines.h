// The tensors that each engine returns when a model runs in windows. Most engines return the tensors that are marked in
// the model. TensorRT's settings can choose outputs or layers of its own network, which its parser creates from the
// model, so TensorRT is asked for the outputs of that network.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "run/engine_runner.h"
#include "run/tensor_sizes.h"
#include "worker/engine.h"

namespace assay::run {

struct LayerEngine {
  EngineSetup setup;
  std::vector<std::string> tensors;  // all that it returns, in the order in which they are computed
  // True if settings name parts of the network. TensorRT then gets the whole model for each window, and keeps only the
  // window's tensors as outputs: see returning().
  bool needs_whole_model = false;
  std::vector<TensorSize> sizes{};  // of `tensors`, as the network declares them; empty unless it needs the whole model
};

// Returns true if the engine is TensorRT with settings that choose the outputs of its network. Returns false if it has
// further outputs, which aren't the network's: tensors for debugging.
bool chooses_outputs(const EngineSetup& engine);
// Returns true if chooses_outputs() does, or if settings name layers, inputs or outputs: a part of the model may lack
// these.
bool names_network_parts(const EngineSetup& engine);

// Returns the tensors of each engine. `model`: the model with `outputs`, as engines get it without windows. Errors:
// those of ask_network().
base::Expected<std::vector<LayerEngine>> layer_engines(const std::vector<EngineSetup>& engines,
                                                       const worker::ModelSource& model,
                                                       const std::vector<std::string>& outputs, worker::Pool& pool);

// Returns the engine with these tensors of its network as the only outputs.
EngineSetup returning(EngineSetup engine, const std::vector<std::string>& tensors);

// Returns the engine without settings that name parts of the network, and without files in which the
// engine or its tactics are saved.
EngineSetup for_another_model(EngineSetup engine);

// Returns the tensors of all engines, each once, in an order that follows those of the engines as far as they agree.
std::vector<std::string> all_tensors(const std::vector<LayerEngine>& engines);

// Returns true if each engine has a tensor in common with the next one, with which it is compared.
bool share_tensors(const std::vector<LayerEngine>& engines);

}  // namespace assay::run
