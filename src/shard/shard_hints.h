// Hints for splitting a model over several devices, as data and in Polygraphy's JSON form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::shard {

// The words of ShardHints::parallelism: context parallel, where each device has a part of the sequence (shard_model.h),
// and tensor parallel, where each has a part of the weights (tensor_parallel.h).
inline constexpr const char* kContextParallel = "CP";
inline constexpr const char* kTensorParallel = "TP";
inline constexpr std::array kParallelisms = {kContextParallel, kTensorParallel};
// The words of Collective::reduce_op.
inline constexpr std::array kReduceOps = {"sum", "prod", "min", "max", "avg"};

// A tensor that is split (an input) or gathered (an output) along one of its dimensions.
struct ShardTensor {
  std::string name;
  int axis = 0;                  // the dimension of the sequence
  std::optional<int> rank = {};  // used if the model doesn't declare the rank
};

// The operator that computes a whole attention layer on all devices: ONNX's Attention with TensorRT's attributes.
struct FusedAttention {
  bool is_causal = false;
  // How Q, K and V are transposed before it; empty: not at all. It reads K as it reads V, but a MatMul reads K with its
  // last two dimensions exchanged.
  std::vector<std::int64_t> q_shuffle = {}, k_shuffle = {}, v_shuffle = {};
  std::int64_t rank_count = 1;
};

// Returns the first dimension that such an order lacks, or nothing if it names each dimension once.
std::optional<std::int64_t> missing_dimension(const std::vector<std::int64_t>& order);

// The attention layer whose Q is this tensor.
struct AttentionHint {
  std::string q;
  bool gather_kv = true;
  bool gather_q = false;
  std::optional<FusedAttention> replace = {};  // by this operator, which gathers K and V itself
};

// The settings that all collective nodes share.
struct Collective {
  std::int64_t group_size = 0;  // devices taking part; 0: all
  std::int64_t root = -1;
  std::int64_t rank_count = 1;            // tensor parallel: the number of devices, each of which gets a model
  std::string reduce_op = "max";          // of the nodes that split
  std::vector<std::int64_t> groups = {};  // indices of groups of devices; empty: one group of all
};

struct ShardHints {
  std::string parallelism = kContextParallel;
  // All members below except `collective` are for context parallel only.
  std::vector<AttentionHint> layers = {};
  Collective collective = {};
  std::vector<ShardTensor> inputs = {}, outputs = {};
  int k_axis = 0, v_axis = 0;       // the dimension of the sequence in K and in V
  std::optional<int> kv_rank = {};  // used if the model doesn't declare the rank of K or V
};

// Returns the hints as JSON, indented.
std::string to_json(const ShardHints& hints);

// Reads hints of Polygraphy 0.49 and 0.53. Errors: invalid_input if `text` isn't such a file, named by `path`.
base::Expected<ShardHints> parse_hints(std::string_view text, const std::string& path);

}  // namespace assay::shard
