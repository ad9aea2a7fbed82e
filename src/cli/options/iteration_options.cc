#include "cli/options/iteration_options.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "cli/options/check_paths.h"
#include "cli/options/offered_words.h"

namespace assay::cli {
namespace {

constexpr auto kGood = "good";
constexpr auto kBad = "bad";

// Returns a number of iterations; 0 if the text isn't a number above 0.
int parse_count(const std::string& text) {
  int count = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  return error == std::errc() && stopped == end ? std::max(count, 0) : 0;
}

std::string check_until(std::string& text) {
  const bool is_valid = text == kGood || text == kBad || parse_count(text) > 0;
  return is_valid ? std::string() : "must be good, bad or a number above 0, but is " + text;
}

}  // namespace

void IterationOptions::add_to(CLI::App& app, const Parts& parts) {
  constexpr auto kSorting = "Artifact Sorting";
  app.add_option(
         "--artifacts", artifacts_,
         "After each iteration, move these files to DIR/good, DIR/bad or DIR/unresolved, with time and iteration in "
         "their names")
      ->option_text("FILE")
      ->expected(1, -1)
      ->group(kSorting);
  app.add_option("--art-dir,--artifacts-dir", artifact_folder_, "Set DIR, the folder for --artifacts")
      ->option_text("FOLDER")
      ->capture_default_str()
      ->group(kSorting);

  constexpr auto kIterating = "Iterative Debugging";
  if (!parts.iter_artifact.empty()) {
    iter_artifact_ = parts.iter_artifact;
    iter_artifact_option_ = app.add_option("--iter-artifact,--intermediate-artifact", iter_artifact_,
                                           "Write the model or engine of each iteration to this file, for the check to "
                                           "test. The file must not exist before")
                                ->option_text("FILE")
                                ->capture_default_str()
                                ->group(kIterating);
    app.add_flag("--no-remove-intermediate", no_remove_,
                 "Keep the file of --iter-artifact between iterations and at the end")
        ->group(kIterating);
  }
  app.add_option("--iter-info,--iteration-info", info_,
                 "Write the iteration to this file for the check, as {\"iteration\": 0}, and remove it afterwards")
      ->option_text("FILE")
      ->group(kIterating);
  app.add_option("--load-debug-replay", load_replay_,
                 "Reuse the verdicts of this replay file instead of running its iterations again")
      ->option_text("FILE")
      ->group(kIterating);
  app.add_option(
         "--save-debug-replay", save_replay_,
         std::string(
             "Write the verdicts to this replay file after each iteration. The file NAME_skip_current next to it "
             "counts the running iteration as failed") +
             (parts.iter_artifact.empty() ? ""
                                          : ". With --iter-artifact DIR/NAME.onnx the default is DIR/NAME_replay.json"))
      ->option_text("FILE")
      ->default_str(save_replay().string())
      ->group(kIterating);
  if (parts.until) {
    app.add_option("--until", until_,
                   "Stop after the first good or bad iteration, or after this many: good, bad, or a number")
        ->option_text("good|bad|COUNT")
        ->check(CLI::Validator(check_until, ""))
        ->check(offer({kGood, kBad}))
        ->required()
        ->group(kIterating);
  }
}

std::filesystem::path IterationOptions::engine_artifact() const {
  return iter_artifact_option_->count() > 0 ? iter_artifact_ : "polygraphy_debug.engine";
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

reduce::IterationSetup IterationOptions::setup() const {
  reduce::IterationSetup options;
  if (!info_.empty()) options.info = info_;
  options.artifacts = {artifacts_.begin(), artifacts_.end()};
  options.artifact_folder = artifact_folder_;
  if (!load_replay_.empty()) options.load_replay = load_replay_;
  options.save_replay = save_replay();
  options.claim_replay = !iter_artifact_.empty();  // so that several runs in one folder don't share it
  return options;
}

base::Status IterationOptions::check() const {
  return has_artifacts() ? check_writable_folder(artifact_folder_.string(), "--artifacts-dir") : base::Status();
}

bool IterationOptions::ends_after(int done, reduce::Verdict::Kind verdict) const {
  if (until_ == kGood) return verdict == reduce::Verdict::Kind::passes;
  if (until_ == kBad) return verdict == reduce::Verdict::Kind::fails;
  return done >= parse_count(until_);
}

}  // namespace assay::cli
