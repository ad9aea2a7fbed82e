// Assay kills a worker together with its session and its descendants. The process that cleans up must survive that, so
// it has a session of its own, and its parent exits at once, which makes it an orphan. The worker waits for that exit,
// so it can't be killed before both hold.
#include "backend/python/clean_up.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

namespace assay::backend {
namespace {

void wait_for_the_end() {
  std::array<char, 64> ignored = {};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, ignored.data(), ignored.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return;
  }
}

// Closes the outputs, so that no reader waits for this process.
void detach_outputs() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
}

}  // namespace

int clean_up_at_end(const char* folder) {
  ::setsid();
  const pid_t child = ::fork();
  if (child < 0) return 1;
  if (child > 0) return 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  detach_outputs();
  wait_for_the_end();
  std::error_code code;
  std::filesystem::remove_all(folder, code);
  ::_exit(code ? 1 : 0);
}

}  // namespace assay::backend
