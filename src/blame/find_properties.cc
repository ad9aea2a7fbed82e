#include "blame/find_properties.h"

#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "blame/choose_least.h"

namespace assay::blame {
namespace {

// New properties are new rows. EXECUTION_MODE_HINT isn't here: it only chooses values of others.
constexpr std::array kProperties = {
    CarefulProperty{"INFERENCE_PRECISION_HINT", "f32", "computes in a lower precision than float32"},
    CarefulProperty{"DYNAMIC_QUANTIZATION_GROUP_SIZE", "0", "quantises the inputs of some layers"},
    CarefulProperty{"KV_CACHE_PRECISION", "f32", "stores keys and values of attention in a lower precision"},
    CarefulProperty{"LP_TRANSFORMS_MODE", "NO", "computes quantised layers with integers"},
    CarefulProperty{"SNIPPETS_MODE", "DISABLE", "compiles subgraphs into code of their own"},
    CarefulProperty{"INFERENCE_NUM_THREADS", "1", "adds partial sums in the order of its threads"},
};

std::string option(const CarefulProperty& property) {
  return fmt::format("config.{}", property.key);
}

}  // namespace

run::EngineSetup with_properties(run::EngineSetup engine, const std::vector<CarefulProperty>& properties) {
  for (const CarefulProperty& property : properties) engine.spec.options[option(property)] = property.value;
  return engine;
}

base::Expected<std::vector<CarefulProperty>> known_properties(const run::EngineSetup& engine, worker::Pool& pool,
                                                              base::Log& log) {
  std::vector<CarefulProperty> known;
  for (const CarefulProperty& property : kProperties) {
    if (engine.spec.options.contains(option(property))) continue;
    const auto version = pool.engine_version(with_properties(engine, {property}).spec, engine.limits);
    if (version) {
      known.push_back(property);
      continue;
    }
    if (!std::holds_alternative<worker::Failed>(version.error())) {
      return base::fail(worker::to_error(version.error(), engine.engine));
    }
    log.verbose("{} is left out: {}", property.key, worker::to_error(version.error(), engine.engine).message());
  }
  return known;
}

base::Expected<PropertyFindings> find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                                 const std::vector<CarefulProperty>& properties,
                                                 const EngineJudge& judge, base::Log& log) {
  PropertyFindings found{.as_it_is = {}, .tried = properties, .guilty = {}};
  const auto run_with = [&](const std::vector<CarefulProperty>& set) -> base::Expected<Agreement> {
    ++found.runs;
    ASSAY_ASSIGN(Agreement judged, judge(with_properties(engine, set), model));
    std::vector<std::string> words;
    for (const CarefulProperty& property : set) words.push_back(fmt::format("{}={}", property.key, property.value));
    log.info("{}: {}", words.empty() ? "the engine's own settings" : base::join(words, " "), judged.text);
    return judged;
  };
  ASSAY_ASSIGN(found.as_it_is, run_with({}));
  if (found.as_it_is.agrees) return found;
  const auto agrees_with = [&](const std::vector<CarefulProperty>& set) -> base::Expected<bool> {
    ASSAY_ASSIGN(const Agreement judged, run_with(set));
    return judged.agrees;
  };
  ASSAY_ASSIGN(found.guilty, choose_least_of(properties, agrees_with));
  return found;
}

}  // namespace assay::blame
