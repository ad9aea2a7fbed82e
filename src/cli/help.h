// The texts of `assay --help` and `assay TOOL --help`, built from the table of commands. `width`:
// columns of a line.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

std::string top_help(int width);
// Lists the subtools of one tool.
std::string tool_help(std::string_view tool, int width);

}  // namespace assay::cli
