// How a piece of work in another process ended.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <variant>

#include "base/error.h"

namespace assay::worker {

// What an engine was doing when it failed.
enum class Phase { start, load, build, run };

struct Failed {  // the engine returned an error; the worker is healthy
  Phase phase = Phase::run;
  int code = 0;  // the engine's own error code
  std::string message;
};
struct Crashed {            // the process was ended by a signal that Assay didn't send, or exited unexpectedly
  int signal = 0;           // 0 if it exited
  int exit_code = 0;        // if it exited
  std::string last_output;  // the end of what it wrote to standard output and standard error
};
struct TimedOut {
  double limit_s = 0;
};
struct OutOfMemory {
  std::uint64_t limit_bytes = 0;  // 0 if the machine ran out of memory, not a limit
  std::string message;
};
struct ProtocolError {  // the worker sent an invalid or incomplete answer, or disconnected
  std::string message;
};
struct Stopped {};  // a stop was requested

using Failure = std::variant<Failed, Crashed, TimedOut, OutOfMemory, ProtocolError, Stopped>;

template <class T>
using Outcome = tl::expected<T, Failure>;

// Describes a failure in one line without the engine's name: "crashed with signal 11 (Segmentation fault)".
std::string describe(const Failure& failure);

// Converts a failure to an Error of kind engine (interrupted for Stopped) with the engine's name as `where`.
base::Error to_error(const Failure& failure, const std::string& engine);

// Returns whether to_error() made the error from an engine that couldn't be started, so that it runs no model at all.
bool failed_at_start(const base::Error& error);

// Returns whether to_error() made the error from one that the engine returned while it loaded or built the model.
bool failed_to_load(const base::Error& error);

}  // namespace assay::worker
