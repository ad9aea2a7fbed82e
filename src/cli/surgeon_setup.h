// From options to what the surgeon room needs of its surroundings.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/tool_engine_options.h"
#include "cli/values.h"
#include "surgeon/engine.h"
#include "surgeon/shapes_by_running.h"

namespace assay::cli {

// Refers to both, which must outlive it.
base::Expected<surgeon::Engine> surgeon_engine(const ToolEngineOptions& options, Context& context);

// The first inputs that the data loader gives, fitted to the model. Refers to the loader and the context.
surgeon::MakeFeeds first_inputs(const DataLoaderOptions& loader, std::map<std::string, Dimensions> shapes,
                                Context& context);

}  // namespace assay::cli
