#include "diagnose/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "compare/equal_specials_options.h"
#include "model/shapes.h"
#include "run/engine_words.h"

namespace assay::diagnose {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kRunsOfFlaky = "10";

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

// Returns the options for generated inputs that the reduction takes: it needs one set, however many the check
// generates.
Words words_for_one_set(Words words) {
  const auto count = std::ranges::find(words, "--iterations");
  if (count != words.end()) words.erase(count, count + 2);
  return words;
}

// Returns the options for the inputs of the reduction, or of its check. If an engine refuses a model with generated
// inputs, they are generated again for each candidate.
Words inputs_words(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file,
                   const char* shapes_option) {
  if (!facts.place.model_file.empty()) return {"--load-inputs", facts.place.inputs_file};
  if (needs_values_at_cuts(task, facts)) return {"--load-inputs", inputs_file.string()};
  Words words = task.data_words;
  const Words shapes = shapes_of_inputs(task);
  if (!shapes.empty()) words.emplace_back(shapes_option);
  append(words, shapes);
  return words;
}

// A model that is invalid fails the check of the file, whatever the engines say.
ReductionCommand reduction_of_defect(const Case& task) {
  ReductionCommand reduction{.words = {"debug", "reduce", task.file.string()}, .check = {}};
  reduction.check = {task.program.string(), "check", "lint", kCandidate};
  return reduction;
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

double time_limit(const Facts& facts) {
  if (facts.hung_s > 0) return facts.hung_s;
  constexpr double kAtLeast = 60;
  constexpr double kTimesTheWhole = 20;
  return std::ceil(std::max(kAtLeast, kTimesTheWhole * facts.slowest_s));
}

// A failure that shows in four of ten runs hides in all of 2 * 3 runs one time in twelve, and of 2 * 8 one time in two
// thousand; only slow models run less often.
int repeats_of(const Facts& facts) {
  constexpr double kSlow = 1;  // seconds
  return facts.slowest_s < kSlow ? 8 : 3;
}

bool needs_values_at_cuts(const Case& task, const Facts& facts) {
  const bool can_generate = task.inputs_are_random && facts.failure == Failure::refused;
  return facts.failure != Failure::none && facts.place.model_file.empty() && !can_generate;
}

ReductionCommand reduction_of(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file) {
  if (facts.failure == Failure::none) return reduction_of_defect(task);
  const bool has_piece = !facts.place.model_file.empty();
  const std::string model = has_piece ? facts.place.model_file : task.file.string();
  ReductionCommand reduction{.words = {"debug", "reduce", model}, .check = {"assay", "run", kCandidate}};
  append(reduction.words, words_for_one_set(inputs_words(task, facts, inputs_file, "--model-input-shapes")));
  append(reduction.check, sides_of_check(task, facts));
  append(reduction.check, inputs_words(task, facts, inputs_file, "--input-shapes"));
  const bool with_saved = facts.failure == Failure::differs && !good_engine(task, facts);
  if (with_saved) {
    // Saved values are valid for unchanged nodes only, so nothing may happen to the model but that nodes are removed.
    append(reduction.words, {"--mode", "linear"});
    append(reduction.check, {"--load-outputs", has_piece ? facts.place.golden_file : task.golden_file.string()});
  }
  if (facts.failure == Failure::random || facts.is_intermittent) append(reduction.words, {"--repeat", kRunsOfFlaky});
  // A candidate that an engine can't run at all is another failure.
  if (facts.failure == Failure::differs || facts.failure == Failure::random) {
    append(reduction.words, {"--fail-regex", "Outputs that differ"});
  }
  append(reduction.check, task.run_words);
  // As the steps before judge them: otherwise every part with a mask of infinities would fail the check.
  const bool compares = facts.failure == Failure::differs || facts.failure == Failure::random;
  for (const char* option : compare::kEqualSpecialsOptions) {
    const bool is_given = std::ranges::find(task.run_words, option) != task.run_words.end();
    if (!is_given && compares) reduction.check.emplace_back(option);
  }
  if (!task.sides.at(facts.faulty_side).setup.limits.time_s) {
    append(reduction.check, {"--engine-timeout", fmt::format("{:g}", time_limit(facts))});
  }
  return reduction;
}

}  // namespace assay::diagnose
