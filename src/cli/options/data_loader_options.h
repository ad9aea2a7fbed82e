// Where inputs come from: the peer's group "Data Loader".
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "cli/values.h"
#include "data/input_source.h"

namespace assay::cli {

class DataLoaderOptions {
 public:
  void add_to(CLI::App& app);

  // Inputs of its own are loaded or made by a script, not generated.
  [[nodiscard]] bool custom() const { return !load_paths_.empty() || !script_.empty(); }
  // Files and folders of --load-inputs.
  [[nodiscard]] const std::vector<std::string>& load_paths() const { return load_paths_; }
  // `shapes`: of --input-shapes. The log must outlive the source. Errors: invalid_input for options that make no sense,
  // those of data::loaded_inputs and data::script_inputs.
  [[nodiscard]] base::Expected<std::unique_ptr<data::InputSource>> source(
      const std::map<std::string, Dimensions>& shapes, const base::Stop& stop, base::Log& log) const;

 private:
  std::int64_t seed_ = 1;
  std::vector<std::string> ranges_;
  std::int64_t iterations_ = 1;
  std::string backend_module_;
  std::vector<std::string> load_paths_;
  std::string script_;
  std::vector<CLI::Option*> generator_only_;  // owned by the App, which outlives the command's run
};

}  // namespace assay::cli
