// Unrolls a Loop partly: one iteration of its body is opened, and the iterations before it stay in a Loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

struct LoopNode {
  std::string output;                  // its first output, which identifies it
  std::optional<std::int64_t> rounds;  // upper bound of its iterations, if the model or a recorded value gives one
};
// Returns the Loops of the outer graph that can be unrolled.
std::vector<LoopNode> loops_of(const PassInput& input);

struct UnrolledLoop {
  edit::ModelChange change;
  std::string before;  // the first output of the Loop of the iterations before; empty if that Loop is omitted
};
// Returns the change that replaces the Loop by iteration `number`, counted from 0, after a Loop of the iterations
// before it, which computes the carried values; that Loop is omitted for iteration 0 and if nothing is carried. Stacked
// outputs become the slice of this iteration. If the Loop's condition ends it sooner, the iteration starts from the
// state that it left. Returns nothing if the Loop isn't among loops_of().
std::optional<UnrolledLoop> unroll_to(const PassInput& input, const std::string& loop, std::int64_t number);

}  // namespace assay::reduce
