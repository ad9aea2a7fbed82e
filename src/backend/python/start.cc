#include "backend/python/start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "backend/serve/serve.h"
#include "backend/serve/serve_packets.h"
#include "worker/worker.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

// Sends the reason why the interpreter can't be started. Returns the exit status.
int give_up(worker::Channel& channel, std::string message) {
  const bool sent = send_reply(channel, worker::Refused{{worker::Phase::start, 0, std::move(message)}, false});
  return sent ? 0 : 2;
}

// Returns what is wrong with the request, or an empty text.
std::string check_options(const worker::OpenRequest& request) {
  if (request.protocol != worker::kProtocol) return kOtherVersion;
  for (const auto& [name, value] : request.options) {
    if (name != "module") return fmt::format("Python's worker has no option '{}': it has module", name);
  }
  return request.options.contains("module") ? "" : "Python's worker needs the option module";
}

}  // namespace

int become_python(int channel_fd) {
  if (!is_socket(channel_fd)) return report_missing_channel();
  worker::Channel channel{worker::FileDescriptor(channel_fd)};
  if (receive_packet(channel) != worker::Progress::done) return 2;
  const auto request = worker::decode_request(channel.take());
  const auto* open = request ? std::get_if<worker::OpenRequest>(&*request) : nullptr;
  if (open == nullptr) return 2;
  if (std::string wrong = check_options(*open); !wrong.empty()) return give_up(channel, std::move(wrong));

  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  const std::string script = (self.parent_path() / "assay_python" / "worker.py").string();
  std::string interpreter = open->library;
  std::string module = open->options.at("module");
  const char* scratch_dir = std::getenv(worker::kScratchVariable);
  std::string scratch = scratch_dir == nullptr ? "" : scratch_dir;
  ::unsetenv(worker::kScratchVariable);
  // -u disables buffering of output; faulthandler prints where in the module a crash happened.
  std::array<std::string, 7> words = {interpreter, "-u", "-X", "faulthandler", script, module, scratch};
  std::array<char*, words.size() + 1> argv = {};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  ::fcntl(channel_fd, F_SETFD, 0);
  ::execv(interpreter.c_str(), argv.data());
  return give_up(channel, fmt::format("cannot start the interpreter {}: {}", interpreter, std::strerror(errno)));
}

}  // namespace assay::backend
