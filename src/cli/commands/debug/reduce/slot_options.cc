#include "cli/commands/debug/reduce/slot_options.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/checks/check_runner.h"
#include "cli/checks/sees_candidates.h"
#include "cli/options/validators.h"
#include "reduce/choice_words.h"
#include "reduce/judge/check_command.h"
#include "reduce/judge/command_for.h"

namespace assay::cli {
namespace {

std::optional<std::string> why_alone(const reduce::CheckSetup& check, const IterationOptions& iterations,
                                     const Installation& installation) {
  if (iterations.has_artifacts()) return "--artifacts sorts the files of one check at a time";
  if (iterations.setup().info) return "--iter-info describes one iteration at a time";
  return reduce::why_alone(check.command, check.artifact, installation.engines.path);
}

}  // namespace

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

base::Expected<std::unique_ptr<reduce::SlotJudges>> make_judges(const CheckOptions& check,
                                                                const IterationOptions& iterations,
                                                                const SlotOptions& slots, const model::Model& original,
                                                                bool is_as_in_file, std::function<bool()> is_first,
                                                                Context& context) {
  if (!check.has_command()) {
    return base::fail(base::ErrorKind::invalid_input, "the check command is missing", "--check",
                      "Put the command that judges an iteration after --check");
  }
  ASSAY_ASSIGN(reduce::CheckSetup options, check.setup());
  options.artifact = iterations.iter_artifact();
  options.whole = original.path;
  options.whole_fails = is_as_in_file;
  options.is_first = std::move(is_first);
  ASSAY_TRY(verify_sees_candidates(options, context.installation, context.log));
  reduce::SlotSetup slot_options{.artifact = options.artifact,
                                 .slots = slots.jobs(),
                                 .weights = slots.weights(),
                                 .keep = iterations.keeps_iter_artifact(),
                                 .leave = iterations.sorts_iter_artifact()};
  if (slots.jobs() > 1) {
    if (const auto why = why_alone(options, iterations, context.installation)) {
      context.log.warning("--jobs {} is ignored, and one check runs at a time: {}", slots.jobs(), *why);
      slot_options.slots = 1;
    }
  }
  constexpr std::size_t kEngines = 2;  // that a check with `assay run` usually compares
  context.pool.keep_warm(kEngines * static_cast<std::size_t>(slot_options.slots));
  ASSAY_ASSIGN(
      reduce::CheckCommand command,
      reduce::CheckCommand::make(std::move(options), check_runner(context.installation, context.pool), context.log));
  auto judge = [command = std::move(command)](const std::filesystem::path& model, const base::Stop& stop) {
    return command.run(model, stop);
  };
  return reduce::SlotJudges::make(slot_options, original, std::move(judge), context.stop, context.log);
}

}  // namespace assay::cli
