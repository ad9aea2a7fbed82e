// Judges for tests: a function of the model on any number of slots, whose checks end in random order.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduce/judge/judges.h"

namespace assay::reduce::test {

class FunctionJudges final : public Judges {
 public:
  using Function = std::function<Verdict(const model::Model&)>;
  FunctionJudges(int slots, Function judge) : slots_(slots), judge_(std::move(judge)) {}

  [[nodiscard]] int slots() const override { return slots_; }
  Ticket start(std::shared_ptr<const model::Model> candidate) override {
    ++started;
    most_at_once = std::max(most_at_once, running_.size() + 1);
    running_.emplace(++last_, std::move(candidate));
    return last_;
  }
  // Picks a random running check: the order must not matter.
  Ended wait() override {
    auto at = running_.begin();
    std::advance(at, std::uniform_int_distribution<std::size_t>(0, running_.size() - 1)(random_));
    const auto [ticket, model] = *at;
    running_.erase(at);
    return {.ticket = ticket, .verdict = judge_(*model)};
  }
  // Some have ended by now; some of those that are cancelled had ended, too.
  std::optional<Ended> poll() override {
    return running_.empty() || random_() % 2 == 0 ? std::nullopt : std::optional(wait());
  }
  std::optional<Ended> cancel(Ticket ticket) override {
    const auto at = running_.find(ticket);
    const auto model = at->second;
    running_.erase(at);
    if (random_() % 4 == 0) return Ended{.ticket = ticket, .verdict = judge_(*model)};
    ++cancelled;
    return std::nullopt;
  }

  [[nodiscard]] std::size_t running() const { return running_.size(); }

  int started = 0;
  int cancelled = 0;
  std::size_t most_at_once = 0;

 private:
  int slots_;
  Function judge_;
  Ticket last_ = 0;
  std::map<Ticket, std::shared_ptr<const model::Model>> running_;
  std::mt19937 random_{1};
};

// A pool of machines with a simulated clock, on which each check takes one unit of time.
class TimedJudges final : public Judges {
 public:
  TimedJudges(int slots, FunctionJudges::Function judge) : slots_(slots), judge_(std::move(judge)) {}

  [[nodiscard]] int slots() const override { return slots_; }
  Ticket start(std::shared_ptr<const model::Model> candidate) override {
    running_.emplace(++last_, Running{std::move(candidate), now + 1});
    return last_;
  }
  Ended wait() override {
    const auto at = std::ranges::min_element(running_, {}, [](const auto& entry) { return entry.second.end; });
    now = at->second.end;
    const Ended ended{.ticket = at->first, .verdict = judge_(*at->second.model)};
    running_.erase(at);
    return ended;
  }
  std::optional<Ended> poll() override {
    const auto ended = [&](const auto& entry) { return entry.second.end <= now; };
    return std::ranges::any_of(running_, ended) ? std::optional(wait()) : std::nullopt;
  }
  std::optional<Ended> cancel(Ticket ticket) override {
    running_.erase(ticket);
    return std::nullopt;
  }

  int now = 0;

 private:
  struct Running {
    std::shared_ptr<const model::Model> model;
    int end = 0;
  };
  int slots_;
  FunctionJudges::Function judge_;
  Ticket last_ = 0;
  std::map<Ticket, Running> running_;
};

}  // namespace assay::reduce::test
