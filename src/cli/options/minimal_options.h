// Options of `debug reduce --mode minimal`, which has more of them than the other modes.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/minimal.h"
#include "reduce/judge/signature.h"

namespace assay::cli {

class MinimalOptions {
 public:
  void add_to(CLI::App& app);

  // Options of this group that were given, for modes that cannot have them.
  [[nodiscard]] std::vector<std::string> given() const;
  [[nodiscard]] bool lists_passes() const { return list_passes_; }
  // All passes, one a line, with what they do.
  [[nodiscard]] static std::string pass_list();

  // Errors: invalid_input for a pass that does not exist. Does not set what other groups know (shapes, limits of time).
  [[nodiscard]] base::Expected<reduce::MinimalOptions> minimal_options() const;
  [[nodiscard]] reduce::SameFailure same_failure() const;
  [[nodiscard]] std::optional<double> time_limit_s() const;
  // Where the journal is, for a result at `output`; absent where there is no place for one.
  [[nodiscard]] std::optional<std::filesystem::path> journal(const std::filesystem::path& output) const;
  // The user named the journal, and wants to keep it.
  [[nodiscard]] bool keeps_journal() const { return !journal_.empty(); }

 private:
  CLI::App* app_ = nullptr;
  int until_nodes_ = 0;
  int max_checks_ = 0;
  double time_limit_s_ = 0;
  std::string values_ = "auto";
  std::string same_failure_ = "class";
  int repeat_ = 1;
  double fail_ratio_ = 0;
  std::vector<std::string> passes_;
  std::vector<std::string> skip_passes_;
  bool list_passes_ = false;
  bool thorough_ = false;
  std::string journal_;
};

}  // namespace assay::cli
