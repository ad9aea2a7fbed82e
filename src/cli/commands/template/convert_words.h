// Scripts for models that are changed before they are used: the script lets `assay convert` write the changed model.
#pragma once

#include <string>
#include <vector>

#include "cli/options/model_options.h"

namespace assay::cli {

// Returns the command that writes the model with these tensors as outputs, and in float16 if the options say so. The
// path of the result, `-o PATH`, has to be added. Paths are absolute.
std::vector<std::string> convert_words(const ModelOptions& model, const std::vector<std::string>& outputs);

}  // namespace assay::cli
