#include "cli/options/slot_options.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/check_runner.h"
#include "reduce/judge/check_command.h"
#include "reduce/judge/command_for.h"

namespace assay::cli {
namespace {

using reduce::IterWeights;

const std::map<std::string, IterWeights>& weights_words() {
  static const std::map<std::string, IterWeights> words = {{"auto", IterWeights::automatic},
                                                           {"inline", IterWeights::inlined},
                                                           {"external", IterWeights::external},
                                                           {"linked", IterWeights::linked}};
  return words;
}

std::optional<std::string> why_alone(const reduce::CheckOptions& check, const IterationOptions& iterations,
                                     const Installation& installation) {
  if (iterations.has_artifacts()) return "the check leaves files (--artifacts), which are sorted one check at a time";
  if (iterations.iteration_options().info) return "--iter-info tells the check of one iteration at a time";
  return reduce::why_alone(check.command, check.artifact, installation.engines.path);
}

}  // namespace

void SlotOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Iterative Debugging";
  app.add_option("--jobs", jobs_,
                 "How many checks run at once. The result is the same for any number. Each check in flight has a file "
                 "of its own: the name of --iter-artifact, or {model}, in the words of --check is replaced by its "
                 "path, and the variable ASSAY_MODEL has it. A check that names none of these runs alone")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--iter-weights", weights_,
                 "Weights of the file that the check looks at: inline (in that file; up to 2 GiB), external (in a file "
                 "beside it: the model's own where it lies there, else a copy, made once), linked (as external, but a "
                 "hard link and no copy, which ONNX's Python loader does not take), or auto (inline for models with up "
                 "to 256 MiB of weights, else external)")
      ->check(CLI::IsMember({"auto", "inline", "external", "linked"}))
      ->capture_default_str()
      ->group(kGroup);
}

IterWeights SlotOptions::weights() const {
  return weights_words().at(weights_);
}

base::Expected<std::unique_ptr<reduce::SlotJudges>> make_judges(const CheckOptions& check,
                                                                const IterationOptions& iterations,
                                                                const SlotOptions& slots, const model::Model& original,
                                                                Context& context) {
  if (!check.has_command()) {
    return base::fail(base::ErrorKind::invalid_input, "there is no check command", "--check",
                      "Give the command that judges an iteration behind --check");
  }
  ASSAY_ASSIGN(reduce::CheckOptions options, check.check_options());
  options.artifact = iterations.iter_artifact();
  options.whole = original.path;
  reduce::SlotOptions slot_options{.artifact = options.artifact,
                                   .slots = slots.jobs(),
                                   .weights = slots.weights(),
                                   .keep = iterations.keeps_iter_artifact(),
                                   .leave = iterations.sorts_iter_artifact()};
  if (slots.jobs() > 1) {
    if (const auto why = why_alone(options, iterations, context.installation)) {
      context.log.warning("--jobs {} is not used: {}", slots.jobs(), *why);
      slot_options.slots = 1;
    }
  }
  constexpr std::size_t kEngines = 2;  // that a check of ours may compare
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
