// Judges candidates by a check that looks at files, on several slots, each with a file and a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "reduce/candidates/candidate_writer.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/judge/judges.h"

namespace assay::reduce {

// Judges the model in a file; once the stop is requested it ends soon, with an error. Called from all slots at once.
using ModelFileJudge = std::function<base::Expected<Verdict>(const std::filesystem::path& model, const base::Stop&)>;

struct SlotOptions {
  std::filesystem::path artifact = "polygraphy_debug.onnx";  // slot 0's file; slot i has "polygraphy_debug.i.onnx"
  int slots = 1;
  IterWeights weights = IterWeights::automatic;
  bool keep = false;  // leave the candidates' files, of which each slot then has its last
  // Leave a candidate's file until the next one takes its place, or until the end: it is sorted as an artifact.
  bool leave = false;
};

// The file of a slot, beside the artifact.
std::filesystem::path slot_path(const std::filesystem::path& artifact, int slot);

// The threads live as long as this object does: the kernel kills a process with the thread that started it.
class SlotJudges final : public Judges {
 public:
  // `original`: what all candidates come from. The rest must outlive the result. Errors: invalid_input where a slot's
  // file is there already, or another run uses it.
  static base::Expected<std::unique_ptr<SlotJudges>> make(const SlotOptions& options, const model::Model& original,
                                                          ModelFileJudge judge, const base::Stop& stop, base::Log& log);
  // Cancels what runs, and removes all files.
  ~SlotJudges() override;

  [[nodiscard]] int slots() const override { return static_cast<int>(slots_.size()); }
  // Where the only free slots are those of cancelled checks that are not gone yet, it begins once one is.
  Ticket start(std::shared_ptr<const model::Model> candidate) override;
  Ended wait() override;
  std::optional<Ended> poll() override;
  std::optional<Ended> cancel(Ticket ticket) override;

  // Judges the original's file, byte for byte, and waits for it; no ticket may be open. Unresolved where it cannot be
  // copied, as its external data is not in the artifact's folder.
  base::Expected<Verdict> judge_original();

 private:
  struct Job {
    Ticket ticket = 0;
    std::shared_ptr<const model::Model> model;  // null: the original's file
    std::unique_ptr<base::Stop> stop;
    bool cancelled = false;
  };
  struct Slot {
    std::filesystem::path path;
    std::unique_ptr<Job> waiting;
    std::unique_ptr<Job> running;
    std::thread thread;
  };

  SlotJudges(const SlotOptions& options, const model::Model& original, std::unique_ptr<ScratchFiles> scratch,
             ModelFileJudge judge, const base::Stop& stop, base::Log& log);
  base::Status begin(base::Log& log);
  Ended take(std::deque<Ended>::iterator at);
  void serve(Slot& slot);
  base::Expected<Verdict> judge(const Job& job, const std::filesystem::path& path);

  bool remove_;                            // a candidate's file once its check has ended
  std::unique_ptr<ScratchFiles> scratch_;  // outlives the threads
  CandidateWriter writer_;
  ModelFileJudge judge_;
  const base::Stop& stop_;

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  bool ending_ = false;
  Ticket last_ = 0;
  std::vector<Slot> slots_;
  std::deque<Ended> ended_;
};

}  // namespace assay::reduce
