// Options for the source of inputs: Polygraphy's group "Data Loader".
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "cli/context/command.h"
#include "cli/parse/values.h"
#include "data/input_source.h"
#include "tensor/generate.h"

namespace assay::cli {

class DataLoaderOptions {
 public:
  // How many sets of inputs the command takes: `at_least_once` refuses the value 0 of --iterations, which would make a
  // comparison of nothing pass, and `once` other values than 1.
  enum class Runs { any, at_least_once, once };
  void add_to(CLI::App& app, Runs runs = Runs::any);

  // Returns whether inputs are loaded or come from a script, instead of being generated.
  [[nodiscard]] bool custom() const { return !load_paths_.empty() || !script_.empty(); }
  // Returns the first of these options that the command line has, or an empty string.
  [[nodiscard]] std::string first_given() const;
  // Warns of each of these options that was given, for runs that need no inputs. `reason` follows "has no effect".
  void warn_of_unused(std::string_view reason, base::Log& log) const;
  // Checks what doesn't depend on the model, for commands that may turn out to need no inputs: a mistake is reported
  // all the same. Errors: invalid_input for invalid ranges and, if the command uses one set of inputs, for several
  // iterations.
  [[nodiscard]] base::Status check() const;
  // Returns the files and folders of --load-inputs.
  [[nodiscard]] const std::vector<std::string>& load_paths() const { return load_paths_; }
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  // Returns how inputs are generated, without their shapes. Errors: invalid_input.
  [[nodiscard]] base::Expected<tensor::GenerateOptions> generate_options() const;
  // Errors: unsupported for --data-loader-backend-module torch.
  [[nodiscard]] base::Status check_backend_module() const;
  // Creates the source of inputs. `shapes` are those of `shapes_option`, which is empty if the command has no such
  // option. What the context refers to, and `log`, must outlive the source.
  // Errors: invalid_input for invalid values, and those of check_backend_module, script_python, data::loaded_inputs and
  // data::script_inputs.
  [[nodiscard]] base::Expected<std::unique_ptr<data::InputSource>> source(
      const std::map<std::string, Dimensions>& shapes, const Context& context, base::Log& log,
      std::string_view shapes_option = "--input-shapes") const;

 private:
  Runs runs_ = Runs::any;
  std::int64_t seed_ = 1;
  std::vector<std::string> ranges_;
  std::int64_t iterations_ = 1;
  std::string backend_module_;
  std::vector<std::string> load_paths_;
  std::string script_;
  // Owned by the App, which outlives the command's run.
  std::vector<CLI::Option*> generator_only_;
  std::vector<CLI::Option*> all_;
};

}  // namespace assay::cli
