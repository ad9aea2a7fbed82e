// Options for the files of each debugging iteration: Polygraphy's groups "Artifact Sorting" and "Iterative Debugging".
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/verdict.h"

namespace assay::cli {

class IterationOptions {
 public:
  struct Parts {
    std::string iter_artifact;  // default of --iter-artifact; empty: the command has no such option
    bool until = false;         // --until
  };
  void add_to(CLI::App& app, const Parts& parts);

  [[nodiscard]] const std::filesystem::path& iter_artifact() const { return iter_artifact_; }
  // Returns the same for a command that builds an engine of TensorRT, which has a default of its own.
  [[nodiscard]] std::filesystem::path engine_artifact() const;
  // Returns the path of the replay file: --save-debug-replay, or a name derived from --iter-artifact.
  [[nodiscard]] std::filesystem::path save_replay() const;
  // Returns the path of --iter-info, or empty.
  [[nodiscard]] const std::string& info() const { return info_; }
  [[nodiscard]] bool keeps_iter_artifact() const { return no_remove_; }
  [[nodiscard]] bool has_artifacts() const { return !artifacts_.empty(); }
  // Returns whether --artifacts names the file of --iter-artifact.
  [[nodiscard]] bool sorts_iter_artifact() const;
  // Checks that files can be created in the folder for artifacts, if there are any. Errors: those of
  // check_writable_folder.
  [[nodiscard]] base::Status check() const;
  [[nodiscard]] reduce::IterationSetup setup() const;

  // Returns whether --until says to stop: `done` iterations have ended, the last one with this verdict.
  [[nodiscard]] bool ends_after(int done, reduce::Verdict::Kind verdict) const;

 private:
  std::vector<std::string> artifacts_;
  std::filesystem::path artifact_folder_ = "polygraphy_artifacts";
  std::filesystem::path iter_artifact_;
  const CLI::Option* iter_artifact_option_ = nullptr;  // null: the command has none
  bool no_remove_ = false;
  std::string info_;
  std::string load_replay_;
  std::filesystem::path save_replay_;  // empty: not given
  std::string until_;
};

}  // namespace assay::cli
