// The installation that tests of the command line use: this build.
#pragma once

#include <filesystem>

#include "backend/search_environment.h"
#include "cli/context/installation.h"
#include "tests/support/paths.h"

namespace assay::cli {

// "assay" is the program of this build, and PATH is empty. So a check `assay run` runs inside the calling process, and
// other tools run as processes.
inline Installation built_installation() {
  Installation installation = find_installation();
  installation.executable = test::build_dir() / "bin" / "assay";
  installation.libexec = test::workers_dir();
  installation.engines = backend::search_environment(installation.libexec);
  installation.engines.path.clear();
  return installation;
}

}  // namespace assay::cli
