#include "bindings/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "backend/find_setting.h"
#include "bindings/arrays.h"
#include "bindings/errors.h"
#include "bindings/installation.h"
#include "model/inference/symbolic_shapes.h"
#include "model/shapes.h"
#include "tensor/generate.h"

namespace assay::python {
namespace {

// Checks that the file after the engine's flag is given as a setting, and exists: "module" of "python".
void check_module(const backend::EngineRow& row, const Engine& engine) {
  const auto file = engine.second.find(std::string(row.value_key));
  if (file == engine.second.end()) {
    raise({base::ErrorKind::invalid_input,
           fmt::format("{} needs the setting '{}'", engine.first, row.value_key),
           {},
           fmt::format("Give (\"{}\", {{\"{}\": \"engine.py\"}})", engine.first, row.value_key)});
  }
  std::error_code ignored;
  if (std::filesystem::exists(file->second, ignored)) return;
  raise({base::ErrorKind::not_found, "there is no such Python module", file->second,
         "Give the path of a .py file that has load() and infer()"});
}

// Returns the worker's option for a setting, whose name may be written like a parameter: graph_optimization_level.
std::optional<std::string> find_option(const backend::EngineRow& row, const std::string& name) {
  if (auto option = backend::find_option(row, name)) return option;
  std::string dashed = name.substr(0, name.find('.'));
  const std::size_t end = dashed.size();
  std::ranges::replace(dashed, '_', '-');
  return backend::find_option(row, dashed + name.substr(end));
}

// `index` is that of the side.
run::EngineSetup engine_setup(const Engine& engine, std::size_t index, const worker::Limits& limits) {
  const backend::EngineRow& row = engine_row(engine.first);
  std::map<std::string, std::string> options;
  std::string library;
  const bool takes_file = !row.value.empty();
  if (takes_file) check_module(row, engine);
  for (const auto& [name, value] : engine.second) {
    if (takes_file && name == row.value_key) {
      options[name] = std::filesystem::absolute(value).string();
      continue;
    }
    if (row.has_tensorrt_settings && (name.starts_with("--") || name == "input_shapes")) {
      options[name] = value;
      continue;
    }
    const std::optional<std::string> option = find_option(row, name);
    if (!option) {
      raise({base::ErrorKind::invalid_input,
             engine.first + " has no setting '" + name + "'",
             {},
             "Its settings are: " + backend::list_settings(row)});
    }
    if (*option == backend::kLibrary) {
      library = value;
    } else {
      options[*option] = value;
    }
  }
  return {.runner = fmt::format("{} N{}", row.runner, index),
          .engine = std::string(row.name),
          .spec = backend::make_engine_spec(row, engine_library(row, library),
                                            with_absolute_paths(row, std::move(options))),
          .limits = limits};
}

// Inputs whose dimensions have the names of given ones get the same sizes.
tensor::GenerateOptions generate_options(const SideArguments& arguments, const model::Model& model) {
  std::map<std::string, std::vector<model::Dimension>> given;
  for (const auto& [name, shape] : arguments.input_shapes) {
    for (const std::int64_t size : shape) given[name].push_back({.value = size, .symbol = {}});
    given.try_emplace(name);  // of a scalar
  }
  tensor::GenerateOptions options{.seed = arguments.seed, .range = {}, .ranges = {}, .shapes = {}};
  for (const auto& [name, shape] : model::shapes_by_names(model.graph(), std::move(given))) {
    std::vector<std::int64_t>& sizes = options.shapes[name];
    for (const model::Dimension& size : shape) sizes.push_back(size.value);
  }
  return options;
}

}  // namespace

std::vector<run::EngineSetup> engine_setups(const std::vector<Engine>& engines, const worker::Limits& limits) {
  std::vector<run::EngineSetup> setups;
  for (const Engine& engine : engines) setups.push_back(engine_setup(engine, setups.size(), limits));
  return setups;
}

compare::ComparePlan compare_plan(const SideArguments& arguments) {
  compare::ComparePlan plan;
  plan.functions = unwrap(compare::find_compare_functions({"simple"}));
  if (arguments.rtol) plan.options.set(compare::kRelativeTolerance, *arguments.rtol);
  if (arguments.atol) plan.options.set(compare::kAbsoluteTolerance, *arguments.atol);
  return plan;
}

Inputs::Inputs(const SideArguments& arguments, const model::Model& model, base::Log& log) {
  for (const nanobind::dict& iteration : arguments.inputs) given_.push_back(to_tensors(iteration));
  are_generated_ = given_.empty() && arguments.inputs_file.empty();
  if (are_generated_) {
    source_ = data::generated_inputs(generate_options(arguments, model), 1, log);
  } else if (given_.empty()) {
    source_ = unwrap(data::loaded_inputs({arguments.inputs_file}, log), Subject::input);
  }
}

base::Expected<std::optional<tensor::NamedTensors>> Inputs::iteration(std::int64_t index,
                                                                      std::span<const tensor::TensorSpec> ports) const {
  if (source_) return source_->iteration(index, ports);
  if (index >= std::ssize(given_)) return std::nullopt;
  return std::optional(given_[static_cast<std::size_t>(index)]);
}

}  // namespace assay::python
