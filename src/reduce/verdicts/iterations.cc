// The files of a debugging run as Polygraphy knows them. The replay file is rewritten after every iteration. Before
// each check, the skip_current file gets the same entries plus this iteration as failed, and is synced: if the check
// takes down the machine, a run that replays that file continues after the iteration. Only that file needs the sync;
// the replay file merely has to survive the process.
#include "reduce/verdicts/iterations.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/abandoned_files.h"
#include "base/atomic_file.h"
#include "base/counted.h"
#include "base/files.h"

namespace assay::reduce {

namespace {

namespace fs = std::filesystem;

// Claims the replay file, unless it is a device or a pipe, to which any number of runs may write.
base::Expected<std::unique_ptr<LockFile>> claim(const fs::path& replay) {
  std::error_code code;
  if (fs::exists(replay, code) && !fs::is_regular_file(replay, code)) return nullptr;
  return LockFile::claim(
      replay.parent_path() / ("." + replay.filename().string() + ".assay"),
      {.cannot = "cannot write a replay file here",
       .in_use = "another run is writing this replay file",
       .where = replay.string(),
       .fix = "Name another file with --save-debug-replay, or with --iter-artifact: the replay file's name "
              "is derived from that"});
}

}  // namespace

Iterations::Iterations(IterationSetup setup, std::unique_ptr<LockFile> claim, ArtifactSorter sorter, Replay loaded,
                       base::Log& log)
    : setup_(std::move(setup)),
      claim_(std::move(claim)),
      sorter_(std::move(sorter)),
      loaded_(std::move(loaded)),
      log_(&log) {}

base::Expected<Iterations> Iterations::make(IterationSetup setup, std::chrono::system_clock::time_point started,
                                            base::Log& log) {
  Replay loaded;
  if (setup.load_replay) {
    ASSAY_ASSIGN(loaded, Replay::load(*setup.load_replay));
    log.info("Reusing {} from {}", base::counted(loaded.size(), "verdict"), setup.load_replay->string());
  }
  std::unique_ptr<LockFile> claimed;
  if (setup.claim_replay) {
    ASSAY_ASSIGN(claimed, claim(setup.save_replay));
  }
  base::remove_abandoned(setup.save_replay);
  base::remove_abandoned(skip_current_path(setup.save_replay));
  if (setup.info) base::remove_abandoned(*setup.info);
  ArtifactSorter sorter(setup.artifacts, setup.artifact_folder, started, log);
  return Iterations(std::move(setup), std::move(claimed), std::move(sorter), std::move(loaded), log);
}

base::Expected<Verdict> Iterations::run(const Iteration& iteration, std::optional<int> nodes,
                                        const FindVerdict& judge) {
  std::optional<Verdict> verdict = replayed(iteration, nodes);
  if (!verdict) {
    ASSAY_TRY(saved_.save_with({.iteration = iteration, .nodes = nodes, .success = false},
                               skip_current_path(setup_.save_replay)));
    noted_.reset();  // the skip_current file has it
    base::Expected<Verdict> judged = judge_with_info(iteration, judge);
    if (!judged) return base::fail(end_without_verdict(std::move(judged).error()));
    verdict = *std::move(judged);
    sorter_.sort(iteration, verdict->kind);
  }
  note(iteration, nodes, *verdict);
  noted_.reset();  // the skip_current file has it
  ASSAY_TRY(save());
  return *std::move(verdict);
}

// The skip_current file is for a check that was interrupted. One that couldn't be run is no reason to skip a model.
base::Error Iterations::end_without_verdict(base::Error error) const {
  std::error_code ignored;
  if (error.kind != base::ErrorKind::interrupted) fs::remove(skip_current_path(setup_.save_replay), ignored);
  return error;
}

base::Expected<Verdict> Iterations::run_unsaved(const Iteration& iteration, const FindVerdict& judge) {
  ASSAY_ASSIGN(Verdict verdict, judge_with_info(iteration, judge));
  sorter_.sort(iteration, verdict.kind);
  return verdict;
}

void Iterations::note(const Iteration& iteration, std::optional<int> nodes, const Verdict& verdict) {
  saved_.set({.iteration = iteration,
              .nodes = nodes,
              .success = verdict.kind != Verdict::Kind::fails,
              .unresolved = verdict.kind == Verdict::Kind::unresolved,
              .output_error = verdict.output_error});
  noted_ = ReplayEntry{.iteration = iteration, .nodes = nodes, .success = false};
  is_saved_ = false;
}

base::Status Iterations::save() {
  if (noted_) {
    ASSAY_TRY(saved_.save_with(*std::exchange(noted_, std::nullopt), skip_current_path(setup_.save_replay),
                               base::Durability::process));
  }
  // Not synced: after a crash of the machine, the skip_current file, which is synced, says as much.
  if (!is_saved_) ASSAY_TRY(saved_.save(setup_.save_replay, base::Durability::process));
  is_saved_ = true;
  return {};
}

std::optional<Verdict> Iterations::replayed(const Iteration& iteration, std::optional<int> nodes) {
  const ReplayEntry* entry = loaded_.find(iteration);
  if (entry == nullptr) return std::nullopt;
  if (nodes && !entry->nodes) {  // of Polygraphy's `debug precision`, for example, whose iterations keep other layers
    log_->warning("The replay is ignored for this iteration: it doesn't say how many nodes were judged");
    return std::nullopt;
  }
  if (nodes && *entry->nodes != *nodes) {
    log_->warning("The replay is ignored for this iteration: its model had {} nodes, this one has {}", *entry->nodes,
                  *nodes);
    return std::nullopt;
  }
  using Kind = Verdict::Kind;
  return Verdict{.kind = entry->unresolved ? Kind::unresolved
                         : entry->success  ? Kind::passes
                                           : Kind::fails,
                 .text = "from the replay file",
                 .source = Verdict::Source::replay_file,
                 .output_error = entry->output_error};
}

base::Expected<Verdict> Iterations::judge_with_info(const Iteration& iteration, const FindVerdict& judge) {
  if (!setup_.info) return judge();
  ASSAY_TRY(base::write_file(*setup_.info, fmt::format("{{\n    \"iteration\": {}\n}}", iteration.number)));
  base::Expected<Verdict> verdict = judge();
  std::error_code ignored;
  std::filesystem::remove(*setup_.info, ignored);
  return verdict;
}

}  // namespace assay::reduce
