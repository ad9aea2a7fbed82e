// Files round each iteration of a debugging run: the peer's groups "Artifact Sorting" and "Iterative Debugging".
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "reduce/verdicts/iterations.h"

namespace assay::cli {

class IterationOptions {
 public:
  struct Parts {
    std::string iter_artifact;  // default of --iter-artifact; empty: the command has none
    bool until = false;         // --until
  };
  void add_to(CLI::App& app, const Parts& parts);

  [[nodiscard]] const std::filesystem::path& iter_artifact() const { return iter_artifact_; }
  // Of --save-debug-replay and --iter-info; the second is empty where it was not given.
  [[nodiscard]] std::filesystem::path save_replay() const;
  [[nodiscard]] const std::string& info() const { return info_; }
  [[nodiscard]] bool keeps_iter_artifact() const { return no_remove_; }
  [[nodiscard]] bool has_artifacts() const { return !artifacts_.empty(); }
  // Whether --artifacts names the file of --iter-artifact.
  [[nodiscard]] bool sorts_iter_artifact() const;
  [[nodiscard]] reduce::IterationOptions iteration_options() const;

  // Run until an iteration is like this, or so many are done.
  enum class Until { good, bad };
  [[nodiscard]] base::Expected<std::variant<Until, int>> until() const;

 private:
  std::vector<std::string> artifacts_;
  std::filesystem::path artifact_folder_ = "polygraphy_artifacts";
  std::filesystem::path iter_artifact_;
  bool no_remove_ = false;
  std::string info_;
  std::string load_replay_;
  std::filesystem::path save_replay_;  // empty: not given
  std::string until_;
};

}  // namespace assay::cli
