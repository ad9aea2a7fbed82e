// How far a reduction has come, for the user.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct Progress {
  std::string_view pass{};                   // the pass or phase that proposed the latest candidate; a string literal
  std::optional<std::int64_t> nodes_left{};  // of the smallest candidate that fails; nothing before one has failed
  int checks = 0;                            // made by this run
  int earlier = 0;                           // verdicts of an earlier run
  bool is_smaller = false;                   // a smaller candidate has just failed, and the log says so

  // A candidate whose verdict has just become known. The texts are valid during the call.
  struct Ended {
    std::int64_t nodes = 0;
    Verdict::Kind kind = Verdict::Kind::passes;
    Verdict::Cause cause = Verdict::Cause::unknown;
    std::string_view what{};  // what was tried: "without Conv 'conv_7'"
    std::string_view text{};  // how the check ended: "exit status 1"
    double seconds = 0;       // that the check took
    bool known = false;       // an equal candidate was judged before, so this verdict took no check
  };
  std::optional<Ended> ended{};  // absent: a candidate was proposed
};

// Called when a search has proposed a candidate and when its verdict is known, by the thread that drives the reduction.
using ShowProgress = std::function<void(const Progress&)>;

}  // namespace assay::reduce
