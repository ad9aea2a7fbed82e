// The answer of `locate`: where two sides diverge, and what the search has found out about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "locate/fused_layers.h"
#include "locate/search/search.h"
#include "locate/sides/judge.h"
#include "locate/sides/ledger.h"
#include "tensor/float16_values.h"

namespace assay::locate {

struct WeightBeyondFloat16 {
  std::string name;
  tensor::Float16Changes changes;
};

struct Layer {
  std::string tensor;
  int node_index = -1;  // in the graph; -1 if none
  std::string node;     // "Conv 'conv_1' (node #3)"
  std::string source;   // the line of a PyTorch program that the node comes from (model/source_line.h); may be empty
  std::string description;  // "float32, shape=(1, 3)"
  Divergence in_model;
  std::optional<Divergence> alone;  // its node by itself, with good values as inputs; absent: not tried
  // The share of the outputs' error, from 0 to 1, that disappears if this tensor has its good values; absent: not
  // tried.
  std::optional<double> share = {};
  std::vector<WeightBeyondFloat16> weights = {};  // read by its node
};

struct Location {
  enum class Outcome {
    agree,   // the outputs agree
    differ,  // the sides differ
    random,  // two runs of one side differ
  };
  Outcome outcome = Outcome::agree;
  std::string first;              // names of the sides
  std::string second;             // equal to `first` if an engine is compared with itself
  std::size_t random_engine = 0;  // index into LocateInput::engines if the outcome is random
  std::string good;               // the side assumed to be right; empty if an engine is compared with itself
  bool good_is_known = false;     // that side is golden or a reference
  int nodes = 0;                  // of the model
  std::size_t cells = 0;
  std::int64_t iteration = 0;
  std::vector<Layer> outputs;  // of the model; none if an engine differs from itself only with tensors marked
  // The side that returns outputs in the wrong order or layout, even those of Identity nodes; empty if none was seen
  // to.
  std::string misplacing;

  Finding finding;                     // this and the members below: not for the outcome agree
  std::string refusal;                 // why an engine failed with tensors marked; or empty
  std::vector<Layer> layers;           // compared in the whole model, in topological order
  Layer first_tensor;                  // the first at which a difference is born; judged alone if it is one node
  std::optional<Divergence> in_piece;  // of first_tensor, if the piece is several nodes
  // The tensor whose error matters most (rank_births.h). The headline names it and the piece ends with it. Equal to
  // first_tensor unless several births are known.
  Layer worst_tensor;
  std::string grew_earlier;        // an earlier tensor that differs although no error is born at its node; or empty
  std::vector<std::string> piece;  // descriptions of its nodes
  // It has several nodes, between which nothing can be compared, such as one that computes a sequence. Casts of a
  // float16 version don't count.
  bool has_inner_nodes = false;

  // The layers of TensorRT's engines that compute worst_tensor, at most one for each side.
  std::vector<FusedLayer> fused;
  // True if only the nodes that are fused with it differ, together; false if it differs without them, too; absent if
  // that isn't known.
  std::optional<bool> only_fused;
  // If TensorRT may use lower precisions than float32: the layers of its network that have to stay in float32, as far
  // as the search tells; and whether the outputs then agree, if that was tried.
  std::vector<std::string> float32_layers;
  std::optional<bool> float32_agrees;

  // True if the outputs agree once the piece's results have their good values. Tried only if not all tensors were
  // compared, so that there may be more places.
  std::optional<bool> only_place;

  std::vector<std::string> notes;
  std::filesystem::path model_file, against_file, inputs_file, golden_file;  // saved files; empty if not saved
  std::optional<bool> verified;  // whether the saved piece differs too; absent: not known
  bool refuses_saved = false;    // an engine fails on the saved piece
  Ledger ledger;
  double seconds = 0;
};

}  // namespace assay::locate
