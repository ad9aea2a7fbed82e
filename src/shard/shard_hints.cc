#include "shard/shard_hints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/json_text.h"
#include "tensor/parse_json.h"

namespace assay::shard {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kClass = "polygraphy_class";

Json optional_json(const std::optional<int>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json tensors_json(const std::vector<ShardTensor>& tensors) {
  Json list = Json::array();
  for (const ShardTensor& tensor : tensors) {
    list.push_back({{"name", tensor.name},
                    {"seq_len_idx", tensor.axis},
                    {"rank", optional_json(tensor.rank)},
                    {kClass, "ShardTensor"}});
  }
  return list;
}

Json shuffle_json(const std::vector<std::int64_t>& shuffle) {
  return shuffle.empty() ? Json(nullptr) : Json(shuffle);
}

Json replacement_json(const std::optional<FusedAttention>& fused) {
  if (!fused) return nullptr;
  return {{"is_causal", fused->is_causal},
          {"q_shuffle", shuffle_json(fused->q_shuffle)},
          {"k_shuffle", shuffle_json(fused->k_shuffle)},
          {"v_shuffle", shuffle_json(fused->v_shuffle)},
          {"nb_rank", fused->rank_count},
          {kClass, "FusedAttention"}};
}

// Throws for numbers that aren't whole or don't fit, which get<>() would change silently.
template <class Whole>
Whole whole(const Json& json) {
  const bool fits = json.is_number_unsigned()
                        ? std::in_range<Whole>(json.get<std::uint64_t>())
                        : json.is_number_integer() && std::in_range<Whole>(json.get<std::int64_t>());
  if (!fits) throw std::out_of_range("a position, rank or size isn't a whole number, or too large");
  return json.get<Whole>();
}

// Throws unless the entry is one of these words.
void check_word(const std::string& word, const char* key, std::span<const char* const> words) {
  if (std::ranges::find(words, word) != words.end()) return;
  throw std::invalid_argument(fmt::format("'{}' must be {}, but is '{}'", key, fmt::join(words, " or "), word));
}

std::optional<int> read_optional(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at == json.end() || at->is_null() ? std::nullopt : std::optional(whole<int>(*at));
}

std::vector<ShardTensor> read_tensors(const Json& list) {
  std::vector<ShardTensor> tensors;
  for (const Json& tensor : list) {
    tensors.push_back(
        {tensor.at("name").get<std::string>(), whole<int>(tensor.at("seq_len_idx")), read_optional(tensor, "rank")});
  }
  return tensors;
}

std::vector<std::int64_t> read_shuffle(const Json& json, const char* key) {
  std::vector<std::int64_t> shuffle;
  const auto at = json.find(key);
  if (at == json.end() || at->is_null()) return shuffle;
  for (const Json& position : *at) shuffle.push_back(whole<std::int64_t>(position));
  if (const auto missing = missing_dimension(shuffle)) {
    throw std::invalid_argument(fmt::format("'{}' must name each dimension once, but lacks {}", key, *missing));
  }
  return shuffle;
}

std::optional<FusedAttention> read_replacement(const Json& layer) {
  const auto at = layer.find("replace");
  if (at == layer.end() || at->is_null()) return std::nullopt;
  FusedAttention fused{.is_causal = at->at("is_causal").get<bool>(),
                       .q_shuffle = read_shuffle(*at, "q_shuffle"),
                       .k_shuffle = read_shuffle(*at, "k_shuffle"),
                       .v_shuffle = read_shuffle(*at, "v_shuffle")};
  if (at->contains("nb_rank")) fused.rank_count = whole<std::int64_t>(at->at("nb_rank"));
  return fused;
}

// In version 0.49, these members stand next to the others.
Collective read_collective(const Json& json) {
  const Json& members = json.contains("dist_collectives") ? json.at("dist_collectives") : json;
  Collective collective;
  collective.group_size = whole<std::int64_t>(members.at("group_size"));
  collective.root = whole<std::int64_t>(members.at("root"));
  if (members.contains("nb_rank")) collective.rank_count = whole<std::int64_t>(members.at("nb_rank"));
  collective.reduce_op = json.value("reduce_scatter_reduce_op", members.value("reduce_op", collective.reduce_op));
  check_word(collective.reduce_op, "reduce_op", kReduceOps);
  for (const Json& group : members.at("groups")) collective.groups.push_back(whole<std::int64_t>(group));
  return collective;
}

ShardHints read_hints(const Json& json) {
  ShardHints hints;
  hints.parallelism = json.at("parallelism").get<std::string>();
  check_word(hints.parallelism, "parallelism", kParallelisms);
  for (const Json& layer : json.at("attention_layers")) {
    hints.layers.push_back({.q = layer.at("q").get<std::string>(),
                            .gather_kv = layer.at("gather_kv").get<bool>(),
                            .gather_q = layer.at("gather_q").get<bool>(),
                            .replace = read_replacement(layer)});
  }
  hints.collective = read_collective(json);
  hints.inputs = read_tensors(json.at("inputs"));
  hints.outputs = read_tensors(json.at("outputs"));
  hints.k_axis = whole<int>(json.at("k_seq_len_idx"));
  hints.v_axis = whole<int>(json.at("v_seq_len_idx"));
  hints.kv_rank = read_optional(json, "kv_rank");
  return hints;
}

}  // namespace

std::optional<std::int64_t> missing_dimension(const std::vector<std::int64_t>& order) {
  for (std::int64_t dimension = 0; dimension < std::ssize(order); ++dimension) {
    if (std::ranges::find(order, dimension) == order.end()) return dimension;
  }
  return std::nullopt;
}

std::string to_json(const ShardHints& hints) {
  Json layers = Json::array();
  for (const AttentionHint& layer : hints.layers) {
    layers.push_back({{"q", layer.q},
                      {"gather_kv", layer.gather_kv},
                      {"gather_q", layer.gather_q},
                      {"replace", replacement_json(layer.replace)},
                      {kClass, "AttentionLayerHint"}});
  }
  const Collective& collective = hints.collective;
  const Json json = {{"parallelism", hints.parallelism},
                     {"attention_layers", std::move(layers)},
                     {"dist_collectives",
                      {{"group_size", collective.group_size},
                       {"root", collective.root},
                       {"nb_rank", collective.rank_count},
                       {"reduce_op", collective.reduce_op},
                       {"groups", collective.groups},
                       {kClass, "DistCollective"}}},
                     {"inputs", tensors_json(hints.inputs)},
                     {"outputs", tensors_json(hints.outputs)},
                     {"k_seq_len_idx", hints.k_axis},
                     {"v_seq_len_idx", hints.v_axis},
                     {"kv_rank", optional_json(hints.kv_rank)},
                     {kClass, "ShardHints"}};
  return base::json_text(json, 4);
}

base::Expected<ShardHints> parse_hints(std::string_view text, const std::string& path) {
  const auto malformed = [&](const std::string& reason) {
    return base::fail(base::ErrorKind::invalid_input, "the file does not hold hints for sharding: " + reason, path,
                      "Create one with `assay template shard-hints`");
  };
  const auto json = tensor::parse_json(text);
  if (!json) return malformed(json.error().what);
  if (!json->is_object()) return malformed("it isn't a JSON object");
  try {
    return read_hints(*json);
  } catch (const std::exception& error) {
    return malformed(tensor::json_reason(error));
  }
}

}  // namespace assay::shard
