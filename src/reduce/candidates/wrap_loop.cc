// A state that the candidate only reads becomes a captured tensor.
#include "reduce/candidates/bound_loops.h"
#include "reduce/candidates/wrapping.h"

namespace assay::reduce {

bool LoopWrapping::fit() {
  const auto loop = read_loop(before_);
  if (!loop || loop->body != &old_) return false;
  const int states = loop->states;
  node_.mutable_input()->DeleteSubrange(kBeforeStates, states);
  for (int i = 0; i < kBeforeStates; ++i) {
    *body_.add_input() = old_.input(i);
    placed_.insert(old_.input(i).name());
  }
  *body_.add_output() = claim_output(old_.output(0).name()) ? old_.output(0) : old_.input(1);
  edit::Renames renames;
  for (int i = 0; i < states; ++i) {
    const int input = i + kBeforeStates;
    const std::string& inner = old_.input(input).name();
    if (!takes(inner)) continue;
    if (claim_output(old_.output(i + 1).name())) {
      keep_state(old_.input(input), *outputs_.at(old_.output(i + 1).name()), before_.input(input), before_.output(i));
    } else {
      placed_.insert(inner);
      renames.emplace(inner, before_.input(input));
    }
  }
  if (!capture_inputs(renames)) return false;
  stack_outputs(states, 1, {});
  edit::rename_tensors(body_, renames);
  keep_finite();
  return true;
}

void LoopWrapping::keep_finite() {
  if (!condition_varies(old_) || condition_varies(body_) || has_few_rounds(outer_, node_)) return;
  const std::string name = names_.make("rounds");
  change_.primitives.emplace_back(edit::SetInitializer{{}, int64_scalar(name, kRoundsIfUnknown)});
  node_.set_input(0, name);
}

}  // namespace assay::reduce
