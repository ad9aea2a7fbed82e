// Options for sharding attention layers: Polygraphy's group "Shard Hints".
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "shard/propose_hints.h"

namespace assay::cli {

class ShardOptions {
 public:
  void add_to(CLI::App& app);

  // Errors: invalid_input if an option for fused attention is given without --cp-type fused, or if one of them isn't
  // the order of dimensions.
  [[nodiscard]] base::Expected<shard::Proposal> proposal() const;
  // The form of attention layers, which no hints file states.
  [[nodiscard]] shard::AttentionForm form() const { return static_cast<shard::AttentionForm>(form_); }
  // Returns the name of one of the other options that was given, or empty.
  [[nodiscard]] std::string given() const;

 private:
  [[nodiscard]] base::Expected<std::optional<shard::FusedAttention>> replacement() const;

  // Owned by the App, which outlives the command's run.
  std::vector<CLI::Option*> options_;   // but for --attention-pattern
  std::vector<CLI::Option*> of_fused_;  // first those for Q, K and V
  const CLI::Option* groups_option_ = nullptr;
  std::string parallelism_ = "CP", type_ = "native", reduce_op_ = "max";
  std::int64_t root_ = -1, gpus_ = 0, rank_count_ = 1;
  std::vector<std::int64_t> groups_;
  bool no_ports_ = false;
  int input_axis_ = 0, output_axis_ = 0, k_axis_ = 0, v_axis_ = 0;
  int input_rank_ = 0, output_rank_ = 0, kv_rank_ = 0;  // 0: not given
  int form_ = 0;
  shard::FusedAttention fused_;
};

}  // namespace assay::cli
