// The checks that run now, at most one for each slot.
//
// A running check that is no longer wanted continues until its slot is needed: it may be wanted again.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/explore/known_candidates.h"
#include "reduce/explore/strategy.h"
#include "reduce/judge/judges.h"

namespace assay::reduce {

struct WantedCheck {
  CandidateRun run;
  Draft draft;        // from which the model was built
  SharedModel model;  // to be judged
};

class RunningChecks {
 public:
  struct Ended {
    CandidateRun run;
    Draft draft;
    int search = 0;  // the number of the search during which the check was started
    base::Expected<Verdict> verdict;
  };
  // `judges` must outlive this object.
  explicit RunningChecks(Judges& judges) : judges_(judges) {}
  RunningChecks(const RunningChecks&) = delete;
  RunningChecks& operator=(const RunningChecks&) = delete;

  [[nodiscard]] std::size_t slots() const { return static_cast<std::size_t>(judges_.slots()); }
  // Returns true if any run of this candidate is under way.
  [[nodiscard]] bool has(const std::string& hash) const;

  // Returns how many checks of each candidate were started, by its hash.
  [[nodiscard]] const std::map<std::string, int>& started() const { return started_; }

  // Starts those of these checks that don't run yet, as many as there are slots; checks that aren't in the list make
  // room. Returns checks that turned out to have ended before they were cancelled.
  std::vector<Ended> start(const std::vector<WantedCheck>& wanted, int search);
  // Waits until a check has ended. Returns all that have, up to one that ended with an error.
  std::vector<Ended> wait();
  // Returns those that turned out to have ended.
  std::vector<Ended> cancel_all();

 private:
  struct Running {
    CandidateRun run;
    Draft draft;
    int search = 0;
  };
  Ended take(Judges::Ended ended);
  void cancel(Judges::Ticket ticket, std::vector<Ended>& ended);

  Judges& judges_;
  std::map<Judges::Ticket, Running> running_;
  std::map<std::string, int> started_;
};

}  // namespace assay::reduce
