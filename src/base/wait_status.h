// Says what Assay waits for if that takes long: on a terminal in a line that is redrawn in place, elsewhere by a
// message now and then.
//
// An engine may need minutes to load a large model, and only the engine knows how far it is. Without a word from Assay,
// that looks like a hang.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/log.h"

namespace assay::base {

class WaitStatus {
 public:
  struct Intervals {
    std::chrono::milliseconds look{500};  // time between two looks at the waits, each of which redraws the line
    // The age at which a wait first appears in the line, and the one at which the first message reports it. Each
    // further message follows at twice the age of the one before.
    std::chrono::milliseconds line_after{2'000};
    std::chrono::milliseconds message_after{30'000};
  };

  // One wait. It ends when this object is destroyed.
  class Wait {
   public:
    Wait(WaitStatus& status, std::string what) : status_(status), id_(status.begin(std::move(what))) {}
    ~Wait() { status_.end(id_); }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    WaitStatus& status_;
    std::uint64_t id_;
  };

  // `log` must outlive this object. If it shows no information, nothing happens.
  explicit WaitStatus(Log& log) : WaitStatus(log, Intervals()) {}
  WaitStatus(Log& log, Intervals intervals);
  ~WaitStatus();  // erases the line
  WaitStatus(const WaitStatus&) = delete;
  WaitStatus& operator=(const WaitStatus&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    std::string what;
    Clock::time_point since;
    Clock::duration next_message;  // its age
  };

  // Thread-safe, like Wait.
  std::uint64_t begin(std::string what);
  void end(std::uint64_t id);
  void keep_looking(const std::stop_token& ending);
  void draw();
  void tell();

  Log& log_;
  const Intervals intervals_;
  const bool redraws_;
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::map<std::uint64_t, Waiting> waits_;  // by number, so the oldest first
  std::uint64_t last_id_ = 0;
  bool is_drawn_ = false;
  std::jthread thread_;  // last, since it uses the others
};

}  // namespace assay::base
