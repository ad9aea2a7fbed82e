#include "bindings/log.h"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <utility>

#include "bindings/gil.h"
#include "bindings/text.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// Polygraphy's numbers for the levels, in the order of base::Level.
constexpr int kSeverities[] = {-20, -10, 0, 10, 20, 22, 28, 30, 40, 50};

}  // namespace

PythonLog::PythonLog() : least_(base::Level::critical) {
  const nb::object least_severity = nb::module_::import_("assay.logger").attr("G_LOGGER").attr("least_severity");
  const int severity = nb::cast<int>(call_python(least_severity, nb::make_tuple()));
  for (int level = static_cast<int>(base::Level::critical); level >= 0 && kSeverities[level] >= severity; --level) {
    least_ = static_cast<base::Level>(level);
  }
}

void PythonLog::write(base::Level level, std::string_view message) {
  const GilAcquire gil;
  if (raised_) return;
  try {
    const nb::object text =
        call_python(nb::module_::import_("assay.parameters").attr("in_python"), nb::make_tuple(to_text(message)));
    const nb::object log = nb::module_::import_("assay.logger").attr("G_LOGGER").attr("log");
    call_python(log, nb::make_tuple(text, kSeverities[static_cast<int>(level)]));
  } catch (nb::python_error& error) {
    if (gettid() == getpid()) {
      raised_.emplace(std::move(error));
    } else {
      error.discard_as_unraisable("assay.logger");  // the caller may be a thread that Python doesn't know
    }
  }
}

void PythonLog::rethrow() {
  if (raised_) throw nb::python_error(std::move(*raised_));
}

}  // namespace assay::python
