// One request at a time, with one failure as the result of everything that can go wrong with it. A worker that
// disconnects is usually dying, so its end is awaited for a moment: how it died says more than the broken connection.
#include "worker/worker.h"

#include <poll.h>

#include <cstdlib>
#include <string_view>

#include "base/absolute_path.h"

namespace assay::worker {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLastOutput = 4096;  // bytes of output in a Crashed
constexpr double kTimeToExit = 0.5;        // seconds that a worker gets to exit after it has disconnected
// This worker writes models into a folder, for modules that read files. Assay creates and removes the folder, because a
// worker may be killed at any moment.
constexpr std::string_view kWritesModels = "python";

tl::unexpected<Failure> failure(Failure reason) {
  return tl::unexpected<Failure>(std::move(reason));
}

// Returns the index in Reply of the answer to a request: the answers follow Refused in the order of the requests.
std::size_t answer_to(const Request& request) {
  return request.index() + 1;
}
Phase phase_of(const Request& request) {
  if (std::holds_alternative<OpenRequest>(request)) return Phase::start;
  return std::holds_alternative<LoadRequest>(request) ? Phase::load : Phase::run;
}
static_assert(std::variant_size_v<Reply> == std::variant_size_v<Request> + 1);

constexpr const char* kSearchPath = "LD_LIBRARY_PATH";

// Returns the folders in which the dynamic linker searches for libraries that the engine opens by name: the user's,
// then that of the engine's library. The worker opens that one by its path, so the linker may not know its folder.
std::string search_path(const EngineSpec& engine) {
  const char* inherited = std::getenv(kSearchPath);
  const std::string path = inherited == nullptr ? "" : inherited;
  const std::string folder = engine.library.parent_path().string();
  return path.empty() || folder.empty() ? path + folder : path + ':' + folder;  // an empty entry: the working folder
}

}  // namespace

Worker::Worker(std::optional<base::LockedTempDir> scratch, Child child, OutputPipe output, Channel channel,
               const base::Stop& stop)
    : scratch_(std::move(scratch)),
      child_(std::move(child)),
      output_(std::move(output)),
      channel_(std::move(channel)),
      stop_(&stop) {}

Outcome<std::unique_ptr<Worker>> Worker::start(const std::filesystem::path& folder, const EngineSpec& engine,
                                               Starter& starter, const base::Stop& stop) {
  const std::filesystem::path program = folder / ("assay-worker-" + engine.kind);
  const auto cannot = [&program](const base::Error& error) {
    std::error_code code;
    const std::string why = std::filesystem::exists(program, code)
                                ? "cannot start a worker process: " + error.message()
                                : "its worker program " + program.string() +
                                      " is missing, so Assay is installed incompletely. Build or install Assay again";
    return failure(Failed{Phase::start, 0, why});
  };
  auto output = OutputPipe::create();
  if (!output) return cannot(output.error());
  auto ends = Channel::pair();
  if (!ends) return cannot(ends.error());
  Command command{.argv = {program.string()},
                  .environment = {},
                  .folder = {},
                  .guard = base::absolute_path(folder / "assay-guard")};
  if (engine.opens_by_name) command.environment.emplace_back(kSearchPath, search_path(engine));
  std::optional<base::LockedTempDir> scratch;
  if (engine.kind == kWritesModels) {
    // Most modules don't need the folder, so the worker reports that it is missing only if it does.
    if (auto created = base::LockedTempDir::create("python")) scratch = *std::move(created);
    command.environment.emplace_back(kScratchVariable, scratch ? scratch->path().string() : "");
  }
  auto child =
      starter.start(command, {.output = output->write_fd(), .channel = ends->second.get(), .core_dumps = false});
  if (!child) return cannot(child.error());
  output->close_write_end();
  ends->second.reset();
  std::unique_ptr<Worker> worker(
      new Worker(std::move(scratch), *std::move(child), *std::move(output), Channel(std::move(ends->first)), stop));
  worker->spec = engine;
  return worker;
}

