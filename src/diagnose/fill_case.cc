#include "diagnose/fill_case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "backend/engine_table.h"
#include "backend/find_value_engines.h"
#include "base/absolute_path.h"
#include "data/check_runner_count.h"
#include "data/fit_inputs.h"
#include "data/run_results.h"
#include "model/input_specs.h"

namespace assay::diagnose {
namespace {

// Returns the engine without settings of the user's, or nothing if its library isn't found.
std::optional<Side> find_side(const backend::EngineRow& row, const backend::EngineSearch& search,
                              const worker::Limits& limits) {
  const auto library = backend::find_engine(row, {}, search);
  if (!library) return std::nullopt;
  Side side{.setup = {.runner = std::string(row.runner),
                      .engine = std::string(row.name),
                      .spec = backend::make_engine_spec(row, *library),
                      .limits = limits},
            .is_given = false};
  // An opinion is worth more if the engine computes as exactly as it can.
  row.exact.set_in(side.setup.spec.options);
  row.full_precision.set_in(side.setup.spec.options);
  return side;
}

bool is_given(const backend::EngineRow& row, const std::vector<Side>& sides) {
  return std::ranges::any_of(sides, [&](const Side& side) {
    return row.fixed_value.empty() ? side.setup.spec.kind == row.kind : is_reference(side);
  });
}

std::vector<Side> sides_of(const std::vector<run::EngineSetup>& given, const backend::EngineSearch& search) {
  std::vector<Side> sides;
  for (const run::EngineSetup& setup : given) {
    sides.push_back({.setup = setup});
    sides.back().setup.runner = data::short_runner_name(setup.runner);
  }
  const worker::Limits limits = given.front().limits;
  const std::size_t count = sides.size();
  std::optional<Side> reference, second;
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (!row.computes_values || is_given(row, sides)) continue;
    std::optional<Side>& place = row.fixed_value.empty() ? second : reference;
    if (!place) place = find_side(row, search, limits);
    // The user's interpreter is more likely to have the package than the one in PATH.
    for (std::size_t i = 0; place && i < count; ++i) {
      if (sides[i].setup.spec.kind == row.kind) place->setup.spec.library = sides[i].setup.spec.library;
    }
  }
  for (std::optional<Side>* side : {&reference, &second}) {
    if (*side) sides.push_back(**side);
  }
  return sides;
}

// Passes messages on, and keeps the warnings.
class WarningLog final : public base::Log {
 public:
  WarningLog(base::Log& log, std::vector<std::string>& warnings) : log_(log), warnings_(warnings) {}

  [[nodiscard]] bool shows(base::Level level) const override {
    return level == base::Level::warning || log_.shows(level);
  }
  void write(base::Level level, std::string_view message) override {
    if (level == base::Level::warning) warnings_.emplace_back(message);
    if (log_.shows(level)) log_.write(level, message);
  }

 private:
  base::Log& log_;
  std::vector<std::string>& warnings_;
};

}  // namespace

void add_sides(Case& task, const std::vector<run::EngineSetup>& given, const backend::EngineSearch& search,
               base::Log& log) {
  task.sides = sides_of(given, search);
  task.value_engines = backend::find_value_engines(search, log);
  task.usual_libraries = run::usual_libraries(search);
  for (const backend::FoundEngine& found : backend::find_engines(search)) {
    task.libraries.push_back({.kind = found.kind, .library = found.library, .version = found.version});
  }
}

base::Status add_inputs(Case& task, const data::InputsByIteration& inputs, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = model::input_specs(task.model);
  WarningLog first_log(log, task.misfits);
  for (std::int64_t i = 0;; ++i) {
    ASSAY_ASSIGN(auto values, inputs(i, specs));
    if (!values && task.inputs.empty()) {
      return base::fail(base::ErrorKind::invalid_input, "there are no inputs to run the model on", {},
                        "Give at least one set of inputs");
    }
    if (!values) return {};
    base::Log& this_log =
        task.inputs.empty() ? static_cast<base::Log&>(first_log) : log;  // further iterations say the same again
    ASSAY_ASSIGN(tensor::NamedTensors fitted, data::fit_inputs(*values, specs, this_log));
    task.inputs.push_back(std::move(fitted));
  }
}

base::Status add_golden(Case& task, const std::filesystem::path& file) {
  ASSAY_ASSIGN(task.golden, data::ResultsReader::open(file));
  ASSAY_TRY(data::check_one_runner(task.golden->runner_count(), file.string()));
  ASSAY_ASSIGN(data::RunResults results, data::load_run_results(file));
  task.golden_results = std::move(results.runners.front());
  const auto is_saved = [&](const onnx::ValueInfoProto& output) {
    return !task.golden_results->iterations.empty() &&
           task.golden_results->iterations.front().outputs.contains(output.name());
  };
  if (std::ranges::none_of(task.model.graph().output(), is_saved)) {
    return base::fail(base::ErrorKind::invalid_input, "no output of the model is among the saved results",
                      file.string(), "Save the results of this model");
  }
  task.golden_file = base::absolute_path(file);
  return {};
}

}  // namespace assay::diagnose
