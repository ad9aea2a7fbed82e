#include "bindings/own_command.h"

#include <filesystem>
#include <system_error>

#include "bindings/installation.h"

namespace assay::python {

namespace fs = std::filesystem;

cli::Installation own_installation() {
  const fs::path libexec = installation().libexec;
  const fs::path program = libexec.parent_path().parent_path() / "bin" / "assay";
  std::error_code code;
  const fs::path real = fs::canonical(program, code);
  return {.executable = code ? program : real, .libexec = libexec, .engines = search_environment_now()};
}

}  // namespace assay::python
