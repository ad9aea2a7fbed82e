// Tensor parallelism: every device runs the whole graph with its part of the weights.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "model/model.h"
#include "shard/parallel_layers.h"
#include "shard/shard_hints.h"

namespace assay::shard {

// Returns the model for one device, `rank` of collective.rank_count. In it,
//
// - the weights of the layers have the device's part;
// - an AttentionPlugin computes its part of the heads (num_q_heads, num_kv_heads), and its cache of K and V has as many
//   (dimension 2);
// - an all_reduce follows the last MatMul of each layer;
// - there are no value infos, because sizes inside of layers differ.
//
// `layers` are those of the model. Part of a weight's values are in a temporary file (model::WeightSpill). Errors:
// invalid_input if a size isn't a multiple of the number of devices, or an AttentionPlugin lacks a number of heads;
// those of keep_part() and model::WeightSpill; interrupted.
base::Expected<model::Model> model_of_rank(const model::Model& model, const std::vector<ParallelLayer>& layers,
                                           const Collective& collective, std::int64_t rank, const base::Stop& stop);

}  // namespace assay::shard
