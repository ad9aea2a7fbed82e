#include "bindings/own_command.h"

#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/log.h"
#include "bindings/installation.h"
#include "cli/checks/check_runner.h"
#include "cli/command.h"
#include "cli/commands/run.h"

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
  if (words.size() < 2 || words[1] != "run" || !cli::is_own_command(words, installation)) return {};
  base::SilentLog log;
  std::ostringstream out;
  cli::Context context{.log = log, .out = out, .stop = call.stop(), .pool = call.pool(), .installation = installation};
  const auto settings = cli::Run::settings({words.begin() + 2, words.end()}, context);
  return settings ? settings->engines : std::vector<run::EngineSetup>();
}

}  // namespace assay::python
