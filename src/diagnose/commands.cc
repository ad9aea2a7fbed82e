#include "diagnose/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/shapes.h"
#include "run/engine_words.h"

namespace assay::diagnose {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// The engines of the check, in the order in which outputs are compared: the one at fault first.
Words sides_of_check(const Case& task, const Facts& facts) {
  Words words = run::engine_words(task.sides.at(facts.faulty_side).setup, task.usual_libraries);
  if (facts.failure == Failure::random) append(words, Words(words));
  if (facts.failure == Failure::not_finite) words.emplace_back("--validate");
  if (facts.failure != Failure::differs) return words;
  const auto good = good_engine(task, facts);
  if (good) append(words, run::engine_words(*good, task.usual_libraries));
  return words;
}

// "x:[2,3]" for each input of the model that doesn't have fixed sizes.
Words shapes_of_inputs(const Case& task) {
  Words words;
  for (const onnx::ValueInfoProto& input : task.model.graph().input()) {
    const tensor::Tensor* value = task.inputs.empty() ? nullptr : task.inputs.front().find(input.name());
    if (value == nullptr || model::is_static(model::tensor_info(input))) continue;
    words.push_back(fmt::format("{}:[{}]", input.name(), fmt::join(value->shape(), ",")));
  }
  return words;
}

// Sets the inputs of the run. If an engine refuses a model with generated inputs, they are generated again for each
// candidate.
void set_inputs(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file,
                run::FailingRun& failing) {
  if (!facts.place.model_file.empty()) {
    failing.inputs = {"--load-inputs", facts.place.inputs_file};
  } else if (needs_values_at_cuts(task, facts)) {
    failing.inputs = {"--load-inputs", inputs_file.string()};
  } else {
    failing.inputs = task.data_words;
    failing.input_shapes = shapes_of_inputs(task);
  }
}

}  // namespace

std::string name_of(const Case& task, const Facts& facts, int side) {
  if (side == kGolden) return "the saved results";
  if (side < 0) return "the other side";
  const run::EngineSetup& setup = task.sides.at(side).setup;
  if (is_reference(task.sides.at(side))) return "the reference evaluator";
  const auto version = facts.versions.find(setup.runner);
  const auto twins = std::ranges::count_if(
      task.sides, [&](const Side& other) { return other.setup.engine == setup.engine && !is_reference(other); });
  std::string name = setup.engine;
  const auto module = setup.spec.options.find("module");
  if (module != setup.spec.options.end()) {
    name = "the Python engine " + std::filesystem::path(module->second).filename().string();
  }
  // "2026.4.1-22982-..." and "2.0 (Python 3.11)" say more than a sentence needs; a module without a version has
  // "Python 3.11.7".
  if (version != facts.versions.end() && !version->second.empty() && !version->second.starts_with("Python ")) {
    name += " " + version->second.substr(0, version->second.find_first_of("- "));
  }
  return twins > 1 && setup.spec.kind != "python" ? fmt::format("{} ('{}')", name, setup.runner) : name;
}

std::optional<run::EngineSetup> good_engine(const Case& task, const Facts& facts) {
  if (facts.faulty_side >= 0 && !facts.setting.plain.empty()) {
    return with_options(task.sides.at(facts.faulty_side).setup, facts.setting.plain);
  }
  if (facts.good_side < 0) return std::nullopt;
  return task.sides.at(facts.good_side).setup;
}

void note_time(const std::string& runner, const Trial& trial, Facts& facts) {
  const double seconds = std::max(trial.load_s, trial.run_s);
  facts.slowest_s = std::max(facts.slowest_s, seconds);
  double& slowest = facts.engine_s[runner];
  slowest = std::max(slowest, seconds);
}

double slowest_s_of_check(const Case& task, const Facts& facts) {
  std::vector<std::string> runners = {task.sides.at(facts.faulty_side).setup.runner};
  const bool compares = facts.failure == Failure::differs;
  // An engine that refuses a model ends early, so its time doesn't say how long it would take for a part that it runs.
  const bool guesses =
      facts.failure == Failure::refused && facts.good_side >= 0 && !is_reference(task.sides.at(facts.good_side));
  if (compares || guesses) {
    if (const auto good = good_engine(task, facts)) runners.push_back(good->runner);
  }
  double slowest = 0;
  for (const std::string& runner : runners) {
    const auto known = facts.engine_s.find(runner);
    // Journals of older versions don't have the times of single engines.
    slowest = std::max(slowest, known == facts.engine_s.end() ? facts.slowest_s : known->second);
  }
  return slowest;
}

double time_limit(const Facts& facts, double slowest_s) {
  if (facts.hung_s > 0) return facts.hung_s;
  constexpr double kAtLeast = 60;
  constexpr double kTimesTheWhole = 20;
  return std::ceil(std::max(kAtLeast, kTimesTheWhole * slowest_s));
}

// A failure that shows in four of ten runs hides in all of 2 * 3 runs one time in twelve, and of 2 * 8 one time in two
// thousand; only slow models run less often.
int repeats_of(double slowest_s) {
  constexpr double kSlow = 1;  // seconds
  return slowest_s < kSlow ? 8 : 3;
}

bool needs_values_at_cuts(const Case& task, const Facts& facts) {
  const bool can_generate = task.inputs_are_random && facts.failure == Failure::refused;
  return facts.failure != Failure::none && facts.place.model_file.empty() && !can_generate;
}

run::ReductionWords reduction_of(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file) {
  if (facts.failure == Failure::none) {
    // A model that is invalid fails the check of the file, whatever the engines say.
    return {.command = {"debug", "reduce", task.file.string()},
            .check = {task.program.string(), "check", "lint", run::kCandidate}};
  }
  const bool has_piece = !facts.place.model_file.empty();
  run::FailingRun failing{.model = has_piece ? facts.place.model_file : task.file.string(),
                          .engines = sides_of_check(task, facts),
                          .comparison = task.run_words};
  set_inputs(task, facts, inputs_file, failing);
  if (!task.sides.at(facts.faulty_side).setup.limits.time_s) {
    append(failing.engines,
           {"--engine-timeout", fmt::format("{:g}", time_limit(facts, slowest_s_of_check(task, facts)))});
  }
  if (facts.failure == Failure::differs && !good_engine(task, facts)) {
    failing.golden = has_piece ? facts.place.golden_file : task.golden_file.string();
  }
  failing.compares = facts.failure == Failure::differs || facts.failure == Failure::random;
  failing.is_intermittent = facts.failure == Failure::random || facts.is_intermittent;
  return run::reduction_words(failing);
}

}  // namespace assay::diagnose
