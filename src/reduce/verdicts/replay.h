// The verdicts of a run in a file, so that the next run can reuse them. The format is Polygraphy's, which can read our
// files and write files for us.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct ReplayEntry {
  Iteration iteration;
  std::optional<int> nodes;  // of the model that was judged; absent if no model was judged
  bool success = false;      // also true if `unresolved`: Polygraphy has only two verdicts, and then continues as we do
  // Our own members, which Polygraphy ignores.
  bool unresolved = false;
  std::optional<double> output_error = std::nullopt;  // see Verdict
};

// Returns "_N3_outputs", or "_N3" for an iteration without a phase.
std::string replay_key(const Iteration& iteration);

class Replay {
 public:
  // Errors: not_found, io; invalid_input if the file isn't a replay.
  static base::Expected<Replay> load(const std::filesystem::path& path);
  [[nodiscard]] const ReplayEntry* find(const Iteration& iteration) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  // Adds the entry, or replaces the one of the same iteration.
  void set(const ReplayEntry& entry);
  // Writes the file atomically. Errors: io.
  [[nodiscard]] base::Status save(const std::filesystem::path& path,
                                  base::Durability durability = base::Durability::machine) const;
  // Writes the file as if set(entry) had been called before. Errors: io.
  [[nodiscard]] base::Status save_with(const ReplayEntry& entry, const std::filesystem::path& path,
                                       base::Durability durability = base::Durability::machine) const;

 private:
  std::vector<ReplayEntry> entries_;
  std::map<std::string, std::size_t> by_key_;
  std::string members_;  // the entries as the file has them, separated by commas
};

// "dir/replay.json" -> "dir/replay_skip_current.json"
std::filesystem::path skip_current_path(const std::filesystem::path& path);

}  // namespace assay::reduce
