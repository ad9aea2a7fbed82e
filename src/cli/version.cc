#include "cli/version.h"

#include <fmt/format.h>

namespace assay::cli {

std::string version_text(const Installation&) {
  return fmt::format("assay {}\nonnx {}\n", ASSAY_VERSION, ASSAY_ONNX_VERSION);
}

}  // namespace assay::cli
