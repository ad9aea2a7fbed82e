#include "locate/save_piece.h"

#include <algorithm>

#include "data/inputs_file.h"
#include "data/run_results.h"
#include "model/load.h"

namespace assay::locate {
namespace {

constexpr std::uint64_t kMostInnerBytes = 256 << 20;

std::filesystem::path beside(const std::filesystem::path& model, const char* ending) {
  return model.parent_path() / (model.stem().string() + ending);
}

}  // namespace

PieceFiles name_files(const std::filesystem::path& model, const std::filesystem::path& inputs, PieceSides sides) {
  PieceFiles files{.model = model, .against = {}, .inputs = inputs, .golden = {}};
  if (inputs.empty()) files.inputs = beside(model, "_inputs.json");
  if (sides.two_models) files.against = beside(model, "_against.onnx");
  if (sides.two_models || sides.saved_results) files.golden = beside(model, "_golden.json");
  return files;
}

base::Expected<PieceValues> values_of(const std::vector<CellId>& cells, const std::vector<std::string>& outputs,
                                      const Skeleton& skeleton, ValueFetcher& fetcher) {
  PieceValues values;
  std::uint64_t bytes = 0;
  for (const CellId cell : cells) {
    const std::vector<std::string>& results = skeleton.results[static_cast<std::size_t>(cell)];
    ASSAY_TRY(fetcher.read_golden(results));
    for (const std::string& name : results) {
      const tensor::Tensor* value = fetcher.values().find(name);
      if (value == nullptr) continue;
      const bool leaves = std::ranges::find(outputs, name) != outputs.end();
      bytes += value->bytes().size();
      if (!leaves && bytes <= kMostInnerBytes) values.inner.set(name, *value);
      if (leaves || bytes <= kMostInnerBytes) values.good.set(name, *value);
    }
  }
  return values;
}

base::Status save_piece(const Question& piece, const PieceValues& values, const PieceFiles& files,
                        const model::SaveOptions& options, base::Log& log) {
  ASSAY_TRY(model::save(piece.first.part.model, files.model, options, log));
  if (!files.against.empty()) {
    const model::SaveOptions another = model::options_for_another(options, "against_");
    ASSAY_TRY(model::save(piece.second->part.model, files.against, another, log));
  }
  tensor::NamedTensors inputs = piece.first.feeds;
  for (const auto& [name, value] : values.inner) inputs.set(name, value);
  ASSAY_TRY(data::save_inputs(files.inputs, {inputs}));
  if (files.golden.empty()) return {};
  data::RunResults results;
  results.runner("golden").iterations.push_back({.outputs = values.good, .runtime_s = {}, .runner = "golden"});
  return data::save_run_results(files.golden, results);
}

base::Expected<bool> verify_piece(const Question& piece, const PieceFiles& files, Pair& pair,
                                  const compare::ComparePlan& plan) {
  const Part& part = piece.first.part;
  Question again;
  again.names = piece.names;
  again.first.part = {
      .model = {}, .inputs = part.inputs, .outputs = part.outputs, .nodes = part.nodes, .is_piece = part.is_piece};
  ASSAY_ASSIGN(again.first.part.model, model::load(files.model));
  ASSAY_ASSIGN(const auto inputs, data::load_inputs(files.inputs));
  for (const std::string& name : part.inputs) {
    if (const tensor::Tensor* value = inputs.at(0).find(name)) again.first.feeds.set(name, *value);
  }
  if (piece.second && files.against.empty()) {
    again.second = again.first;
  } else if (piece.second) {
    again.second = *piece.second;
    ASSAY_ASSIGN(again.second->part.model, model::load(files.against));
  }
  ASSAY_ASSIGN(const Answers answers, pair.run(again));
  return any_differs(answers.first, answers.second, plan);
}

}  // namespace assay::locate
