// How a piece of work in another process ended.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <variant>

#include "base/error.h"

namespace assay::worker {

// Where an engine was when it failed.
enum class Phase { start, load, build, run };

struct Failed {  // the engine answered with an error; the worker is healthy
  Phase phase = Phase::run;
  int code = 0;  // the engine's own error code
  std::string message;
};
struct Crashed {            // the process was ended by a signal that nobody of us sent, or exited on its own
  int signal = 0;           // 0 where it exited
  int exit_code = 0;        // where it exited
  std::string last_output;  // the end of what it wrote to its standard streams
};
struct TimedOut {
  double limit_s = 0;
};
struct OutOfMemory {
  std::uint64_t limit_bytes = 0;  // 0: the limit of the machine
  std::string message;
};
struct ProtocolError {  // it answered something that makes no sense, half a message, or closed its end
  std::string message;
};
struct Stopped {};  // we were asked to stop

using Failure = std::variant<Failed, Crashed, TimedOut, OutOfMemory, ProtocolError, Stopped>;

template <class T>
using Outcome = tl::expected<T, Failure>;

// "crashed with signal 11 (Segmentation fault)", one line, without the engine's name.
std::string describe(const Failure& failure);

// The failure as an error of the tool: kind engine (interrupted for Stopped), with the engine's name as where.
base::Error to_error(const Failure& failure, const std::string& engine);

}  // namespace assay::worker
