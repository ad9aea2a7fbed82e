// Where inputs come from: the peer's group "Data Loader".
#pragma once

#include <CLI/App.hpp>

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

class DataOptions {
 public:
  void add_to(CLI::App& app);

  // Files or a script were given: their values are worth keeping, as generated ones are not.
  [[nodiscard]] bool has_values() const { return !load_inputs_.empty() || !script_.empty(); }

  // The source that the options select: files, a script, or the generator with `shapes` (--input-shapes; unknown
  // dimensions stay with the model). `log` and `stop` must outlive it. Errors: those of the sources, and values that
  // make no sense.
  [[nodiscard]] base::Expected<std::unique_ptr<data::InputSource>> source(
      const std::map<std::string, Dimensions>& shapes, base::Log& log, const base::Stop& stop) const;

 private:
  [[nodiscard]] base::Expected<tensor::GenerateOptions> generate_options(
      const std::map<std::string, Dimensions>& shapes) const;

  std::int64_t seed_ = 1;
  std::vector<std::string> ranges_;
  std::int64_t iterations_ = 1;
  CLI::Option* iterations_option_ = nullptr;  // owned by the App, which outlives the command's run
  std::string backend_ = "numpy";
  std::vector<std::string> load_inputs_;
  std::string script_;
};

}  // namespace assay::cli
