// Context parallelism: every device runs the whole graph on its part of the sequence.
#pragma once

#include "base/error.h"
#include "model/model.h"
#include "shard/find_attention.h"
#include "shard/shard_hints.h"

namespace assay::shard {

// Inserts DistCollective nodes (TensorRT's operator, in the default domain), since attention needs K and V of the whole
// sequence:
//
// - reduce_scatter after each input of the hints: everything in the graph reads the part of one device.
// - all_gather after K and V of each layer of the hints that asks for it, and after Q likewise; a tensor that several
//   layers read is gathered once.
// - all_gather before each output of the hints, unless Q of the layers is whole, since then the outputs are, too.
//
// A layer that is to be replaced becomes an Attention node, which gathers K and V itself. It doesn't scale: Q and K are
// those that the first MatMul reads.
//
// The collectives work on the first dimension, so a Transpose before and after them moves any other dimension there.
// Inputs and outputs of the model keep their names; outputs that are gathered keep only their type. Nodes are sorted.
//
// `form` is the form of the layers of the hints. Errors: not_found if the hints name a tensor that the model doesn't
// have in that place; invalid_input if a rank is unknown or too small for the dimension, if Q is whole in some layers
// only, or if a layer is to be both replaced and gathered. The model may then be changed.
base::Status shard_model(model::Model& model, const ShardHints& hints, AttentionForm form = AttentionForm::plain);

}  // namespace assay::shard
