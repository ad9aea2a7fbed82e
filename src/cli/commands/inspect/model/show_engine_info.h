// Shows the layers of a TensorRT engine, as TensorRT's engine inspector writes them, for `assay inspect model`.
#pragma once

#include "base/error.h"
#include "cli/context/command.h"
#include "inspect/model_description.h"
#include "run/engine_runner.h"
#include "tensorrt/engine_info.h"

namespace assay::cli {

// Checks that only options were given that apply to an engine. `engine_options`: the options of TensorRT apply, too,
// because the file is the engine itself. `app`: the parsed options of the command. Errors: unsupported.
base::Status check_engine_options(const inspect::DescribeOptions& options, bool engine_options, const CLI::App& app);

// Opens an engine in TensorRT and asks its inspector. Errors: engine, if TensorRT can't open it; those of
// run::ask_layers().
base::Expected<tensorrt::EngineInfo> ask_inspector(const worker::ModelSource& engine, run::EngineSetup setup,
                                                   Context& context);

// Shows the engine's layers.
void show_engine_info(const tensorrt::EngineInfo& engine, const inspect::DescribeOptions& options, bool json,
                      Context& context);

}  // namespace assay::cli
