// Each slot is a thread that waits for a job, writes the candidate to its own file and runs the check. Cancelling
// requests the job's own stop and forgets the ticket; the slot is busy until the check has exited, but already accepts
// the next job.
#include "reduce/judge/slot_judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <system_error>
#include <utility>

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

fs::path slot_path(const fs::path& artifact, int slot) {
  if (slot == 0) return artifact;
  return artifact.parent_path() / fmt::format("{}.{}{}", artifact.stem().string(), slot, artifact.extension().string());
}

}  // namespace

base::Expected<std::unique_ptr<SlotJudges>> SlotJudges::make(const SlotSetup& setup, const model::Model& original,
                                                             ModelFileJudge judge, const base::Stop& stop,
                                                             base::Log& log) {
  ASSAY_ASSIGN(auto scratch, ScratchFiles::claim(setup.artifact, log));
  if (setup.keep) scratch->keep();
  std::vector<fs::path> paths;
  for (int i = 0; i < std::max(1, setup.slots); ++i) paths.push_back(slot_path(setup.artifact, i));
  ASSAY_TRY(scratch->add(paths));
  std::unique_ptr<SlotJudges> judges(new SlotJudges(setup, original, std::move(scratch), std::move(judge), stop, log));
  ASSAY_TRY(judges->begin(log));
  return judges;
}

// Continues with fewer slots if the system can't start more threads.
base::Status SlotJudges::begin(base::Log& log) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    try {
      slots_[i].thread = std::thread([this, &slot = slots_[i]] { serve(slot); });
    } catch (const std::system_error& error) {
      if (i == 0) return base::fail(base::ErrorKind::io, std::string("cannot start a thread: ") + error.what());
      log.warning("Only {} threads for checks could be started: {}", i, error.what());
      const std::lock_guard lock(mutex_);
      slots_.resize(i);
      return {};
    }
  }
  return {};
}

SlotJudges::SlotJudges(const SlotSetup& setup, const model::Model& original, std::unique_ptr<ScratchFiles> scratch,
                       ModelFileJudge judge, const base::Stop& stop, base::Log& log)
    : remove_(!setup.keep && !setup.leave),
      scratch_(std::move(scratch)),
      writer_(original, {.artifact = setup.artifact, .weights = setup.weights}, *scratch_, stop, log),
      judge_(std::move(judge)),
      stop_(stop),
      slots_(static_cast<std::size_t>(std::max(1, setup.slots))) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].path = slot_path(setup.artifact, static_cast<int>(i));
}

SlotJudges::~SlotJudges() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (Slot& slot : slots_) {
      slot.waiting.reset();
      if (slot.running) slot.running->stop->request();
    }
  }
  work_.notify_all();
  for (Slot& slot : slots_) {
    if (slot.thread.joinable()) slot.thread.join();
  }
}

Judges::Ticket SlotJudges::start(std::shared_ptr<const model::Model> candidate) {
  auto job = std::make_unique<Job>();
  job->model = std::move(candidate);
  job->stop = std::make_unique<base::Stop>(base::Stop::PartOf{stop_});
  const std::lock_guard lock(mutex_);
  const Ticket ticket = job->ticket = ++last_;
  const auto idle = [](const Slot& slot) { return !slot.running && !slot.waiting; };
  const auto nearly = [](const Slot& slot) { return !slot.waiting && slot.running->cancelled; };
  auto slot = std::ranges::find_if(slots_, idle);
  if (slot == slots_.end()) slot = std::ranges::find_if(slots_, nearly);
  assert(slot != slots_.end() && "more tickets are open than there are slots");
  slot->waiting = std::move(job);
  work_.notify_all();
  return ticket;
}

Judges::Ended SlotJudges::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return !ended_.empty(); });
  return take(ended_.begin());
}

std::optional<Judges::Ended> SlotJudges::poll() {
  const std::lock_guard lock(mutex_);
  if (ended_.empty()) return std::nullopt;
  return take(ended_.begin());
}

Judges::Ended SlotJudges::take(std::deque<Ended>::iterator at) {
  Ended ended = std::move(*at);
  ended_.erase(at);
  return ended;
}

std::optional<Judges::Ended> SlotJudges::cancel(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(ended_, ticket, &Ended::ticket);
  if (at != ended_.end()) return take(at);
  for (Slot& slot : slots_) {
    if (slot.waiting && slot.waiting->ticket == ticket) slot.waiting.reset();
    if (slot.running && slot.running->ticket == ticket) {
      slot.running->cancelled = true;
      slot.running->stop->request();
    }
  }
  return std::nullopt;
}

base::Expected<Verdict> SlotJudges::judge_original() {
  const Ticket ticket = start(nullptr);
  std::unique_lock lock(mutex_);
  const auto own = [&] { return std::ranges::find(ended_, ticket, &Ended::ticket); };
  done_.wait(lock, [&] { return own() != ended_.end(); });
  return take(own()).verdict;
}

void SlotJudges::serve(Slot& slot) {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return ending_ || slot.waiting; });
    if (!slot.waiting) return;
    slot.running = std::move(slot.waiting);
    Job& job = *slot.running;
    lock.unlock();
    base::Expected<Verdict> verdict = judge(job, slot.path);
    job.model.reset();
    lock.lock();
    if (!job.cancelled) {
      ended_.push_back({job.ticket, std::move(verdict)});
      done_.notify_all();
    }
    slot.running.reset();
  }
}

base::Expected<Verdict> SlotJudges::judge(const Job& job, const fs::path& path) {
  if (job.stop->requested()) return base::fail(base::ErrorKind::interrupted, "stopped before a check");
  ASSAY_TRY(job.model ? writer_.write(*job.model, path) : writer_.copy_original(path));
  base::Expected<Verdict> verdict = judge_(path, *job.stop);
  std::error_code ignored;
  if (remove_) fs::remove(path, ignored);
  return verdict;
}

}  // namespace assay::reduce
