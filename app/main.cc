// The assay program: passes the command line, the terminal and Ctrl-C to src/cli.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/stop.h"
#include "cli/context/installation.h"
#include "cli/run_cli.h"
#include "cli/terminal/terminal.h"
#include "reduce/judge/command_for.h"

namespace {

// Raises the limit of open files: a model may have each weight in a file of its own, and all of them stay open, which
// can exceed the usual 1024. Returns the old limit, which programs started for the user get, or nullopt if it is
// unchanged.
std::optional<std::uint64_t> allow_many_files() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= 65536) return std::nullopt;
  const rlim_t before = std::exchange(limit.rlim_cur, std::min<rlim_t>(limit.rlim_max, 65536));
  setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

// Occupies the standard streams that are closed, so that no file or pipe of ours gets their numbers, and the log or the
// output. Writing to them still fails, since they are open for reading only.
void occupy_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);  // gets the lowest free number, which is `fd`
  }
}

assay::base::Stop* g_stop = nullptr;
volatile std::sig_atomic_t g_reader_has_gone = 0;

// Stops the command if the reader of its output has gone, as in `assay ... | head`, or in `assay ... | tee log` after
// Ctrl-C, which also ends `tee`. Dying at once would lose the best result so far and leave temporary files.
extern "C" void stop_without_reader(int /*signal*/) {
  const int saved_errno = errno;
  g_reader_has_gone = 1;
  g_stop->request();
  errno = saved_errno;
}

// Ends the program with a message if the system can't supply the bytes of a mapped file.
extern "C" void report_lost_bytes(int /*signal*/) {
  constexpr std::string_view kMessage =
      "[E] the rest of a file can't be read: the file became shorter while it was in use, or its disk (or /dev/shm) is "
      "full or defective. Leave the files of the model as they are, check the disk, and run the command again\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(1);
}

// Returns the exit status. Everything that it creates is gone when it returns.
int run(int argc, char** argv, assay::base::Stop& stop) {
  const std::optional<std::uint64_t> open_files = allow_many_files();
  const assay::base::StopOnSignals guard(stop);
  assay::cli::Installation installation = assay::cli::find_installation();
  installation.open_files = open_files;
  assay::worker::Pool pool({installation.libexec}, stop);
  const assay::cli::Streams streams{.out = std::cout,
                                    .err = std::cerr,
                                    .out_terminal = assay::cli::find_terminal(STDOUT_FILENO),
                                    .err_terminal = assay::cli::find_terminal(STDERR_FILENO),
                                    .in_check = std::getenv(assay::reduce::kModelVariable) != nullptr};
  const int status = assay::cli::run_cli({argv + 1, argv + argc}, streams, installation, pool, stop);
  if (std::cout.flush() || g_reader_has_gone != 0) return status;
  std::cerr << "[E] cannot write to standard output: the output is incomplete. Check that it isn't closed, and that "
               "the disk isn't full\n";
  return std::max(status, 1);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that `ulimit -f` cuts off is then an error with a message
  std::signal(SIGBUS, report_lost_bytes);
  assay::base::Stop stop;
  g_stop = &stop;
  if (std::signal(SIGPIPE, stop_without_reader) == SIG_IGN) std::signal(SIGPIPE, SIG_IGN);
  const int status = run(argc, argv, stop);
  if (g_reader_has_gone != 0) {  // end as a program does that doesn't handle the signal
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return status;
}
