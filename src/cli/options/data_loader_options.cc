#include "cli/options/data_loader_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/context/script_python.h"
#include "cli/options/given_options.h"
#include "cli/options/validators.h"
#include "cli/parse/one_value_per_name.h"
#include "data/script_source.h"

namespace assay::cli {

using base::ErrorKind;
using base::fail;

base::Expected<tensor::GenerateOptions> DataLoaderOptions::generate_options() const {
  tensor::GenerateOptions options;
  options.seed = seed_;
  ASSAY_ASSIGN(const auto parsed, parse_ranges(ranges_, "--val-range"));
  for (const auto& [name, range] : parsed) {
    if (name.empty()) {
      options.range = range;
    } else {
      options.ranges[name] = range;
    }
  }
  return options;
}

void DataLoaderOptions::add_to(CLI::App& app, Runs runs) {
  runs_ = runs;
  constexpr auto kGroup = "Data Loader";
  generator_only_ = {
      app.add_option("--seed", seed_, "Set the seed for generated inputs (default: 1)")->option_text("NUMBER"),
      app.add_option("--val-range", ranges_,
                     "Set the range of generated values, [low,high] or name:[low,high] (default: [0,1])")
          ->option_text("RANGE")
          ->expected(1, -1),
      app.add_option("--iterations,--iters", iterations_,
                     runs == Runs::once  ? "Only 1 is accepted, since one set of inputs is used"
                     : runs == Runs::any ? "Generate this many sets of inputs (default: 1); 0: only load the model"
                                         : "Generate this many sets of inputs (default: 1)")
          ->option_text("COUNT")
          ->check(at_least(runs == Runs::at_least_once ? 1 : 0)),
      app.add_option("--data-loader-backend-module", backend_module_, "Only numpy is accepted, and has no effect")
          ->check(CLI::IsMember({"numpy", "torch"})),
  };
  for (CLI::Option* option : generator_only_) option->group(kGroup);
  take_one_value_per_name(app.get_option("--val-range"));
  CLI::Option* load =
      app.add_option(
             "--load-inputs,--load-input-data", load_paths_,
             "Load inputs from these files or folders, one after another, instead of generating them: .json, .npz or "
             "ONNX's test_data_set_0")
          ->option_text("FILE")
          ->expected(1, -1)
          ->group(kGroup);
  CLI::Option* script = app.add_option("--data-loader-script", script_,
                                       "Take inputs from a Python file[:function] that yields them, instead of "
                                       "generating them (default function: "
                                       "load_data)")
                            ->option_text("FILE[:FUNCTION]")
                            ->excludes(load)
                            ->group(kGroup);
  all_ = generator_only_;
  all_.insert(all_.end(), {load, script});
}

std::string DataLoaderOptions::first_given() const {
  return cli::first_given(all_);
}

void DataLoaderOptions::warn_of_unused(std::string_view reason, base::Log& log) const {
  warn_of_given(all_, reason, log);
}

base::Status DataLoaderOptions::check() const {
  if (const auto valid = generate_options(); !valid) return base::fail(valid.error());
  if (runs_ != Runs::once || iterations_ == 1) return {};
  return fail(ErrorKind::invalid_input, fmt::format("this command uses one set of inputs, not {}", iterations_),
              "--iterations", "Leave it out");
}

base::Status DataLoaderOptions::check_backend_module() const {
  if (backend_module_ != "torch") return {};
  return fail(ErrorKind::unsupported, "inputs are generated without Python, so they can't be torch tensors",
              "--data-loader-backend-module", "Leave it out, or generate them with PyTorch in a --data-loader-script");
}

base::Expected<std::unique_ptr<data::InputSource>> DataLoaderOptions::source(
    const std::map<std::string, Dimensions>& shapes, const Context& context, base::Log& log,
    std::string_view shapes_option) const {
  ASSAY_TRY(check_backend_module());
  if (custom()) {
    warn_of_given(generator_only_, ": the inputs are not generated", log);
    if (!shapes.empty()) log.warning("{} has no effect: the inputs are not generated", shapes_option);
    if (!script_.empty()) {
      ASSAY_ASSIGN(const auto python, script_python(context));
      return data::script_inputs({data::parse_script(script_, "load_data"), python, {}}, context.stop, log);
    }
    return data::loaded_inputs({load_paths_.begin(), load_paths_.end()}, log);
  }
  ASSAY_ASSIGN(tensor::GenerateOptions options, generate_options());
  options.shapes_option = shapes_option;
  for (const auto& [name, dimensions] : shapes) {
    std::vector<std::int64_t>& shape = options.shapes[name];
    for (const model::Dimension& dimension : dimensions) shape.push_back(dimension.value);
  }
  return data::generated_inputs(std::move(options), iterations_, log);
}

}  // namespace assay::cli
