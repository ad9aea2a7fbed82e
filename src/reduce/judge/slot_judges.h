// Judges candidates with a check that reads files, on several slots, each with its own file and thread.
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

// Judges the model in a file. After the stop is requested, it soon returns with an error. Called from all slots at
// once.
using ModelFileJudge = std::function<base::Expected<Verdict>(const std::filesystem::path& model, const base::Stop&)>;

struct SlotSetup {
  std::filesystem::path artifact = "polygraphy_debug.onnx";  // slot 0's file; slot i has "polygraphy_debug.i.onnx"
  int slots = 1;
  IterWeights weights = IterWeights::automatic;
  bool keep = false;  // keep the candidates' files: the last one of each slot remains
  // Keep a candidate's file until the next one replaces it, or until the end, because it is sorted as an artifact.
  bool leave = false;
};

// The threads live as long as this object: the kernel kills a check's process together with the thread that started it.
class SlotJudges final : public Judges {
 public:
  // All candidates are derived from `original`. `stop` and `log` must outlive the result. Errors: invalid_input if a
  // slot's file exists already, or another run uses it.
  static base::Expected<std::unique_ptr<SlotJudges>> make(const SlotSetup& setup, const model::Model& original,
                                                          ModelFileJudge judge, const base::Stop& stop, base::Log& log);
  // Cancels running checks and removes all files, unless `keep` is set.
  ~SlotJudges() override;

  [[nodiscard]] int slots() const override { return static_cast<int>(slots_.size()); }
  // If the only free slots are those of cancelled checks that are still exiting, the check begins once one has exited.
  Ticket start(std::shared_ptr<const model::Model> candidate) override;
  Ended wait() override;
  std::optional<Ended> poll() override;
  std::optional<Ended> cancel(Ticket ticket) override;

  // Returns false if a copy of the original's file would lack its external data, which isn't in the artifact's folder.
  [[nodiscard]] bool can_judge_original() const { return writer_.can_copy_original(); }
  // Judges a byte-for-byte copy of the original's file, and waits for the verdict. At least one slot must be free.
  base::Expected<Verdict> judge_original();

 private:
  struct Job {
    Ticket ticket = 0;
    std::shared_ptr<const model::Model> model;  // null for the original's file
    std::unique_ptr<base::Stop> stop;
    bool cancelled = false;
  };
  struct Slot {
    std::filesystem::path path;
    std::unique_ptr<Job> waiting;
    std::unique_ptr<Job> running;
    std::thread thread;
  };

  SlotJudges(const SlotSetup& setup, const model::Model& original, std::unique_ptr<ScratchFiles> scratch,
             ModelFileJudge judge, const base::Stop& stop, base::Log& log);
  base::Status begin(base::Log& log);
  Ended take(std::deque<Ended>::iterator at);
  void serve(Slot& slot);
  base::Expected<Verdict> judge(const Job& job, const std::filesystem::path& path);

  bool remove_;                            // whether to remove a candidate's file once its check has ended
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
