#include "bindings/python_check.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <chrono>
#include <string>
#include <tuple>
#include <utility>

#include "base/seconds.h"
#include "bindings/gil.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
using reduce::Verdict;

Verdict::Kind to_kind(const std::string& word) {
  if (word == "passes") return Verdict::Kind::passes;
  return word == "fails" ? Verdict::Kind::fails : Verdict::Kind::unresolved;
}

}  // namespace

PythonCheck::~PythonCheck() {
  const GilAcquire acquire;
  function_.reset();
  raised_.reset();
}

base::Expected<Verdict> PythonCheck::judge(const std::filesystem::path& model, const base::Stop& stop) {
  const auto stopped = [] { return base::fail(base::ErrorKind::interrupted, "stopped while a check was running"); };
  if (stop.requested()) return stopped();
  const auto start = std::chrono::steady_clock::now();
  const GilAcquire acquire;
  try {
    using Answer = std::tuple<std::string, std::string, std::string>;
    auto [kind, text, output] = nb::cast<Answer>(call_python(function_, nb::make_tuple(model.string())));
    if (stop.requested()) return stopped();
    const double seconds = base::seconds_since(start);
    return Verdict{.kind = to_kind(kind),
                   .text = std::move(text),
                   .output = reduce::shorten_output(std::move(output)),
                   .seconds = seconds};
  } catch (nb::python_error& error) {
    const std::lock_guard lock(mutex_);
    if (!raised_) raised_.emplace(std::move(error));
    stop_.request();
    return stopped();
  }
}

void PythonCheck::rethrow() {
  const std::lock_guard lock(mutex_);
  if (raised_) throw nb::python_error(*raised_);
}

}  // namespace assay::python
