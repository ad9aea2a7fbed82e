// Recognises an engine's error messages for running out of memory.
#pragma once

#include <string_view>

namespace assay::backend {

bool is_out_of_memory(std::string_view message);

}  // namespace assay::backend
