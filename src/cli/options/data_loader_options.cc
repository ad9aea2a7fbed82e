#include "cli/options/data_loader_options.h"

#include <filesystem>

#include "data/script_source.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

base::Expected<tensor::GenerateOptions> generate_options(std::int64_t seed, const std::vector<std::string>& ranges,
                                                         const std::map<std::string, Dimensions>& shapes) {
  tensor::GenerateOptions options;
  options.seed = seed;
  ASSAY_ASSIGN(const auto parsed, parse_ranges(ranges, "--val-range"));
  for (const auto& [name, range] : parsed) {
    const tensor::ValueRange values{range.first, range.second};
    if (name.empty()) {
      options.range = values;
    } else {
      options.ranges[name] = values;
    }
  }
  for (const auto& [name, dimensions] : shapes) {
    std::vector<std::int64_t>& shape = options.shapes[name];
    for (const model::Dimension& dimension : dimensions) shape.push_back(dimension.value);
  }
  return options;
}

}  // namespace

void DataLoaderOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Data Loader";
  generator_only_ = {
      app.add_option("--seed", seed_, "Seed of generated inputs (default: 1)"),
      app.add_option("--val-range", ranges_,
                     "Range of generated values, [low,high] or name:[low,high] (default: [0,1])")
          ->expected(1, -1),
      app.add_option("--iterations,--iters", iterations_, "How many sets of inputs to generate (default: 1)")
          ->check(CLI::PositiveNumber),
      app.add_option("--data-loader-backend-module", backend_module_, "Accepted, as Polygraphy has it: numpy")
          ->check(CLI::IsMember({"numpy", "torch"})),
  };
  for (CLI::Option* option : generator_only_) option->group(kGroup);
  CLI::Option* load = app.add_option("--load-inputs,--load-input-data", load_paths_,
                                     "Files or folders of inputs, one after another, instead of generated ones")
                          ->expected(1, -1)
                          ->group(kGroup);
  app.add_option("--data-loader-script", script_,
                 "Python file[:function] that yields inputs, instead of generated ones (function: load_data)")
      ->excludes(load)
      ->group(kGroup);
}

base::Expected<std::unique_ptr<data::InputSource>> DataLoaderOptions::source(
    const std::map<std::string, Dimensions>& shapes, const base::Stop& stop, base::Log& log) const {
  if (backend_module_ == "torch") {
    return fail(ErrorKind::unsupported, "inputs are made without Python, so there are no torch tensors",
                "--data-loader-backend-module", "Leave it out; the values are the same");
  }
  if (custom()) {
    for (const CLI::Option* option : generator_only_) {
      if (option->count() > 0) log.warning("{} changes nothing: the inputs are not generated", option->get_name());
    }
    if (!shapes.empty()) log.warning("--input-shapes changes nothing: the inputs are not generated");
    if (!script_.empty())
      return data::script_inputs({data::parse_script(script_, "load_data"), "python3", {}}, stop, log);
    return data::loaded_inputs({load_paths_.begin(), load_paths_.end()});
  }
  ASSAY_ASSIGN(tensor::GenerateOptions options, generate_options(seed_, ranges_, shapes));
  return data::generated_inputs(std::move(options), iterations_, log);
}

}  // namespace assay::cli
