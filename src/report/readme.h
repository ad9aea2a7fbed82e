// Writes the text of a bug report's README.md.
#pragma once

#include <string>
#include <vector>

#include "report/loaded_files.h"
#include "report/repro.h"

namespace assay::report {

struct ReadmeParts {
  const ReproInput& input;
  const std::vector<LoadedFile>& loaded_files;
  bool has_data_file = false;  // there is a model.onnx.data
};
std::string readme(const ReadmeParts& parts);

}  // namespace assay::report
