// Windows need the size of each tensor before it is computed. Shape inference usually knows it, or TensorRT's network.
// The rest costs one run of the engine that returns shapes only, which is skipped if even a generous guess leaves the
// budget far from exhausted.
#include "run/window_sizes.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "model/graph_view.h"
#include "model/input_specs.h"
#include "run/engine_runner.h"
#include "run/tensor_sizes.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;

constexpr std::uint64_t kGuess = 1 << 20;   // least number of bytes assumed for a tensor of unknown size
constexpr std::uint64_t kCareless = 4;      // no need to ask the engine if the guess fits so many times
constexpr std::uint64_t kUnknownShare = 8;  // tensors of unknown size in one window

// Finds the sizes that only a run can tell. A size that the engine doesn't report stays unknown.
void ask_engine(const LayerRun& run, const Names& tensors, const RunPlan& plan, worker::Pool& pool,
                std::vector<TensorSize>& sizes, base::Log& log) {
  const model::GraphView view(run.model.graph());
  Names unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].bytes || view.find(tensors[i]) == model::kNone) continue;
    unknown.push_back(tensors[i]);
    places.push_back(i);
  }
  if (unknown.empty()) return;
  log.info("Running the model once to find the sizes of {} of {} tensors", unknown.size(), tensors.size());
  const auto source = shapes_source(run.model, unknown);
  if (!source) return;
  EngineRunner runner(for_another_model(run.engines.front().setup), *source, pool);
  base::SilentLog silent;
  if (!runner.activate(silent)) return;
  const auto inputs = plan.inputs(0, runner.inputs());
  if (!inputs || !*inputs) return;
  const auto shapes = runner.run(0, **inputs, silent);
  if (!shapes || (*shapes)->outputs.size() != places.size()) return;
  auto place = places.begin();
  for (const auto& [name, shape] : (*shapes)->outputs) {
    TensorSize& size = sizes[*place++];
    if (shape.type() == tensor::ElementType::int64) size.bytes = bytes_of(size.type, shape);
  }
}

// Fills in sizes that shape inference couldn't find with those of TensorRT's networks.
void ask_networks(const LayerRun& run, const Names& tensors, std::vector<TensorSize>& sizes) {
  std::unordered_map<std::string_view, TensorSize> declared;
  for (const LayerEngine& engine : run.engines) {
    for (std::size_t i = 0; i < engine.sizes.size(); ++i) declared.try_emplace(engine.tensors[i], engine.sizes[i]);
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto found = declared.find(tensors[i]);
    if (!sizes[i].bytes && found != declared.end()) sizes[i] = found->second;
  }
}

}  // namespace

WindowSizes find_window_sizes(const LayerRun& run, const Names& tensors, const RunPlan& plan, worker::Pool& pool,
                              std::uint64_t budget, base::Log& log) {
  const std::vector<tensor::TensorSpec> ports = model::input_specs(run.model);
  const auto inputs = plan.inputs(0, ports);  // if they are unavailable, the run reports the error
  const bool known_inputs = inputs && *inputs;
  std::vector<TensorSize> sizes = infer_sizes(run.model, tensors, known_inputs ? **inputs : tensor::NamedTensors());
  OutputForecast forecast(run.model, ports, tensors, sizes);
  ask_networks(run, tensors, sizes);
  const auto sum_up = [&] {
    std::uint64_t known = 0, largest = kGuess, unknown = 0;
    for (const TensorSize& size : sizes) {
      known += size.bytes.value_or(0);
      largest = std::max(largest, size.bytes.value_or(0));
      unknown += size.bytes ? 0 : 1;
    }
    return std::tuple(known, largest, unknown);
  };
  const auto [known, largest, unknown] = sum_up();
  const bool fits_in_any_case = (known + unknown * largest) <= budget / kCareless;
  if (unknown > 0 && !fits_in_any_case) ask_engine(run, tensors, plan, pool, sizes, log);
  std::vector<std::uint64_t> bytes;
  for (const TensorSize& size : sizes) {
    bytes.push_back(size.bytes.value_or(fits_in_any_case ? largest : std::max(budget / kUnknownShare, kGuess)));
  }
  return {std::move(bytes), std::move(forecast)};
}

}  // namespace assay::run