Failure Worker::end(Event event, Progress progress, const Limits& limits) {
  alive_ = false;
  bool exited = event == Event::ended;
  if (event == Event::ready && progress != Progress::garbage) {
    // The worker disconnected, perhaps because it is dying.
    const Deadline moment({.time_s = kTimeToExit, .memory_bytes = {}});
    exited = Watch(child_, output_, moment, *stop_).wait() == Event::ended;
  }
  if (!exited) child_.end(milliseconds(0), output_);
  const ExitStatus status = child_.reap();
  scratch_.reset();
  output_.drain();

  if (event == Event::stopped) return Stopped{};
  if (event == Event::timed_out) return TimedOut{limits.time_s.value_or(0)};
  if (event == Event::out_of_memory) return OutOfMemory{limits.memory_bytes.value_or(0), {}};
  if (status.kernel_oom && exited) return OutOfMemory{0, "the kernel killed it"};
  if (progress == Progress::garbage) return ProtocolError{"it is not a message"};
  const bool on_purpose = exited && status.signal == 0 && status.code == 0;
  if (progress == Progress::cut_short && (on_purpose || !exited))
    return ProtocolError{"it disconnected in the middle of a message"};
  if (!exited) return ProtocolError{"it disconnected without an answer"};
  return Crashed{status.signal, status.code, output_.capture().end(kLastOutput)};
}

void Worker::kill() {
  if (alive_) child_.kill();
}

void Worker::end() {
  if (!alive_) return;
  alive_ = false;
  child_.end(milliseconds(0), output_);
  child_.reap();
  scratch_.reset();
}

Outcome<Reply> Worker::exchange(const Deadline& deadline, std::size_t kind) {
  const Limits& limits = deadline.limits();
  Watch watch(child_, output_, deadline, *stop_);
  Progress progress = Progress::again;
  while ((progress = channel_.send()) == Progress::again) {
    const Event event = watch.wait(channel_.fd(), POLLOUT);
    if (event != Event::ready) return failure(end(event, progress, limits));
  }
  if (progress != Progress::done) return failure(end(Event::ready, progress, limits));
  while ((progress = channel_.receive()) == Progress::again) {
    const Event event = watch.wait(channel_.fd(), POLLIN);
    if (event != Event::ready) return failure(end(event, progress, limits));
  }
  if (progress != Progress::done) return failure(end(Event::ready, progress, limits));
  auto reply = decode_reply(channel_.take());
  if (!reply) {
    end();
    return failure(ProtocolError{reply.error().message()});
  }
  if (auto* refused = std::get_if<Refused>(&*reply)) {
    if (!refused->out_of_memory) return failure(std::move(refused->failed));
    end();
    return failure(OutOfMemory{0, std::move(refused->failed.message)});
  }
  if (reply->index() != kind) {
    end();
    return failure(ProtocolError{"it answered another request"});
  }
  return *std::move(reply);
}

Outcome<Reply> Worker::call(const Request& request, const Deadline& deadline) {
  const Limits& limits = deadline.limits();
  if (!alive_) return failure(ProtocolError{"the worker has exited"});
  if (stop_->requested()) return failure(end(Event::stopped, Progress::again, limits));
  auto packet = encode(request);
  const base::Status started = packet ? channel_.start_send(*std::move(packet)) : base::fail(packet.error());
  if (!started) return failure(Failed{phase_of(request), 0, started.error().message()});

  output_.capture().clear();
  return exchange(deadline, answer_to(request));
}

void Worker::post(const Request& request) {
  auto packet = encode(request);
  const bool started = packet && channel_.start_send(*std::move(packet));
  const Progress progress = started ? channel_.send() : Progress::closed;
  pending_ = answer_to(request);
  if (progress != Progress::done && progress != Progress::again) end();
}

Outcome<Reply> Worker::await(const Deadline& deadline) {
  if (!alive_) return failure(ProtocolError{"the worker has exited"});
  return exchange(deadline, std::exchange(pending_, 0));
}

}  // namespace assay::worker
