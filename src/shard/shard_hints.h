// Hints for splitting a model over several devices, as data and in Polygraphy's JSON form.
//
// Every device runs the whole graph on its part of the sequence. Attention needs K and V of the whole sequence, so
// these are gathered from all devices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::shard {

// The words of ShardHints::parallelism and Collective::reduce_op.
inline constexpr std::array kParallelisms = {"CP", "TP"};
inline constexpr std::array kReduceOps = {"sum", "prod", "min", "max", "avg"};

// A tensor that is split (an input) or gathered (an output) along one of its dimensions.
struct ShardTensor {
  std::string name;
  int axis = 0;                  // the dimension of the sequence
  std::optional<int> rank = {};  // used if the model doesn't declare the rank
};

// The attention layer whose Q is this tensor.
struct AttentionHint {
  std::string q;
  bool gather_kv = true;
  bool gather_q = false;
};

// The settings that all collective nodes share.
struct Collective {
  std::int64_t group_size = 0;  // devices taking part; 0: all
  std::int64_t root = -1;
  std::int64_t rank_count = 1;
  std::string reduce_op = "max";          // of the nodes that split
  std::vector<std::int64_t> groups = {};  // indices of groups of devices; empty: one group of all
};

struct ShardHints {
  std::string parallelism = "CP";  // context or tensor parallel; both are split alike
  std::vector<AttentionHint> layers = {};
  Collective collective = {};
  std::vector<ShardTensor> inputs = {}, outputs = {};
  int k_axis = 0, v_axis = 0;
  std::optional<int> kv_rank = {};  // used if the model doesn't declare the rank of K or V
};

// Returns the hints as JSON, indented.
std::string to_json(const ShardHints& hints);

// Reads hints of Polygraphy 0.49 and 0.53. Errors: invalid_input if `text` isn't such a file, named by `path`;
// unsupported for layers that are to be replaced by a fused operator.
base::Expected<ShardHints> parse_hints(std::string_view text, const std::string& path);

}  // namespace assay::shard
