#include "bindings/errors.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <variant>

#include "bindings/gil.h"
#include "bindings/text.h"
#include "run/engine_error.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void throw_exception(const nb::object& exception) {
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

nb::object class_of(const char* name) {
  return nb::module_::import_("assay.exception").attr(name);
}

// Returns a message of the rooms below, which name options of the command line, with the names of parameters instead.
nb::object in_python(const std::string& message) {
  return call_python(nb::module_::import_("assay.parameters").attr("in_python"), nb::make_tuple(to_text(message)));
}

const char* class_name(base::ErrorKind kind, Subject subject) {
  switch (kind) {
    case base::ErrorKind::engine:
      return "EngineError";
    case base::ErrorKind::not_found:
      return "NotFoundError";
    case base::ErrorKind::io:
      return "Error";
    default:
      return subject == Subject::model ? "ModelError" : "InputError";
  }
}

const char* name(worker::Phase phase) {
  constexpr const char* kNames[] = {"start", "load", "build", "run"};
  return kNames[static_cast<int>(phase)];
}

// The outcome in one word, and what the engine wrote.
struct Ending {
  const char* outcome;
  std::string log = {};
};

struct Describe {
  Ending operator()(const worker::Failed& failed) const { return {"failed", failed.message}; }
  Ending operator()(const worker::Crashed& crashed) const { return {"crashed", crashed.last_output}; }
  Ending operator()(const worker::TimedOut&) const { return {"timed out"}; }
  Ending operator()(const worker::OutOfMemory& out) const { return {"out of memory", out.message}; }
  Ending operator()(const worker::ProtocolError& error) const { return {"protocol error", error.message}; }
  Ending operator()(const worker::Stopped&) const { return {"stopped"}; }
};

}  // namespace

void raise(const base::Error& error, Subject subject) {
  const std::string message = error.message();
  if (error.kind == base::ErrorKind::interrupted) {
    PyErr_SetString(PyExc_KeyboardInterrupt, message.c_str());
    throw nb::python_error();
  }
  throw_exception(class_of(class_name(error.kind, subject))(in_python(message)));
}

void raise(const worker::Failure& failure, const std::string& engine, worker::Phase phase) {
  const base::Error error = run::engine_error(failure, engine, phase);
  if (error.kind == base::ErrorKind::interrupted) raise(error);
  if (const auto* failed = std::get_if<worker::Failed>(&failure)) phase = failed->phase;
  const Ending ending = std::visit(Describe{}, failure);
  throw_exception(class_of("EngineError")(in_python(error.message()), nb::arg("outcome") = ending.outcome,
                                          nb::arg("phase") = name(phase), nb::arg("log") = to_text(ending.log)));
}

}  // namespace assay::python
