// Errors as Python exceptions: the classes of assay/exception, with the messages of the command line.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "worker/outcome.h"

namespace assay::python {

// The input that the failing call worked on. A malformed model raises ModelError, any other malformed input Error.
enum class Subject { input, model };

// Throws the Python exception of an error. Ctrl-C becomes KeyboardInterrupt. The caller must hold the GIL.
[[noreturn]] void raise(const base::Error& error, Subject subject = Subject::input);
// Throws an EngineError with the outcome ("crashed"), the phase and the log of the engine. `phase` is that of the call,
// for an engine that didn't say itself in which phase it failed.
[[noreturn]] void raise(const worker::Failure& failure, const std::string& engine, worker::Phase phase);

// Returns the value of a result, or throws its error.
template <class T>
T unwrap(base::Expected<T> result, Subject subject = Subject::input) {
  if (!result) raise(result.error(), subject);
  return *std::move(result);
}
inline void unwrap(const base::Status& status, Subject subject = Subject::input) {
  if (!status) raise(status.error(), subject);
}
template <class T>
T unwrap(worker::Outcome<T> outcome, const std::string& engine, worker::Phase phase) {
  if (!outcome) raise(outcome.error(), engine, phase);
  return *std::move(outcome);
}

}  // namespace assay::python
