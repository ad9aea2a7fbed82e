// A Loop in parts: one iteration of its body in the open, with the iterations before it still in a Loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

struct LoopNode {
  std::string output;                  // its first, by which it is known
  std::optional<std::int64_t> rounds;  // the most that it runs, where the model or a recorded value says so
};
// Those of the outer graph that can be unrolled.
std::vector<LoopNode> loops_of(const PassInput& input);

// Iteration `number`, counted from 0, takes the Loop's place, behind a Loop of the iterations before it, which gives
// what is carried; for 0, and where nothing is carried, there is none. What the Loop stacks becomes the slice of that
// iteration. Where it ends by its condition sooner, the iteration runs on what it left. Nothing where the Loop is none
// of loops_of().
std::optional<edit::ModelChange> unroll_to(const PassInput& input, const std::string& loop, std::int64_t number);

}  // namespace assay::reduce
