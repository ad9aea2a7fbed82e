#include "inspect/tactics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/read_error.h"
#include "base/strings.h"
#include "tensor/json.h"

namespace assay::inspect {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using Json = nlohmann::ordered_json;

tl::unexpected<base::Error> malformed(std::string what) {
  return fail(ErrorKind::invalid_input, std::move(what), {}, "Use a file written by Polygraphy's --save-tactics");
}

// Returns a member, or null if there is none.
const Json* find(const Json& object, const char* name) {
  const auto at = object.is_object() ? object.find(name) : object.end();
  return at == object.end() ? nullptr : &*at;
}

base::Expected<std::int64_t> read_integer(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || !value->is_number_integer()) return malformed(fmt::format("'{}' isn't an integer", name));
  return value->get<std::int64_t>();
}

base::Expected<std::optional<std::int64_t>> read_optional(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || value->is_null()) return std::optional<std::int64_t>();
  ASSAY_ASSIGN(const std::int64_t number, read_integer(object, name));
  return std::optional(number);
}

base::Expected<TacticTensor> read_tensor(const Json& object) {
  TacticTensor tensor;
  const Json* dtype = find(object, "dtype");
  const Json* strides = find(object, "strides");
  if (dtype == nullptr || !dtype->is_string() || strides == nullptr || !strides->is_array() ||
      !std::ranges::all_of(*strides, [](const Json& stride) { return stride.is_number_integer(); })) {
    return malformed("a tensor of a layer has no 'dtype' or 'strides'");
  }
  tensor.dtype = dtype->get<std::string>();
  tensor.strides = strides->get<std::vector<std::int64_t>>();
  ASSAY_ASSIGN(tensor.vectorized_dim, read_optional(object, "vectorized_dim"));
  ASSAY_ASSIGN(tensor.components_per_element, read_optional(object, "components_per_element"));
  return tensor;
}

base::Expected<std::vector<TacticTensor>> read_tensors(const Json& object, const char* name) {
  const Json* list = find(object, name);
  if (list == nullptr || !list->is_array()) return malformed(fmt::format("'{}' isn't a list", name));
  std::vector<TacticTensor> tensors;
  for (const Json& item : *list) {
    ASSAY_ASSIGN(TacticTensor tensor, read_tensor(item));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

base::Expected<Tactic> read_tactic(const Json& object) {
  Tactic tactic;
  ASSAY_ASSIGN(tactic.implementation, read_integer(object, "implementation"));
  ASSAY_ASSIGN(tactic.tactic, read_integer(object, "tactic"));
  ASSAY_ASSIGN(tactic.inputs, read_tensors(object, "inputs"));
  ASSAY_ASSIGN(tactic.outputs, read_tensors(object, "outputs"));
  return tactic;
}

base::Expected<TacticReplay> read_replay(const Json& root) {
  const Json* layers = tensor::polygraphy_class(root) == "TacticReplayData" ? find(root, "replay") : nullptr;
  if (layers == nullptr || !layers->is_object()) return malformed("not a tactic replay");
  TacticReplay replay;
  for (const auto& [layer, object] : layers->items()) {
    auto tactic = read_tactic(object);
    if (!tactic) return fail(std::move(tactic).error().within(fmt::format("layer '{}'", layer)));
    replay.emplace_back(layer, *std::move(tactic));
  }
  return replay;
}

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

// Loads all replays of a file or folder.
base::Expected<std::vector<TacticReplay>> load_replays(const fs::path& path, base::Log& log) {
  std::vector<TacticReplay> replays;
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

std::string tensors_text(const std::vector<TacticTensor>& tensors) {
  std::vector<std::string> parts;
  for (const TacticTensor& tensor : tensors) {
    std::string text = fmt::format("{} strides ({})", tensor.dtype, fmt::join(tensor.strides, ", "));
    if (tensor.vectorized_dim) text += fmt::format(" vectorized dim {}", *tensor.vectorized_dim);
    if (tensor.components_per_element) text += fmt::format(" components {}", *tensor.components_per_element);
    parts.push_back(std::move(text));
  }
  return base::join(parts, "; ");
}

std::string tactic_text(const Tactic& tactic) {
  return fmt::format("\n    implementation {}, tactic {} | inputs: {} | outputs: {}", tactic.implementation,
                     tactic.tactic, tensors_text(tactic.inputs), tensors_text(tactic.outputs));
}

Json tensors_json(const std::vector<TacticTensor>& tensors) {
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); };
  Json list = Json::array();
  for (const TacticTensor& tensor : tensors) {
    list.push_back({{"dtype", tensor.dtype},
                    {"strides", tensor.strides},
                    {"vectorized_dim", number(tensor.vectorized_dim)},
                    {"components_per_element", number(tensor.components_per_element)}});
  }
  return list;
}

Json tactic_json(const Tactic& tactic) {
  return {{"implementation", tactic.implementation},
          {"tactic", tactic.tactic},
          {"inputs", tensors_json(tactic.inputs)},
          {"outputs", tensors_json(tactic.outputs)}};
}

std::string dump(const Json& object) {
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

base::Expected<TacticReplay> load_tactic_replay(const fs::path& path) {
  ASSAY_ASSIGN(const auto document, tensor::JsonDocument::open(path));
  auto replay = read_replay(document.root());
  if (!replay) return fail(std::move(replay).error().within(path.string()));
  return replay;
}

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
  for (const auto& [layer, tactic] : replay) parts.push_back(fmt::format("Layer: {}{}", layer, tactic_text(tactic)));
  return base::join(parts, "\n");
}

std::string suspects_text(const TacticDifference& difference) {
  std::vector<std::string> parts;
  for (const SuspectLayer& suspect : difference.suspects) {
    std::string text = "Layer: " + suspect.layer;
    for (const Tactic& tactic : suspect.tactics) text += tactic_text(tactic);
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
  return dump({{"layers", std::move(layers)}});
}

std::string suspects_json(const TacticDifference& difference) {
  Json suspects = Json::array();
  for (const SuspectLayer& suspect : difference.suspects) {
    Json tactics = Json::array();
    for (const Tactic& tactic : suspect.tactics) tactics.push_back(tactic_json(tactic));
    suspects.push_back({{"layer", suspect.layer}, {"tactics", std::move(tactics)}});
  }
  return dump(
      {{"good_files", difference.good_files}, {"bad_files", difference.bad_files}, {"suspects", std::move(suspects)}});
}

}  // namespace assay::inspect
