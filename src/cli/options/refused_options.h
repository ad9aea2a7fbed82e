// Polygraphy's options that can't work here. The parser knows them, --help hides them, and a command that is given one
// refuses to run and says why. They are never ignored.
#pragma once

#include <CLI/App.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::cli {

struct RefusedOption {
  std::string_view spellings;  // as CLI11 wants them: "--tf32" or "--plugins,--p"
  bool takes_value;            // one or more words follow
  std::string_view reason;     // "needs TensorRT"
};

// Polygraphy's options, by its groups.
std::span<const RefusedOption> tensorflow_options();         // TensorFlow loading and its conversion to ONNX
std::span<const RefusedOption> tensorflow_runner_options();  // for running models in TensorFlow

class RefusedOptions {
 public:
  // Adds the options, except those that the command already has under the same name.
  void add_to(CLI::App& app, std::span<const RefusedOption> options);
  // Adds all options of TensorRT and TensorFlow, for commands that run neither.
  void add_engines_to(CLI::App& app);
  // Adds the options that choose inputs, for commands that don't run the model. `reason` must be a constant.
  void add_inputs_to(CLI::App& app, std::string_view reason);
  // Errors: unsupported, naming the first refused option that was given and the reason.
  [[nodiscard]] base::Status check() const;

 private:
  struct Given {
    RefusedOption option;
    CLI::Option* parsed;
  };
  std::vector<Given> added_;
  std::vector<std::string> values_;  // values of all of them, never read
};

}  // namespace assay::cli
