// The inputs that a command runs a model with, as its options choose them: their source, shapes and files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "data/input_source.h"

namespace assay::cli {

// Returns the shapes of --input-shapes and, if the inputs are generated, those that follow from the names of
// dimensions.
base::Expected<std::map<std::string, Dimensions>> shapes_of_inputs(const ModelOptions& model,
                                                                   const DataLoaderOptions& loader);

// Opens the source of inputs of these shapes. What the context refers to must outlive it. Errors: those of the options.
base::Expected<std::unique_ptr<data::InputSource>> open_inputs(const ModelOptions& model,
                                                               const DataLoaderOptions& loader, Context& context);

// Returns the files that a command reads, for check_paths(): the model, `others`, and those of --load-inputs.
std::vector<OptionPath> files_read(const ModelOptions& model, const DataLoaderOptions& loader,
                                   std::vector<OptionPath> others = {});

}  // namespace assay::cli
