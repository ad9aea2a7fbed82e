// What TensorRT packs into the texts of an engine's layers: the optimization profile in a name, the ONNX nodes in the
// metadata, the element type in the description of a format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::tensorrt {

struct ProfileName {
  int profile = 0;
  std::string_view base;  // the name without " [profile 1]" at its end, a view of the name
};

// Splits "conv [profile 1]". Names of the first profile have no number. If the number isn't at the end, as in
// "conv [profile 1] + relu [profile 1]_copy", the base is the whole name.
ProfileName split_profile(std::string_view name);

// Returns the names of the ONNX nodes in the text of "Metadata", each once, in order: "[ONNX Layer: a][ONNX Layer: b]".
// The parts are separated by the control character 0x1e or 0x1f, spaces or nothing, depending on TensorRT's version.
std::vector<std::string> onnx_nodes_of(std::string_view metadata);

// Returns the element type in TensorRT's words for a format, as Assay spells it: "float16" for "Channel major FP16
// format where channel % 8 == 0" and for "Half". Empty if the words don't say it.
std::string_view element_type_of(std::string_view format);

}  // namespace assay::tensorrt
