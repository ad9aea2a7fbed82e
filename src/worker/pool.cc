// Decides which workers are started, reused and ended.
//
// A session owns its worker. When a session ends, the worker unloads its model and stays idle until the same
// engine with the same options is requested. Only then does the pool read the worker's answer to the unload request, so
// that ending a session never waits. A worker that dies while unloading is replaced, and the next model isn't blamed.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "worker/engine.h"
#include "worker/starter.h"
#include "worker/worker.h"

namespace assay::worker {
namespace {

constexpr double kUnloadTime = 2;  // seconds; a worker that takes longer is replaced
// Seconds that an engine may take to start, at least. A Python interpreter that imports large packages on a busy
// machine takes longer than many models run, and a limit for the model must not end it.
constexpr double kTimeToStart = 30;

tl::unexpected<Failure> failure(Failure reason) {
  return tl::unexpected<Failure>(std::move(reason));
}

// Calls the worker and converts the answer to the type that belongs to the request.
template <class T>
Outcome<T> ask(Worker& worker, const Request& request, const Deadline& deadline) {
  auto reply = worker.call(request, deadline);
  if (!reply) return failure(std::move(reply).error());
  return std::get<T>(*std::move(reply));
}

// Returns true if an idle worker has unloaded its last model. Doesn't wait for a worker that is still opening its
// engine.
bool has_unloaded(Worker& worker) {
  const Deadline deadline({.time_s = kUnloadTime, .memory_bytes = {}});
  return worker.alive() && (!worker.opened || !worker.is_due() || worker.await(deadline));
}

// The limits for an engine that starts.
Limits limits_of_start(Limits limits) {
  if (limits.time_s) limits.time_s = std::max(*limits.time_s, kTimeToStart);
  return limits;
}

// An engine that doesn't start in time isn't a model that hangs.
Failure failure_of_start(Failure failure) {
  const auto* timed_out = std::get_if<TimedOut>(&failure);
  if (timed_out == nullptr) return failure;
  return Failed{Phase::start, 0, fmt::format("it did not start within {:g} s", timed_out->limit_s)};
}

Request open_request(const EngineSpec& spec) {
  return OpenRequest{kProtocol, spec.library.string(), spec.options};
}

}  // namespace

class Pool::Impl {
 public:
  Impl(Options options, const base::Stop& stop) : options_(std::move(options)), stop_(stop) {}
  ~Impl() {
    for (const auto& worker : idle_) worker->kill();
  }

  void prepare(const EngineSpec& spec);
  void keep_warm(std::size_t workers);
  // Returns a worker that has opened the engine and that obeys `stop` until it is returned. Starts the time of
  // `limits` only after the worker has unloaded an earlier model and opened the engine, and sets `deadline` to it.
  Outcome<std::unique_ptr<Worker>> acquire(const EngineSpec& spec, const Limits& limits,
                                           std::optional<Deadline>& deadline, const base::Stop& stop);
  void put_back(std::unique_ptr<Worker> worker);

 private:
  std::unique_ptr<Worker> take_idle(const EngineSpec& spec);
  void put_idle(std::unique_ptr<Worker> worker);
  Outcome<std::unique_ptr<Worker>> start(const EngineSpec& spec);

  Options options_;
  const base::Stop& stop_;
  Starter starter_;  // must outlive all workers
  std::mutex mutex_;
  std::deque<std::unique_ptr<Worker>> idle_;  // starts with the one that has been idle longest
};

std::unique_ptr<Worker> Pool::Impl::take_idle(const EngineSpec& spec) {
  for (;;) {
    std::unique_ptr<Worker> worker;
    {
      const std::lock_guard lock(mutex_);
      const auto at = std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& idle) { return idle->spec == spec; });
      if (at == idle_.rend()) return nullptr;
      worker = std::move(*at);
      idle_.erase(std::next(at).base());
    }
    if (has_unloaded(*worker)) return worker;
  }
}

void Pool::Impl::put_idle(std::unique_ptr<Worker> worker) {
  std::unique_ptr<Worker> too_many;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
  if (idle_.size() > options_.max_idle) {
    too_many = std::move(idle_.front());
    idle_.pop_front();
  }
}

Outcome<std::unique_ptr<Worker>> Pool::Impl::start(const EngineSpec& spec) {
  return Worker::start(options_.worker_dir, spec, starter_, stop_);
}

