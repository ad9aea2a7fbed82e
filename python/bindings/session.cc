// A model loaded in a worker process, as an object of the extension. assay/backend/base/session.py wraps it.
//
// A worker answers one request at a time, so threads that call the same session wait for each other. They wait without
// the GIL: the thread that has the worker needs it to build its arrays. Ctrl-C ends the worker, and so the session.
//
// A process that is forked later has a copy of the session, but its worker answers the first process only, and the
// threads that may hold its locks don't exist there. So that copy is never touched.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/gil.h"
#include "bindings/installation.h"
#include "bindings/log.h"
#include "bindings/model_source.h"
#include "bindings/signal_thread.h"
#include "bindings/text.h"
#include "run/declared_types.h"
#include "run/log_messages.h"
#include "worker/engine.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// Returns a pool for the session's worker. A worker that saves what it builds is ended with its session: no other one
// can use it, and it would keep memory of the GPU.
std::unique_ptr<worker::Pool> make_pool(Installation& here, const std::map<std::string, std::string>& options,
                                        const base::Stop& stop) {
  if (!options.contains("save_built")) return std::make_unique<worker::Pool>(here.pool, stop);
  return std::make_unique<worker::Pool>(worker::Pool::Options{.worker_dir = here.libexec, .max_idle = 0}, stop);
}

using Options = std::map<std::string, std::string>;
using PortText = std::tuple<nb::str, nb::str, std::vector<std::int64_t>, nb::str>;
using ModelText = std::variant<nb::str, nb::bytes>;
using OutputNames = std::optional<std::vector<std::string>>;

// A session in the process that has opened it.
class OpenSession {
 public:
  OpenSession(const std::string& runner, Options options, const ModelText& model, const std::string& folder,
              const worker::Limits& limits)
      : row_(engine_row(runner)), pool_(make_pool(here_, options, stop_)), limits_(limits) {
    const worker::EngineSpec spec =
        backend::make_engine_spec(row_, engine_library(row_, {}), with_absolute_paths(row_, std::move(options)));
    converts_types_ = run::returns_declared_types(spec);
    const worker::ModelSource source = source_of(model, folder);
    worker::Outcome<std::unique_ptr<worker::Session>> loaded;
    thread_.run([&] { loaded = pool_->load(spec, source, limits_); });
    session_ = unwrap(std::move(loaded), engine_name(), worker::Phase::load);
    info_ = session_->info();
    PythonLog log;
    run::log_messages(info_.messages, engine_name(), log);
    for (const worker::Port& port : info_.outputs) {
      if (port.kind == "tensor") {
        wanted_.push_back(port.name);
      } else {
        log.warning("{} | Output '{}' is skipped: only tensors can be returned, and it is of type {}", engine_name(),
                    port.name, port.kind);
      }
    }
    log.rethrow();
  }

  [[nodiscard]] std::vector<PortText> inputs() const { return texts(info_.inputs); }
  [[nodiscard]] std::vector<PortText> outputs() const { return texts(info_.outputs); }
  [[nodiscard]] const worker::SessionInfo& info() const { return info_; }
  [[nodiscard]] std::string engine_name() const { return std::string(row_.name); }

  // Returns the outputs and the seconds of the inference call.
  nb::tuple infer(const nb::dict& feeds, const OutputNames& outputs) {
    if (ended_) {
      refuse(
          "its worker ended in an earlier call, which crashed or was interrupted. Activate the runner again, or open "
          "the session again");
    }
    const tensor::NamedTensors tensors = to_tensors(feeds);
    PythonLog log;
    const std::vector<std::string>& wanted = outputs ? *outputs : wanted_;
    base::Status typed;
    worker::Outcome<worker::InferResult> result = tl::make_unexpected(worker::ProtocolError{});
    bool is_open = false;
    const auto ask = [&] {
      const std::lock_guard lock(mutex_);
      is_open = session_ != nullptr;
      if (session_) result = session_->infer(tensors, wanted, limits_);
      if (result && converts_types_) typed = types_.convert(result->outputs, info_.outputs, row_name(), log);
    };
    try {
      thread_.run(ask);
    } catch (const nb::python_error&) {
      ended_ = true;
      throw;
    }
    if (!is_open) refuse("the session is closed. Open it again, or activate the runner again");
    if (!result && !std::holds_alternative<worker::Failed>(result.error())) ended_ = true;
    const worker::InferResult inferred = unwrap(std::move(result), engine_name(), worker::Phase::run);
    unwrap(typed);
    run::log_messages(inferred.messages, engine_name(), log);
    log.rethrow();
    return nb::make_tuple(to_arrays(inferred.outputs), inferred.runtime_s);
  }

