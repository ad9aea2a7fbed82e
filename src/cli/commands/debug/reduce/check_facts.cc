#include "cli/commands/debug/reduce/check_facts.h"

#include <algorithm>
#include <optional>

#include "base/absolute_path.h"
#include "base/shell_text.h"
#include "cli/checks/own_command.h"
#include "cli/commands/run/run_settings.h"
#include "reduce/judge/command_for.h"
#include "run/tensorrt_settings.h"

namespace assay::cli {
namespace {

template <class T>
void tighten(std::optional<T>& limit, const std::optional<T>& other) {
  if (other) limit = std::min(limit.value_or(*other), *other);
}

// Returns those of the first saved runner; nothing if the check loads none.
std::optional<SavedOutputs> saved_outputs(run::RunSettings& settings) {
  if (settings.saved.empty() || settings.saved.front().iterations.empty()) return std::nullopt;
  auto& iterations = settings.saved.front().iterations;
  return SavedOutputs{.first = std::move(iterations.front().outputs),
                      .iterations = iterations.size(),
                      .marks = std::move(settings.marks)};
}

}  // namespace

CheckFacts facts_of_check(const std::vector<std::string>& command, const worker::Limits& limits, Context& context) {
  CheckFacts facts{.limits = limits};
  Context quiet{*facts.silent, context.out, context.stop, context.pool, context.installation, context.words};
  auto settings = settings_of_run(command, quiet);
  if (!settings) return facts;
  facts.engines = std::move(settings->engines);
  facts.generates_inputs = settings->inputs->considers_ports();
  facts.shapes = std::move(settings->shapes);
  facts.inputs = std::move(settings->inputs);
  facts.saved = saved_outputs(*settings);
  for (const run::EngineSetup& engine : facts.engines) {
    tighten(facts.limits.time_s, engine.limits.time_s);
    tighten(facts.limits.memory_bytes, engine.limits.memory_bytes);
  }
  return facts;
}

// TensorRT's profiles may mention inputs that the model doesn't have only if the user says so.
std::vector<std::string> words_for_candidates(const std::vector<run::EngineSetup>& engines, base::Log& log) {
  const auto refuses = [](const run::EngineSetup& engine) {
    return run::has_profiles(engine) && !engine.spec.options.contains(run::kOptionalProfiles);
  };
  if (std::ranges::none_of(engines, refuses)) return {};
  log.info("Added {} to the check, since candidates may lack inputs of the model", run::kOptionalProfiles);
  return {run::kOptionalProfiles};
}

std::vector<std::string> commands_on_result(const std::vector<std::string>& check,
                                            const std::filesystem::path& artifact, const std::filesystem::path& result,
                                            const Installation& installation) {
  const auto takes_any = [](const std::string& word) { return word.find(reduce::kModelWord) != std::string::npos; };
  const bool is_next_to_it = base::absolute_path(result).parent_path() == base::absolute_path(artifact).parent_path();
  std::vector<std::string> commands;
  worker::Command command;
  if (is_next_to_it || std::ranges::any_of(check, takes_any)) {
    command = reduce::command_for(check, artifact, result);
  } else {
    commands.push_back(base::shell_text({"cp", result.string(), artifact.string()}));
    command = reduce::command_for(check, artifact, artifact);
  }
  std::string line = base::shell_text(command.argv);
  if (!is_own_command(check, installation)) {
    for (const auto& [name, value] : command.environment) line.insert(0, name + "=" + base::shell_text({value}) + " ");
  }
  commands.push_back(std::move(line));
  return commands;
}

}  // namespace assay::cli