void Pool::Impl::keep_warm(std::size_t workers) {
  const std::lock_guard lock(mutex_);
  options_.max_idle = std::max(options_.max_idle, workers);
}

void Pool::Impl::prepare(const EngineSpec& spec) {
  {
    const std::lock_guard lock(mutex_);
    const auto is_there = [&](const auto& idle) { return idle->spec == spec; };
    if (stop_.requested() || std::ranges::any_of(idle_, is_there)) return;
  }
  auto worker = start(spec);
  if (!worker) return;  // load() fails in the same way and reports it
  (*worker)->post(open_request(spec));
  put_idle(*std::move(worker));
}

Outcome<std::unique_ptr<Worker>> Pool::Impl::acquire(const EngineSpec& spec, const Limits& limits,
                                                     std::optional<Deadline>& deadline, const base::Stop& stop) {
  Outcome<std::unique_ptr<Worker>> worker = take_idle(spec);
  deadline.emplace(*worker && (*worker)->opened ? limits : limits_of_start(limits));
  if (stop.requested()) return failure(Stopped{});
  if (!*worker) worker = start(spec);
  if (!worker) return worker;
  (*worker)->stop_on(stop);
  if ((*worker)->opened) return worker;
  if (!(*worker)->is_due()) (*worker)->post(open_request(spec));
  auto opened = (*worker)->await(*deadline);
  if (!opened) return failure(failure_of_start(std::move(opened).error()));
  deadline.emplace(limits);
  (*worker)->version = std::get<Opened>(*opened).version;
  (*worker)->opened = true;
  return worker;
}

void Pool::Impl::put_back(std::unique_ptr<Worker> worker) {
  if (!worker->alive() || stop_.requested()) return;
  worker->stop_on(stop_);
  worker->post(UnloadRequest{});
  put_idle(std::move(worker));
}

namespace {

class PooledSession final : public Session {
 public:
  using PutBack = std::function<void(std::unique_ptr<Worker>)>;
  PooledSession(std::unique_ptr<Worker> worker, SessionInfo info, PutBack put_back)
      : worker_(std::move(worker)), info_(std::move(info)), put_back_(std::move(put_back)) {}
  ~PooledSession() override { put_back_(std::move(worker_)); }

  [[nodiscard]] const SessionInfo& info() const override { return info_; }

  Outcome<InferResult> infer(const tensor::NamedTensors& feeds, const std::vector<std::string>& wanted,
                             const Limits& limits) override {
    auto inferred = ask<Inferred>(*worker_, InferRequest{feeds, wanted}, Deadline(limits));
    if (!inferred) return failure(std::move(inferred).error());
    return std::move(inferred->result);
  }

 private:
  std::unique_ptr<Worker> worker_;
  SessionInfo info_;
  PutBack put_back_;
};

}  // namespace

Pool::Pool(Options options, const base::Stop& stop)
    : impl_(std::make_shared<Impl>(std::move(options), stop)), stop_(stop) {}
Pool::Pool(Pool& shared, const base::Stop& stop) : impl_(shared.impl_), stop_(stop) {}
Pool::~Pool() = default;

void Pool::prepare(const EngineSpec& spec) {
  impl_->prepare(spec);
}

void Pool::keep_warm(std::size_t workers) {
  impl_->keep_warm(workers);
}

Outcome<std::unique_ptr<Session>> Pool::load(const EngineSpec& spec, const ModelSource& model, const Limits& limits) {
  std::optional<Deadline> deadline;
  auto worker = impl_->acquire(spec, limits, deadline, stop_);
  if (!worker) return failure(std::move(worker).error());
  auto loaded = ask<Loaded>(**worker, LoadRequest{model}, *deadline);
  if (!loaded) {
    impl_->put_back(*std::move(worker));
    return failure(std::move(loaded).error());
  }
  loaded->info.engine_version = (*worker)->version;
  return std::make_unique<PooledSession>(*std::move(worker), std::move(loaded->info),
                                         [impl = impl_.get()](auto ended) { impl->put_back(std::move(ended)); });
}

Outcome<std::string> Pool::engine_version(const EngineSpec& spec, const Limits& limits) {
  std::optional<Deadline> deadline;
  auto worker = impl_->acquire(spec, limits, deadline, stop_);
  if (!worker) return failure(std::move(worker).error());
  std::string version = (*worker)->version;
  impl_->put_back(*std::move(worker));
  return version;
}

}  // namespace assay::worker