  // Gives the worker back. May be called at any time, also while another thread runs the model.
  void close() {
    const GilRelease release;
    const std::lock_guard lock(mutex_);
    session_.reset();
  }

  // Throws an EngineError about a run.
  [[noreturn]] void refuse(const std::string& message) const {
    raise(worker::Failed{.phase = worker::Phase::run, .code = 0, .message = message}, engine_name(),
          worker::Phase::run);
  }

 private:
  [[nodiscard]] std::string row_name() const { return std::string(row_.runner); }

  static std::vector<PortText> texts(const std::vector<worker::Port>& ports) {
    std::vector<PortText> texts;
    for (const worker::Port& port : ports) {
      texts.emplace_back(to_text(port.name), to_text(tensor::name(port.type)), port.shape, to_text(port.kind));
    }
    return texts;
  }

  const backend::EngineRow& row_;
  Installation& here_ = installation();
  base::Stop stop_;  // Ctrl-C during a call ends the worker
  std::unique_ptr<worker::Pool> pool_;
  SignalThread thread_{stop_};
  worker::Limits limits_;
  std::mutex mutex_;
  std::unique_ptr<worker::Session> session_;  // null once it is closed
  bool ended_ = false;                        // a crash or a signal has ended the worker; the GIL protects this
  worker::SessionInfo info_;
  std::vector<std::string> wanted_;  // the outputs that are tensors
  bool converts_types_ = false;
  run::DeclaredTypes types_;
};

// A session, or a copy of one that a forked process has.
class Session {
 public:
  Session(const std::string& runner, Options options, const ModelText& model, const std::string& folder,
          std::optional<double> time_limit, std::optional<std::uint64_t> memory_limit)
      : open_(std::make_unique<OpenSession>(runner, std::move(options), model, folder,
                                            worker::Limits{time_limit, memory_limit})) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (is_copy()) std::ignore = open_.release();  // destroying it would wait for threads that don't exist here
  }

  // Describes the session; the same in a forked process.
  const OpenSession* operator->() const { return open_.get(); }

  nb::tuple infer(const nb::dict& feeds, const OutputNames& outputs) {
    if (is_copy()) {
      open_->refuse(
          "the session belongs to the process that opened it, of which this process is a fork. Open a session here, or "
          "deactivate the runner and activate it again");
    }
    return open_->infer(feeds, outputs);
  }
  void close() {
    if (!is_copy()) open_->close();
  }

 private:
  [[nodiscard]] bool is_copy() const { return owner_ != getpid(); }

  std::unique_ptr<OpenSession> open_;
  pid_t owner_ = getpid();
};

}  // namespace

void bind_session(nb::module_& module) {
  nb::class_<Session>(module, "Session")
      .def(nb::init<const std::string&, Options, const ModelText&, const std::string&, std::optional<double>,
                    std::optional<std::uint64_t>>(),
           nb::arg("runner"), nb::arg("options"), nb::arg("model"), nb::arg("folder") = "",
           nb::arg("time_limit").none() = nb::none(), nb::arg("memory_limit").none() = nb::none())
      .def_prop_ro("inputs", [](const Session& session) { return session->inputs(); })
      .def_prop_ro("outputs", [](const Session& session) { return session->outputs(); })
      .def_prop_ro("engine_name", [](const Session& session) { return session->engine_name(); })
      .def_prop_ro("engine_version", [](const Session& session) { return to_text(session->info().engine_version); })
      .def("infer", &Session::infer, nb::arg("feeds"), nb::arg("outputs").none() = nb::none())
      .def("close", &Session::close);
}

}  // namespace assay::python
