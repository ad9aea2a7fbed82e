// The assay program: hands the command line, the terminal and Ctrl-C to src/cli.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/stop.h"
#include "cli/installation.h"
#include "cli/run_cli.h"

namespace {

// A model can have each of its weights in a file of its own, and all are held open: more than the usual 1024 files.
void allow_many_files() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= 65536) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  allow_many_files();
  assay::base::Stop stop;
  const assay::base::StopOnSignals guard(stop);
  const assay::cli::Installation installation = assay::cli::find_installation();
  assay::worker::Pool pool({installation.libexec}, stop);
  const assay::cli::Streams streams{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0};
  return assay::cli::run_cli({argv + 1, argv + argc}, streams, installation, pool, stop);
}
