#include "bindings/own_command.h"

#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/log.h"
#include "bindings/installation.h"
#include "cli/commands/run/run_settings.h"
#include "cli/context/command.h"

namespace assay::python {

namespace fs = std::filesystem;

cli::Installation own_installation(const Interruptible& call) {
  const fs::path libexec = installation().libexec;
  const fs::path program = libexec.parent_path().parent_path() / "bin" / "assay";
  std::error_code code;
  const fs::path real = fs::canonical(program, code);
  return {.executable = code ? program : real, .libexec = libexec, .engines = call.engines()};
}

std::vector<run::EngineSetup> engines_of_command(const std::vector<std::string>& words,
                                                 const cli::Installation& installation, Interruptible& call) {
  base::SilentLog log;
  std::ostringstream out;
  cli::Context context{.log = log, .out = out, .stop = call.stop(), .pool = call.pool(), .installation = installation};
  const auto settings = cli::settings_of_run(words, context);
  return settings ? settings->engines : std::vector<run::EngineSetup>();
}

}  // namespace assay::python
