// `assay inspect tactics` and `assay inspect diff-tactics`: show and compare tactic replays of TensorRT.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/counted.h"
#include "base/files.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "inspect/tactics.h"

namespace assay::cli {
namespace {

class InspectTactics final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  std::filesystem::path path_;
  FormatOption format_;
};

class InspectDiffTactics final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Returns the path of --good or --bad or, if it isn't given, that of the folder of this name. The path is empty if
  // only the other folder exists: `debug build` creates a folder for its first file.
  [[nodiscard]] base::Expected<std::filesystem::path> place(const std::string& given, const char* folder,
                                                            const char* other) const;

  std::filesystem::path dir_;
  std::string good_;
  std::string bad_;
  FormatOption format_;
};

}  // namespace

void InspectTactics::add_options(CLI::App& app) {
  app.add_option("tactic_replay", path_, "Tactic replay that --save-tactics wrote, Assay's or Polygraphy's")
      ->option_text("FILE")
      ->required();
  format_.add_to(app);
}

base::Expected<int> InspectTactics::run(Context& context) {
  ASSAY_ASSIGN(const inspect::TacticReplay replay, inspect::load_tactic_replay(path_));
  if (format_.json()) {
    fmt::print(context.out, "{}\n", inspect::tactics_json(replay));
  } else {
    log_text(context.log, replay.empty() ? "The replay has no layers" : inspect::tactics_text(replay));
  }
  return kExitPassed;
}

void InspectDiffTactics::add_options(CLI::App& app) {
  app.add_option("--dir", dir_,
                 "Take the replays from the folders 'good' and 'bad' in this folder (default: the working folder)")
      ->option_text("FOLDER");
  app.add_option("--good", good_, "Replay that is known to be good, or a folder of such replays")->option_text("FILE");
  app.add_option("--bad", bad_, "Replay that is known to be bad, or a folder of such replays")->option_text("FILE");
  format_.add_to(app);
}

base::Expected<std::filesystem::path> InspectDiffTactics::place(const std::string& given, const char* folder,
                                                                const char* other) const {
  if (!given.empty()) return given;
  const bool exists = base::exists(dir_ / folder);
  if (!exists && base::exists(dir_ / other)) return std::filesystem::path();
  if (!dir_.empty() || exists) return dir_ / folder;
  return base::fail(base::ErrorKind::not_found, fmt::format("the working folder has no folder '{}' of replays", folder),
                    "", "Give --dir, or both --good and --bad");
}

base::Expected<int> InspectDiffTactics::run(Context& context) {
  ASSAY_ASSIGN(const std::filesystem::path good, place(good_, "good", "bad"));
  ASSAY_ASSIGN(const std::filesystem::path bad, place(bad_, "bad", "good"));
  ASSAY_ASSIGN(const inspect::TacticDifference difference, inspect::diff_tactics(good, bad, context.log));
  if (difference.bad_files == 0) {
    return base::fail(base::ErrorKind::not_found, "there are no replays that are known to be bad",
                      (bad.empty() ? dir_ / "bad" : bad).string(),
                      "Name a file of --save-tactics, or a folder of such files");
  }
  if (format_.json()) {
    fmt::print(context.out, "{}\n", inspect::suspects_json(difference));
    return kExitPassed;
  }
  context.log.info("Loaded {} and {}", base::counted(difference.good_files, "good replay"),
                   base::counted(difference.bad_files, "bad replay"));
  if (difference.suspects.empty()) {
    context.log.info("Every tactic of the bad replays is in a good one, too. More replays may show a difference");
  } else {
    log_text(context.log, "Tactics that only bad replays have:\n" + inspect::suspects_text(difference));
  }
  return kExitPassed;
}

std::unique_ptr<Command> make_inspect_tactics() {
  return std::make_unique<InspectTactics>();
}

std::unique_ptr<Command> make_inspect_diff_tactics() {
  return std::make_unique<InspectDiffTactics>();
}

}  // namespace assay::cli
