#include "inspect/engine_values.h"

#include <functional>
#include <map>
#include <string>

#include "base/counted.h"
#include "data/results_reader.h"
#include "stats/read_block.h"
#include "stats/summary.h"
#include "tensorrt/engine_names.h"

namespace assay::inspect {
namespace {

using tensorrt::EngineInfo;
using tensorrt::EngineTensor;
using Ranges = std::map<std::string, tensorrt::ValueRange, std::less<>>;

// Calls visit(tensor) for each tensor of the engine's layers and bindings.
template <class Visit>
void visit_tensors(EngineInfo& engine, const Visit& visit) {
  for (tensorrt::EngineProfile& profile : engine.profiles) {
    for (tensorrt::EngineBinding& binding : profile.bindings) visit(binding.tensor);
    for (tensorrt::EngineLayer& layer : profile.layers) {
      for (EngineTensor& tensor : layer.inputs) visit(tensor);
      for (EngineTensor& tensor : layer.outputs) visit(tensor);
    }
  }
}

base::Expected<Ranges> read_ranges(data::ResultsReader& results) {
  Ranges ranges;
  ASSAY_ASSIGN(const data::IterationArrays outputs, results.arrays(0, 0));
  for (const std::string& name : outputs.names()) {
    ASSAY_ASSIGN(const tensor::Tensor values, outputs.read(name));
    if (values.size() == 0 || !stats::is_numeric(values.type())) continue;
    const stats::Summary summary = stats::summarize(values);
    ranges[name] = {.least = summary.min, .greatest = summary.max, .mean = summary.mean};
  }
  return ranges;
}

}  // namespace

base::Status add_values(EngineInfo& engine, const std::filesystem::path& results, base::Log& log) {
  ASSAY_ASSIGN(const auto reader, data::ResultsReader::open(results));
  if (reader->runner_count() == 0 || reader->iteration_count(0) == 0) {
    return base::fail(base::ErrorKind::invalid_input, "there are no results", results.string(),
                      "Use a file that --save-outputs wrote");
  }
  if (reader->iteration_count(0) > 1) {
    log.warning("{} has {} of {}, of which the first is shown", results.string(),
                base::counted(reader->iteration_count(0), "iteration"), reader->runner_name(0));
  }
  ASSAY_ASSIGN(const auto ranges, read_ranges(*reader));
  bool any = false;
  visit_tensors(engine, [&](EngineTensor& tensor) {
    const auto found = ranges.find(tensorrt::split_profile(tensor.name).base);
    if (found == ranges.end()) return;
    tensor.range = found->second;
    any = true;
  });
  if (!any) log.warning("No tensor of {} is in the engine", results.string());
  return {};
}

}  // namespace assay::inspect
