// The file is a JSON object with one member for each iteration: {"_N0_outputs": {"state": {"num_nodes": 3},
// "iteration_info": {"iteration": 0}, "success": false, "polygraphy_class": "IterationContext"}}, with an indent of 4
// spaces and the members in this order. "success" is followed by "unresolved": true if the verdict was neither, and
// by "output_error" if that is known.
//
// The file is written after every iteration, so the text of the entries is kept, and a new entry is appended to it:
// formatting all entries each time would take longer than the checks of a run with thousands of iterations.
#include "reduce/verdicts/replay.h"

#include <cstdint>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/atomic_file.h"
#include "base/files.h"
#include "tensor/parse_json.h"

namespace assay::reduce {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ReplayEntry& entry) {
  Json state = Json::object();
  if (entry.nodes) state["num_nodes"] = *entry.nodes;
  Json json = {{"state", std::move(state)},
               {"iteration_info", {{"iteration", entry.iteration.number}}},
               {"success", entry.success}};
  if (entry.unresolved) json["unresolved"] = true;
  if (entry.output_error) json["output_error"] = *entry.output_error;
  json["polygraphy_class"] = "IterationContext";
  return json;
}

// Adds the entry to the text of others, as a member of an object that is indented by 4 spaces.
void append_member(std::string& members, const ReplayEntry& entry) {
  Json object = Json::object();
  object[replay_key(entry.iteration)] = to_json(entry);
  const std::string text = object.dump(4);
  if (!members.empty()) members += ',';
  members.append(text, 1, text.size() - 3);  // without the braces, and the line break before the second one
}

base::Status write(const std::string& members, const std::filesystem::path& path, base::Durability durability) {
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
  ASSAY_TRY(file.write(members.empty() ? "{}" : "{" + members + "\n}"));
  return file.commit(durability);
}

// Throws for numbers that don't fit, which get<int>() would change silently.
int to_int(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<int>::max()) {
    throw std::out_of_range("a number of nodes or of an iteration doesn't fit");
  }
  return json.get<int>();
}

// The phase is only in the key.
ReplayEntry from_json(const std::string& key, const Json& json) {
  ReplayEntry entry;
  const std::size_t phase = key.starts_with("_N") ? key.find('_', 2) : std::string::npos;
  if (phase != std::string::npos) entry.iteration.phase = key.substr(phase + 1);
  entry.iteration.number = to_int(json.at("iteration_info").at("iteration"));
  const Json& state = json.at("state");
  if (state.contains("num_nodes")) entry.nodes = to_int(state.at("num_nodes"));
  entry.success = json.at("success").get<bool>();
  entry.unresolved = json.value("unresolved", false);
  if (json.contains("output_error")) entry.output_error = json.at("output_error").get<double>();
  return entry;
}

}  // namespace

std::string replay_key(const Iteration& iteration) {
  const std::string key = "_N" + std::to_string(iteration.number);
  return iteration.phase.empty() ? key : key + "_" + iteration.phase;
}

base::Expected<Replay> Replay::load(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const std::string text, base::read_file(path));
  const auto malformed = [&](const std::string& reason) {
    return base::fail(base::ErrorKind::invalid_input, "not a debug replay: " + reason, path.string(),
                      "Name a file that --save-debug-replay wrote");
  };
  const auto root = tensor::parse_json(text);
  if (!root) return malformed(root.error().what);
  if (!root->is_object()) return malformed("it isn't a JSON object");
  Replay replay;
  try {
    for (const auto& [key, json] : root->items()) replay.set(from_json(key, json));
  } catch (const std::exception& error) {
    return malformed(tensor::json_reason(error));
  }
  return replay;
}

const ReplayEntry* Replay::find(const Iteration& iteration) const {
  const auto found = by_key_.find(replay_key(iteration));
  return found == by_key_.end() ? nullptr : &entries_[found->second];
}

void Replay::set(const ReplayEntry& entry) {
  const auto [at, added] = by_key_.emplace(replay_key(entry.iteration), entries_.size());
  if (added) {
    entries_.push_back(entry);
    append_member(members_, entry);
    return;
  }
  entries_[at->second] = entry;
  members_.clear();
  for (const ReplayEntry& each : entries_) append_member(members_, each);
}

base::Status Replay::save(const std::filesystem::path& path, base::Durability durability) const {
  return write(members_, path, durability);
}

base::Status Replay::save_with(const ReplayEntry& entry, const std::filesystem::path& path,
                               base::Durability durability) const {
  if (find(entry.iteration) != nullptr) {
    Replay changed = *this;
    changed.set(entry);
    return changed.save(path, durability);
  }
  std::string members = members_;
  append_member(members, entry);
  return write(members, path, durability);
}

std::filesystem::path skip_current_path(const std::filesystem::path& path) {
  return path.parent_path() / (path.stem().string() + "_skip_current" + path.extension().string());
}

}  // namespace assay::reduce
