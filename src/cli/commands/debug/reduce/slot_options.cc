#include "cli/commands/debug/reduce/slot_options.h"

#include "cli/options/validators.h"
#include "reduce/choice_words.h"

namespace assay::cli {

void SlotOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Iterative Debugging";
  app.add_option(
         "--jobs", jobs_,
         "Run up to this many checks at once. The result doesn't depend on it. Each running check gets its own file: "
         "its path replaces {model} and the name of --iter-artifact in the words of --check, and is in the "
         "environment variable ASSAY_MODEL. A check that uses none of these runs alone")
      ->option_text("COUNT")
      ->check(between(1, 1024))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option(
         "--iter-weights", weights_,
         "Store the weights of candidates inline (in the tested file; up to 2 GiB), external (in a file next to it: "
         "the model's own if it is there, else a copy, made once), linked (like external, but a hard link "
         "instead of a copy, which ONNX's Python loader rejects), or auto (inline for models with up to 256 MiB "
         "of weights, else external)")
      ->check(CLI::IsMember(reduce::words_of(reduce::kIterWeights)))
      ->capture_default_str()
      ->group(kGroup);
}

reduce::IterWeights SlotOptions::weights() const {
  return reduce::find_choice(reduce::kIterWeights, weights_).value_or(reduce::IterWeights::automatic);
}

}  // namespace assay::cli
