// Writes a Python script that loads a model with ONNX-GraphSurgeon, has a function to be filled in by the user, and
// saves the result. The script needs neither Assay nor Polygraphy, unless Assay has to convert the model first.
#pragma once

#include <string>
#include <vector>

namespace assay::report {

struct GraphSurgeonScript {
  std::string model;              // path that the script loads
  std::string result;             // path that it writes
  std::string external_data_dir;  // empty: the model's own folder
  bool load_external_data = true;
  bool infer_shapes = false;
  bool save_external_data = false;   // for results that are too large for one file
  std::vector<std::string> outputs;  // tensors that become the outputs; empty: the model's own
  // The words of a command that writes the model that the script loads instead, to the path after "-o", which the
  // script adds. Empty: it loads the model itself. With a command, external_data_dir and load_external_data have no
  // effect.
  std::vector<std::string> convert;
};

std::string python_text(const GraphSurgeonScript& script);

}  // namespace assay::report
