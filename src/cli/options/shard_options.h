// Options for sharding attention layers: Polygraphy's group "Shard Hints".
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/options/refused_options.h"
#include "shard/propose_hints.h"

namespace assay::cli {

class ShardOptions {
 public:
  void add_to(CLI::App& app);

  // Errors: unsupported for options of fused attention.
  [[nodiscard]] base::Expected<shard::Proposal> proposal() const;
  // Returns the name of one of these options that was given, or empty.
  [[nodiscard]] std::string given() const;

 private:
  std::vector<CLI::Option*> options_;  // owned by the App, which outlives the command's run
  std::string parallelism_ = "CP", type_ = "native", reduce_op_ = "max";
  std::int64_t root_ = -1, gpus_ = 0, rank_count_ = 1;
  std::vector<std::int64_t> groups_;
  bool no_ports_ = false;
  int input_axis_ = 0, output_axis_ = 0, k_axis_ = 0, v_axis_ = 0;
  int input_rank_ = 0, output_rank_ = 0, kv_rank_ = 0;  // 0: not given
  int pattern_ = 0;
  RefusedOptions refused_;
};

}  // namespace assay::cli
