// The interface for judging several candidates at a time.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "model/model.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

class Judges {
 public:
  using Ticket = int;
  struct Ended {
    Ticket ticket = 0;
    base::Expected<Verdict> verdict;  // an error ends the reduction: the check can't be started, a stop was requested
  };
  virtual ~Judges() = default;

  // Returns how many candidates can be judged at once, at least 1.
  [[nodiscard]] virtual int slots() const = 0;
  // Starts to judge a model on a free slot, without waiting. No more than slots() tickets may be open.
  virtual Ticket start(std::shared_ptr<const model::Model> candidate) = 0;
  // Waits until one of the open tickets has ended, and closes it.
  virtual Ended wait() = 0;
  // Closes a ticket that has ended already, or returns nothing if none has.
  virtual std::optional<Ended> poll() = 0;
  // Kills the check of an open ticket, with all its processes, and closes the ticket. Returns its verdict if it had
  // ended already.
  virtual std::optional<Ended> cancel(Ticket ticket) = 0;
};

}  // namespace assay::reduce
