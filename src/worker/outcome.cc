#include "worker/outcome.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/strings.h"
#include "worker/overloaded.h"

namespace assay::worker {
namespace {

constexpr std::array<std::string_view, 4> kPhases = {"starting", "loading the model", "building", "running"};

// Returns the last line that isn't blank.
std::string last_line(std::string_view output) {
  const std::string_view trimmed = base::trim(output);
  return std::string(base::trim(trimmed.substr(trimmed.rfind('\n') + 1)));
}

// Returns where a crash in Python occurred: the innermost call of the thread that crashed, which Python's fault handler
// prints before other threads and a list of modules. Empty if the output has none.
std::string innermost_python_call(std::string_view output) {
  std::size_t at = output.rfind("Current thread 0x");
  if (at != std::string_view::npos) at = output.find("(most recent call first):\n", at);
  if (at == std::string_view::npos) return {};
  const std::string_view call = output.substr(output.find('\n', at) + 1);
  return std::string(base::trim(call.substr(0, call.find('\n'))));
}

// Returns the last line and, for a crash in Python, the place. The line is then what the engine printed before Python's
// fault handler began, such as a failed assertion.
std::string last_words(std::string_view output) {
  const std::string call = innermost_python_call(output);
  if (call.empty()) return last_line(output);
  const std::size_t handler = output.rfind("Fatal Python error: ");
  const std::string line = handler == std::string_view::npos ? "" : last_line(output.substr(0, handler));
  return line.empty() ? call : line + "; " + call;
}

std::string with_last_words(std::string text, std::string_view output) {
  const std::string words = last_words(output);
  return words.empty() ? text : text + ": " + words;
}

}  // namespace

std::string describe(const Failure& failure) {
  return std::visit(
      Overloaded{
          [](const Failed& f) {
            return fmt::format("failed while {}: {}", kPhases[static_cast<std::size_t>(f.phase)], f.message);
          },
          [](const Crashed& f) {
            const std::string what = f.signal != 0
                                         ? fmt::format("crashed with signal {} ({})", f.signal, strsignal(f.signal))
                                         : fmt::format("exited with status {}", f.exit_code);
            return with_last_words(what, f.last_output);
          },
          [](const TimedOut& f) { return fmt::format("did not end within {:g} s", f.limit_s); },
          [](const OutOfMemory& f) {
            const std::string limit = f.limit_bytes != 0 ? fmt::format("took more memory than the limit of {}",
                                                                       base::format_bytes(f.limit_bytes))
                                                         : std::string("ran out of memory");
            return f.message.empty() ? limit : limit + ": " + f.message;
          },
          [](const ProtocolError& f) { return "sent no valid answer: " + f.message; },
          [](const Stopped&) { return std::string("was stopped"); },
      },
      failure);
}

base::Error to_error(const Failure& failure, const std::string& engine) {
  base::Error error;
  const bool stopped = std::holds_alternative<Stopped>(failure);
  error.kind = stopped ? base::ErrorKind::interrupted : base::ErrorKind::engine;
  error.what = stopped ? "stopped" : "the engine " + describe(failure);
  error.where = engine;
  if (stopped) error.fix = "If the engine hangs, limit its time with --engine-timeout";
  const auto* memory = std::get_if<OutOfMemory>(&failure);
  if (memory != nullptr && memory->limit_bytes == 0)
    error.fix = "Make the inputs smaller, or use a machine with more memory";
  return error;
}

namespace {

bool failed_while(Phase phase, const base::Error& error) {
  const std::string beginning = to_error(Failed{.phase = phase, .code = 0, .message = {}}, {}).what;
  return error.kind == base::ErrorKind::engine && error.what.starts_with(beginning);
}

}  // namespace

bool failed_at_start(const base::Error& error) {
  return failed_while(Phase::start, error);
}

bool failed_to_load(const base::Error& error) {
  return failed_while(Phase::load, error) || failed_while(Phase::build, error);
}

}  // namespace assay::worker
