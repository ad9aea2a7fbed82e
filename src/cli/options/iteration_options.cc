#include "cli/options/iteration_options.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace assay::cli {

void IterationOptions::add_to(CLI::App& app, const Parts& parts) {
  constexpr auto kSorting = "Artifact Sorting";
  app.add_option(
         "--artifacts", artifacts_,
         "Files that an iteration leaves behind: they are moved to DIR/good or DIR/bad, with time and iteration "
         "in their names")
      ->expected(1, -1)
      ->group(kSorting);
  app.add_option("--art-dir,--artifacts-dir", artifact_folder_, "That DIR")->capture_default_str()->group(kSorting);

  constexpr auto kIterating = "Iterative Debugging";
  if (!parts.iter_artifact.empty()) {
    iter_artifact_ = parts.iter_artifact;
    app.add_option("--iter-artifact,--intermediate-artifact", iter_artifact_,
                   "The file that the check is to look at, written for each iteration. It must not be there before")
        ->capture_default_str()
        ->group(kIterating);
    app.add_flag("--no-remove-intermediate", no_remove_, "Leave that file between iterations and at the end")
        ->group(kIterating);
  }
  app.add_option("--iter-info,--iteration-info", info_,
                 "A file for the check that tells it the iteration, {\"iteration\": 0}; removed behind it")
      ->group(kIterating);
  app.add_option("--load-debug-replay", load_replay_, "A replay file: iterations that are in it are not run again")
      ->group(kIterating);
  app.add_option("--save-debug-replay", save_replay_,
                 std::string("The replay file to write, after each iteration. NAME_skip_current beside it says of the "
                             "running one that it failed") +
                     (parts.iter_artifact.empty() ? "" : ". With --iter-artifact DIR/NAME.onnx: DIR/NAME_replay.json"))
      ->default_str(save_replay().string())
      ->group(kIterating);
  if (parts.until) {
    app.add_option("--until", until_, "When to stop: good, bad, or a number of iterations")
        ->required()
        ->group(kIterating);
  }
}

std::filesystem::path IterationOptions::save_replay() const {
  if (!save_replay_.empty()) return save_replay_;
  const std::filesystem::path artifact = iter_artifact_.empty() ? "polygraphy_debug.onnx" : iter_artifact_;
  return artifact.parent_path() / (artifact.stem().string() + "_replay.json");
}

bool IterationOptions::sorts_iter_artifact() const {
  std::error_code ignored;
  const auto real = [&](const std::filesystem::path& path) {
    return std::filesystem::absolute(path, ignored).lexically_normal();
  };
  return std::ranges::any_of(artifacts_, [&](const std::string& path) { return real(path) == real(iter_artifact_); });
}

reduce::IterationOptions IterationOptions::iteration_options() const {
  reduce::IterationOptions options;
  if (!info_.empty()) options.info = info_;
  options.artifacts = {artifacts_.begin(), artifacts_.end()};
  options.artifact_folder = artifact_folder_;
  if (!load_replay_.empty()) options.load_replay = load_replay_;
  options.save_replay = save_replay();
  options.claim_replay = !iter_artifact_.empty();  // it tells several runs in one folder apart
  return options;
}

base::Expected<std::variant<IterationOptions::Until, int>> IterationOptions::until() const {
  if (until_ == "good") return Until::good;
  if (until_ == "bad") return Until::bad;
  int count = 0;
  const auto [end, error] = std::from_chars(until_.data(), until_.data() + until_.size(), count);
  if (error != std::errc() || end != until_.data() + until_.size() || count < 1) {
    return base::fail(base::ErrorKind::invalid_input, "neither good, bad nor a number of iterations",
                      "--until " + until_, "Give one of these");
  }
  return count;
}

}  // namespace assay::cli
