// The assay program: hands the command line, the terminal and Ctrl-C to src/cli.
#include <unistd.h>

#include <iostream>

#include "base/stop.h"
#include "cli/installation.h"
#include "cli/run_cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  assay::base::Stop stop;
  const assay::base::StopOnSignals guard(stop);
  const assay::cli::Installation installation = assay::cli::find_installation();
  assay::worker::Pool pool({installation.libexec}, stop);
  const assay::cli::Streams streams{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0};
  return assay::cli::run_cli({argv + 1, argv + argc}, streams, installation, pool, stop);
}
