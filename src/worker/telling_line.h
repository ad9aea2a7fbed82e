// Shortens an engine's error to one line.
#pragma once

#include <string>
#include <string_view>

namespace assay::worker {

// Returns the line of an engine's error that says why it failed. Words of Assay before those of the engine, such as
// "the engine failed while loading the model: ", are kept. It is the first line, except for errors of OpenVINO, which
// first say where it failed. If no line says why, the first one is returned. The origin of the error is left out, see
// without_origin().
std::string telling_line(std::string_view message);

// Returns a message of ONNX Runtime without what stands in front of the reason: its error code, the file that it could
// not load, and the place in its source code. Returns other messages unchanged.
std::string without_origin(std::string_view message);

}  // namespace assay::worker
