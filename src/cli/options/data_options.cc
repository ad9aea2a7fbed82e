#include "cli/options/data_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "data/script_source.h"

namespace assay::cli {

using base::ErrorKind;
using base::Expected;
using base::fail;

void DataOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Data Loader";
  app.add_option("--seed", seed_, "Seed of generated inputs (default: 1)")->group(kGroup);
  app.add_option("--val-range", ranges_, "Range of generated values, [low,high] or name:[low,high] (default: [0,1])")
      ->expected(1, -1)
      ->group(kGroup);
  iterations_option_ =
      app.add_option("--iterations,--iters", iterations_, "How many sets of inputs to generate (default: 1)")
          ->check(CLI::PositiveNumber)
          ->group(kGroup);
  app.add_option("--data-loader-backend-module", backend_, "Kind of arrays that are generated; only numpy works here")
      ->check(CLI::IsMember({"numpy", "torch"}))
      ->group(kGroup);
  CLI::Option* load = app.add_option("--load-inputs,--load-input-data", load_inputs_,
                                     "Files of inputs (as --save-inputs writes them, or .npz) or folders of them")
                          ->expected(1, -1)
                          ->group(kGroup);
  app.add_option(
         "--data-loader-script", script_,
         "Python file, with :function behind it where that is not load_data, which yields dictionaries of arrays")
      ->excludes(load)
      ->group(kGroup);
}

Expected<tensor::GenerateOptions> DataOptions::generate_options(const std::map<std::string, Dimensions>& shapes) const {
  tensor::GenerateOptions options;
  options.seed = seed_;
  ASSAY_ASSIGN(const auto ranges, parse_ranges(ranges_, "--val-range"));
  for (const auto& [name, range] : ranges) {
    const tensor::ValueRange value{range.first, range.second};
    if (name.empty()) {
      options.range = value;
    } else {
      options.ranges[name] = value;
    }
  }
  for (const auto& [name, dimensions] : shapes) {
    for (const model::Dimension& dimension : dimensions) options.shapes[name].push_back(dimension.value);
    if (dimensions.empty()) options.shapes[name] = {};
  }
  return options;
}

Expected<std::unique_ptr<data::InputSource>> DataOptions::source(const std::map<std::string, Dimensions>& shapes,
                                                                 base::Log& log, const base::Stop& stop) const {
  if (backend_ != "numpy") {
    return fail(ErrorKind::unsupported, "arrays of torch cannot be made", "--data-loader-backend-module",
                "Leave it out");
  }
  if (has_values() && iterations_option_->count() > 0) {
    log.warning("--iterations has no effect: the inputs that are given say how many there are");
  }
  if (!load_inputs_.empty()) return data::loaded_inputs({load_inputs_.begin(), load_inputs_.end()});
  if (!script_.empty()) {
    data::ScriptOptions options;
    options.script = data::parse_script(script_, "load_data");
    return data::script_inputs(options, stop, log);
  }
  ASSAY_ASSIGN(tensor::GenerateOptions options, generate_options(shapes));
  return data::generated_inputs(std::move(options), iterations_, log);
}

}  // namespace assay::cli
