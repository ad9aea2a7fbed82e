// Options of the peer that are known but cannot work here: accepted by the parser, hidden in --help, and refused with
// the reason when they are given. Never ignored.
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

// The peer's option groups (the same titles).
std::span<const RefusedOption> tensorrt_options();         // everything of builder, network, engine, plug-ins, parser
std::span<const RefusedOption> tensorrt_engine_options();  // --load-runtime, --save-timing-cache and the like
std::span<const RefusedOption> tensorrt_plugin_options();  // --plugins
std::span<const RefusedOption> tensorflow_options();       // TensorFlow loading and its conversion to ONNX

class RefusedOptions {
 public:
  // Options that the command has already under the same name are its own, and are left out.
  void add_to(CLI::App& app, std::span<const RefusedOption> options);
  // Error (unsupported) naming the first refused option that was given, and why.
  [[nodiscard]] base::Status check() const;

 private:
  struct Given {
    const RefusedOption* option;
    CLI::Option* parsed;
  };
  std::vector<Given> added_;
  std::vector<std::string> values_;  // of all of them; nobody reads it
};

}  // namespace assay::cli
