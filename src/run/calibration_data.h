// Saves the inputs with which TensorRT calibrates int8 as files for its worker, with shapes and types that TensorRT
// takes, and says which engines need them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/temp_dir.h"
#include "data/input_source.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::run {

// Returns true if the engine is built in int8, with or without a calibration cache.
bool builds_int8(const EngineSetup& engine);
// Returns true if the engine is built in int8 and has no calibration cache yet, so that it calibrates with inputs.
// Returns false if its settings are invalid: the worker reports that.
bool calibrates(const EngineSetup& engine);

// Creates a source of inputs. The argument holds the usual shapes of an engine's last profile, for inputs to which the
// user gives no shape.
using MakeInputs =
    std::function<base::Expected<std::unique_ptr<data::InputSource>>(const std::map<std::string, tensor::Shape>&)>;

// Saves inputs for each engine that calibrates, and tells the engine where they are. Returns the folder, which must
// exist until the engines are built. Errors: those of `make_inputs` and of data::save_batches().
base::Expected<base::TempDir> save_calibration_data(std::vector<EngineSetup>& engines, const model::Model& model,
                                                    const MakeInputs& make_inputs, base::Log& log);

}  // namespace assay::run
