// Verdicts of a run in a file, so that the next run need not ask for them again. The peer's format, both ways.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

struct ReplayEntry {
  Iteration iteration;
  std::optional<int> nodes;  // of the model that was judged; absent where there was none
  bool success = false;      // true where `unresolved` is: the peer, which knows two verdicts, then goes on as we do
  bool unresolved = false;   // our own member, which the peer does not look at
};

// "_N3_outputs", "_N3"
std::string replay_key(const Iteration& iteration);

class Replay {
 public:
  // Errors: not_found, io; invalid_input where the file is no replay.
  static base::Expected<Replay> load(const std::filesystem::path& path);
  [[nodiscard]] const ReplayEntry* find(const Iteration& iteration) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  // Adds or replaces.
  void set(const ReplayEntry& entry);
  // Never half written.
  [[nodiscard]] base::Status save(const std::filesystem::path& path,
                                  base::Durability durability = base::Durability::machine) const;

 private:
  std::vector<ReplayEntry> entries_;
  std::map<std::string, std::size_t> by_key_;
};

// "dir/replay.json" -> "dir/replay_skip_current.json"
std::filesystem::path skip_current_path(const std::filesystem::path& path);

}  // namespace assay::reduce
