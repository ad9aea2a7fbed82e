// Shortens an engine's error to one line.
#pragma once

#include <string>
#include <string_view>

namespace assay::worker {

// Returns the line of an engine's error that says why it failed. Words of Assay before those of the engine, such as
// "the engine failed while loading the model: ", are kept. It is the first line, except for errors of OpenVINO, which
// first say where it failed. If no line says why, the first one is returned.
std::string telling_line(std::string_view message);

}  // namespace assay::worker
