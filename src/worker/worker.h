// One worker process, as seen by Assay: it answers a request, or it is killed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/locked_temp_dir.h"
#include "base/stop.h"
#include "worker/channel.h"
#include "worker/child.h"
#include "worker/engine.h"
#include "worker/output_capture.h"
#include "worker/protocol.h"
#include "worker/starter.h"
#include "worker/watch.h"

namespace assay::worker {

// The environment variable with the path of a worker's folder for files, if it gets one.
inline constexpr const char* kScratchVariable = "ASSAY_SCRATCH_DIR";

class Worker {
 public:
  // Starts the worker of `engine`, in this folder, without sending a request. Errors: Failed in phase start.
  static Outcome<std::unique_ptr<Worker>> start(const std::filesystem::path& folder, const EngineSpec& engine,
                                                Starter& starter, const base::Stop& stop);

  // Sends a request and waits for the answer, which has the type that belongs to the request. After Failed the worker
  // stays alive; any other failure kills it at once, because a worker has no state to clean up.
  Outcome<Reply> call(const Request& request, const Deadline& deadline);
  // Sends a request, or its first part if the socket takes no more, without waiting. The answer is then due: await()
  // sends the rest and receives the answer as call() would.
  void post(const Request& request);
  [[nodiscard]] bool is_due() const { return pending_ != 0; }
  Outcome<Reply> await(const Deadline& deadline);
  // Makes later requests end when `stop` is requested. It must live until the next call of stop_on().
  void stop_on(const base::Stop& stop) { stop_ = &stop; }
  // Kills the process without waiting for its end; the destructor waits.
  void kill();
  // Returns false if the worker was ended or its process has ended.
  [[nodiscard]] bool alive() const { return alive_ && !child_.ended(); }

  EngineSpec spec;      // the engine that it opens
  bool opened = false;  // whether the engine is open
  std::string version;  // the engine's version, once it is open

 private:
  Worker(std::optional<base::LockedTempDir> scratch, Child child, OutputPipe output, Channel channel,
         const base::Stop& stop);
  // Ends the worker after a failed exchange. Returns the failure, derived from the exchange and how the process ended.
  Failure end(Event event, Progress progress, const Limits& limits);
  void end();
  // Sends what is left of the request and receives the answer. `kind` is the index in Reply that it must have unless it
  // is Refused.
  Outcome<Reply> exchange(const Deadline& deadline, std::size_t kind);

  std::optional<base::LockedTempDir> scratch_;  // removed after the child has ended
  Child child_;
  OutputPipe output_;
  Channel channel_;
  const base::Stop* stop_;
  bool alive_ = true;
  std::size_t pending_ = 0;  // index in Reply of the answer that is due; 0 if none is
};

}  // namespace assay::worker
