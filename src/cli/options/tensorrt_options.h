// Options for TensorRT's settings, for commands that can use them. All other commands refuse them (refused_options.h).
#pragma once

#include <CLI/App.hpp>

#include <span>
#include <string>

#include "tensorrt/given_settings.h"

namespace assay::cli {

class TensorRtOptions {
 public:
  void add_to(CLI::App& app, std::span<const tensorrt::Setting> settings, const std::string& group);
  // Returns what was given on the command line.
  [[nodiscard]] const tensorrt::GivenSettings& given() const { return given_; }

 private:
  tensorrt::GivenSettings given_;
};

}  // namespace assay::cli
