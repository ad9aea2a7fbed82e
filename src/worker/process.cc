#include "worker/process.h"

#include "worker/child.h"
#include "worker/output_capture.h"
#include "worker/watch.h"

namespace assay::worker {
namespace {

constexpr std::chrono::milliseconds kGrace{1000};  // between SIGTERM and SIGKILL

}  // namespace

base::Expected<Outcome<Exited>> run(const Command& command, const Limits& limits, const base::Stop& stop) {
  if (stop.requested()) return tl::make_unexpected(Failure(Stopped{}));
  const Deadline deadline(limits);
  ASSAY_ASSIGN(OutputPipe output, OutputPipe::create());
  ASSAY_ASSIGN(Child child, Child::start(command, {.output = output.write_fd()}));
  output.close_write_end();

  const Event event = Watch(child, output, deadline, stop).wait();
  if (event != Event::ended) child.end(event == Event::out_of_memory ? std::chrono::milliseconds(0) : kGrace, output);
  const ExitStatus status = child.reap();
  output.drain();

  if (event == Event::stopped) return tl::make_unexpected(Failure(Stopped{}));
  if (event == Event::timed_out) return tl::make_unexpected(Failure(TimedOut{*limits.time_s}));
  if (event == Event::out_of_memory) return tl::make_unexpected(Failure(OutOfMemory{*limits.memory_bytes, {}}));
  if (status.kernel_oom) return tl::make_unexpected(Failure(OutOfMemory{0, "the kernel killed it"}));
  if (status.signal != 0) return tl::make_unexpected(Failure(Crashed{status.signal, 0, output.capture().text()}));
  return Exited{status.code, output.capture().text()};
}

}  // namespace assay::worker
