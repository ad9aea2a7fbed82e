// Builds what the surgeon room needs, an engine and inputs, from the options.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/tool_engine_options.h"
#include "cli/parse/values.h"
#include "surgeon/fold/engine.h"
#include "surgeon/shapes_by_running.h"

namespace assay::cli {

// Returns an engine that refers to `options` and `context`, which must outlive it.
surgeon::Engine surgeon_engine(const ToolEngineOptions& options, Context& context);

// Returns a function that loads or generates the first inputs, fitted to the model. `shapes_option` is the option of
// the command that sets shapes, or empty. The function refers to `loader` and `context`, which must outlive it.
surgeon::MakeFeeds first_inputs(const DataLoaderOptions& loader, std::map<std::string, Dimensions> shapes,
                                std::string_view shapes_option, Context& context);

}  // namespace assay::cli
