#include "cli/options/refused_options.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "cli/options/given_options.h"
#include "tensorrt/settings.h"

namespace assay::cli {
namespace {

constexpr std::string_view kTensorRt = "needs TensorRT, whose settings this command doesn't take";
constexpr std::string_view kTensorFlow = "needs TensorFlow, which Assay doesn't support";

constexpr std::array kTensorFlowOptions = {
    RefusedOption{"--ckpt", true, kTensorFlow},
    RefusedOption{"--tf-outputs", true, kTensorFlow},
    RefusedOption{"--freeze-graph", false, kTensorFlow},
    RefusedOption{"--opset", true, kTensorFlow},
};

constexpr std::array kTensorFlowRunnerOptions = {
    RefusedOption{"--save-pb", true, kTensorFlow},
    RefusedOption{"--save-tensorboard", true, kTensorFlow},
    RefusedOption{"--tf", false, kTensorFlow},
    RefusedOption{"--tftrt,--use-tftrt", false, kTensorFlow},
    RefusedOption{"--minimum-segment-size", true, kTensorFlow},
    RefusedOption{"--dynamic-op", false, kTensorFlow},
    RefusedOption{"--gpu-memory-fraction", true, kTensorFlow},
    RefusedOption{"--allow-growth", false, kTensorFlow},
    RefusedOption{"--xla", false, kTensorFlow},
    RefusedOption{"--save-timeline", true, kTensorFlow},
};

}  // namespace

std::span<const RefusedOption> tensorflow_options() {
  return kTensorFlowOptions;
}
std::span<const RefusedOption> tensorflow_runner_options() {
  return kTensorFlowRunnerOptions;
}

void RefusedOptions::add_to(CLI::App& app, std::span<const RefusedOption> options) {
  for (const RefusedOption& option : options) {
    const std::string spellings(option.spellings);
    if (app.get_option_no_throw(first_spelling(spellings)) != nullptr) continue;
    CLI::Option* parsed =
        option.takes_value ? app.add_option(spellings, values_)->expected(0, -1) : app.add_flag(spellings);
    parsed->group("");
    added_.push_back({option, parsed});
  }
}

void RefusedOptions::add_engines_to(CLI::App& app) {
  for (const auto& settings : {tensorrt::config_settings(), tensorrt::parser_settings(), tensorrt::network_settings(),
                               tensorrt::engine_settings(), tensorrt::plugin_settings()}) {
    for (const tensorrt::Setting& setting : settings) {
      add_to(app, std::array{RefusedOption{setting.flags, setting.takes_value(), kTensorRt}});
    }
  }
  add_to(app, kTensorFlowOptions);
}

void RefusedOptions::add_inputs_to(CLI::App& app, std::string_view reason) {
  for (const char* spellings :
       {"--input-shapes,--inputs", "--seed", "--val-range", "--iterations,--iters", "--data-loader-backend-module",
        "--load-inputs,--load-input-data", "--data-loader-script"}) {
    add_to(app, std::array{RefusedOption{spellings, true, reason}});
  }
}

base::Status RefusedOptions::check() const {
  for (const Given& given : added_) {
    if (given.parsed->count() == 0) continue;
    return base::fail(base::ErrorKind::unsupported, fmt::format("this option {}", given.option.reason),
                      first_spelling(given.option.spellings), "Leave it out");
  }
  return {};
}

}  // namespace assay::cli
