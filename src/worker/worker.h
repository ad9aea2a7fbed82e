// One worker process, as the tool sees it: it is asked, and it answers or it is ended.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "base/stop.h"
#include "worker/channel.h"
#include "worker/child.h"
#include "worker/engine.h"
#include "worker/output_capture.h"
#include "worker/protocol.h"
#include "worker/starter.h"
#include "worker/watch.h"

namespace assay::worker {

class Worker {
 public:
  // Starts `program`; nothing has been asked of it yet. Errors: Failed in phase start where it cannot be started.
  static Outcome<std::unique_ptr<Worker>> start(const std::filesystem::path& program, Starter& starter,
                                                const base::Stop& stop);

  // Asks and waits for the answer, which is of the kind that the question has. A Failed leaves the worker alive; any
  // other failure ends it, at once and not politely: a worker holds nothing that would have to be put in order.
  Outcome<Reply> call(const Request& request, const Deadline& deadline);
  // Asks without waiting, for a request that is small. The answer is due then, and await() takes it, as call() would.
  void post(const Request& request);
  [[nodiscard]] bool is_due() const { return pending_ != 0; }
  Outcome<Reply> await(const Deadline& deadline);
  // From now on this, which must outlive the next call of it, ends what the worker is asked.
  void heed(const base::Stop& stop) { stop_ = &stop; }
  // Has it end, and does not wait for that; the destructor does.
  void kill();
  // False once it was ended, or has ended by itself.
  [[nodiscard]] bool alive() const { return alive_ && !child_.ended(); }

  EngineSpec spec;      // what it is opened with
  bool opened = false;  // its engine is open
  std::string version;  // of its engine

 private:
  Worker(Child child, OutputPipe output, Channel channel, const base::Stop& stop);
  // Ends it. What the exchange that failed, and its way of ending, say about it.
  Failure end(Event event, Progress progress, const Limits& limits);
  void end();
  Outcome<Reply> receive(Watch& watch, const Limits& limits, std::size_t kind);

  Child child_;
  OutputPipe output_;
  Channel channel_;
  const base::Stop* stop_;
  bool alive_ = true;
  std::size_t pending_ = 0;  // index in Reply of the answer that is due; 0: none
};

}  // namespace assay::worker
