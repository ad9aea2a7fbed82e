#include "blame/precision_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "blame/build_engine.h"
#include "blame/network_layers.h"
#include "blame/value_ranges.h"
#include "run/ask_network.h"
#include "run/layer_precisions.h"

namespace assay::blame {

base::Expected<PrecisionLayers> PrecisionLayers::make(Setting setting, worker::Pool& pool, base::Log& log) {
  PrecisionLayers subject(std::move(setting), pool, log);
  const Setting& given = subject.setting_;
  ASSAY_ASSIGN(const auto network, run::ask_network(given.engine, given.model, pool));
  subject.layers_ = layers_with_precision(network);
  if (!subject.layers_.empty()) return subject;
  return base::fail(base::ErrorKind::invalid_input, "no layer of the network has a precision that can be chosen",
                    given.name, "Give a model with float32 nodes");
}

std::string PrecisionLayers::describe(const PrecisionCandidate& layer) const {
  return fmt::format("layer '{}'", layer.name);
}

std::vector<int> PrecisionLayers::suspects(const std::map<std::string, double>& largest) const {
  return blame::suspects(layers_, largest, {});
}

base::Expected<PrecisionSubject::Reference> PrecisionLayers::reference() const {
  return Reference{.engine = run::in_float32(setting_.engine), .model = setting_.model};
}

base::Expected<Agreement> PrecisionLayers::judge(const std::set<int>& keep, const OutputJudge& judge) const {
  ASSAY_ASSIGN(const run::EngineSetup engine, engine_for(keep));
  return judge.judge(engine, setting_.model);
}

base::Status PrecisionLayers::write(const std::set<int>& keep, const std::filesystem::path& file) const {
  ASSAY_ASSIGN(const run::EngineSetup engine, engine_for(keep));
  return build_engine(engine, setting_.model, file, *pool_, *log_);
}

std::vector<std::string> PrecisionLayers::options_for(const std::set<int>& keep) const {
  std::vector<std::string> options;
  if (!setting_.engine.spec.options.contains("--precision-constraints")) options = {"--precision-constraints", "obey"};
  options.emplace_back("--layer-precisions");
  std::ranges::move(words_for(keep), std::back_inserter(options));
  return options;
}

std::vector<std::string> PrecisionLayers::words_for(const std::set<int>& keep) const {
  std::vector<std::string> names;
  for (const PrecisionCandidate& layer : layers_) {
    if (keep.contains(layer.number)) names.push_back(layer.name);
  }
  return run::layer_precision_words(names, setting_.precision);
}

base::Expected<run::EngineSetup> PrecisionLayers::engine_for(const std::set<int>& keep) const {
  return run::with_layer_precisions(setting_.engine, words_for(keep));
}

}  // namespace assay::blame
