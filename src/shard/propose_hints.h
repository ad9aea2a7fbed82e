// Proposes how to shard a model: all its attention layers, and the inputs and outputs that are connected with them.
#pragma once

#include <optional>

#include "model/model.h"
#include "shard/find_attention.h"
#include "shard/shard_hints.h"

namespace assay::shard {

struct Proposal {
  // Copied to the result, to which layers, inputs and outputs are added. kv_rank is used if no K or V has a known rank.
  ShardHints hints = {};
  AttentionForm form = AttentionForm::plain;
  std::optional<FusedAttention> replace = {};  // each layer by this; empty: K and V of each layer are gathered
  bool suggest_ports = true;                   // propose inputs and outputs
  // The dimension of the sequence, if none is named sequence_length or seq_len.
  int input_axis = 0, output_axis = 0;
  std::optional<int> input_rank = {}, output_rank = {};  // used if the model doesn't declare the rank
};

// Returns hints with every attention layer of the form, every input of the model on which one depends, and every output
// that depends on one. There are no layers if the model has no attention.
ShardHints propose_hints(const model::Model& model, const Proposal& proposal);

}  // namespace assay::shard
