#include "inspect/tactics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/json_text.h"
#include "base/read_error.h"
#include "base/strings.h"

namespace assay::inspect {
namespace {

namespace fs = std::filesystem;
using base::fail;
using Json = nlohmann::ordered_json;

// Returns the files of a folder and of the folders in it, in order, without hidden ones.
base::Expected<std::vector<fs::path>> list_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename().native().starts_with('.')) {
      at.disable_recursion_pending();
    } else if (std::error_code ignored; at->is_regular_file(ignored)) {
      files.push_back(at->path());
    }
  }
  if (error) return fail(base::read_error("cannot list the folder", folder.string(), error.value()));
  std::ranges::sort(files);
  return files;
}

// Loads all replays of a file or folder; none if the path is empty.
base::Expected<std::vector<TacticReplay>> load_replays(const fs::path& path, base::Log& log) {
  std::vector<TacticReplay> replays;
  if (path.empty()) return replays;
  if (std::error_code ignored; !fs::is_directory(path, ignored)) {
    ASSAY_ASSIGN(TacticReplay replay, load_tactic_replay(path));
    replays.push_back(std::move(replay));
    return replays;
  }
  ASSAY_ASSIGN(const std::vector<fs::path> files, list_files(path));
  for (const fs::path& file : files) {
    if (auto replay = load_tactic_replay(file)) {
      replays.push_back(*std::move(replay));
    } else {
      log.verbose("Skipping a file that isn't a tactic replay: {}", replay.error().message());
    }
  }
  return replays;
}

// Returns the line of a tactic, which follows the line of its layer.
std::string indented_text(const Tactic& tactic) {
  return "\n    " + tensorrt::tactic_text(tactic);
}

}  // namespace

base::Expected<TacticDifference> diff_tactics(const fs::path& good, const fs::path& bad, base::Log& log) {
  ASSAY_ASSIGN(const std::vector<TacticReplay> good_replays, load_replays(good, log));
  ASSAY_ASSIGN(const std::vector<TacticReplay> bad_replays, load_replays(bad, log));
  std::set<std::pair<std::string, Tactic>> known;  // as good, or as suspect already
  for (const TacticReplay& replay : good_replays) known.insert(replay.begin(), replay.end());
  TacticDifference result{good_replays.size(), bad_replays.size(), {}};
  std::map<std::string, std::size_t> places;  // of layers in result.suspects
  for (const TacticReplay& replay : bad_replays) {
    for (const auto& [layer, tactic] : replay) {
      if (!known.emplace(layer, tactic).second) continue;
      const auto [place, added] = places.emplace(layer, result.suspects.size());
      if (added) result.suspects.push_back({layer, {}});
      result.suspects[place->second].tactics.push_back(tactic);
    }
  }
  return result;
}

std::string tactics_text(const TacticReplay& replay) {
  std::vector<std::string> parts;
  for (const auto& [layer, tactic] : replay) parts.push_back(fmt::format("Layer: {}{}", layer, indented_text(tactic)));
  return base::join(parts, "\n");
}

std::string suspects_text(const TacticDifference& difference) {
  std::vector<std::string> parts;
  for (const SuspectLayer& suspect : difference.suspects) {
    std::string text = "Layer: " + suspect.layer;
    for (const Tactic& tactic : suspect.tactics) text += indented_text(tactic);
    parts.push_back(std::move(text));
  }
  return base::join(parts, "\n");
}

std::string tactics_json(const TacticReplay& replay) {
  Json layers = Json::array();
  for (const auto& [layer, tactic] : replay) {
    Json object = {{"layer", layer}};
    object.update(tactic_json(tactic));
    layers.push_back(std::move(object));
  }
  const Json json = {{"layers", std::move(layers)}};
  return base::json_text(json, 2);
}

std::string suspects_json(const TacticDifference& difference) {
  Json suspects = Json::array();
  for (const SuspectLayer& suspect : difference.suspects) {
    Json tactics = Json::array();
    for (const Tactic& tactic : suspect.tactics) tactics.push_back(tactic_json(tactic));
    suspects.push_back({{"layer", suspect.layer}, {"tactics", std::move(tactics)}});
  }
  const Json json = {
      {"good_files", difference.good_files}, {"bad_files", difference.bad_files}, {"suspects", std::move(suspects)}};
  return base::json_text(json, 2);
}

}  // namespace assay::inspect
