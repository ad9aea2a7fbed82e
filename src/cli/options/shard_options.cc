#include "cli/options/shard_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/validators.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

constexpr const char* kFused = "fused";

std::vector<std::string> words(std::span<const char* const> list) {
  return {list.begin(), list.end()};
}

std::optional<int> given_rank(int rank) {
  return rank > 0 ? std::optional(rank) : std::nullopt;
}

// Numbers after an option that also stands alone. CLI11 then passes one empty text, which it would read as 0.
std::vector<std::int64_t> without_empty(const CLI::Option* option, const std::vector<std::int64_t>& numbers) {
  return option->results() == CLI::results_t{""} ? std::vector<std::int64_t>() : numbers;
}

}  // namespace

void ShardOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Shard Hints";
  const auto add = [&](CLI::Option* option) {
    options_.push_back(option->group(kGroup));
    return option;
  };
  const auto add_number = [&](const char* name, auto& value, const char* help) {
    return add(app.add_option(name, value, help)->option_text("NUMBER"));
  };
  const auto add_axis = [&](const char* name, int& value, const char* help) {
    add_number(name, value, help)->check(at_least(0))->capture_default_str();
  };
  add(app.add_option("--parallelism", parallelism_,
                     "What each device gets: a part of the sequence (CP), or of the weights (TP), with a "
                     "model of its own; then only --nb-rank, --gpus, --root and --groups count")
          ->check(CLI::IsMember(words(shard::kParallelisms))));
  add_number("--root", root_, "The rank of the root process (default: -1)");
  add_number("--gpus", gpus_, "The number of devices taking part; 0 means all (default: 0)")->check(at_least(0));
  groups_option_ =
      add_number("--groups", groups_, "Indices of groups of devices (default: one group of all)")->expected(0, -1);
  add(app.add_option("--cp-type", type_,
                     "How attention is split: by nodes that gather K and V (native), or by a fused "
                     "operator of TensorRT that replaces it")
          ->check(CLI::IsMember({"native", kFused})));
  add(app.add_flag("--no-suggest-io", no_ports_, "Don't propose inputs and outputs of the model to split"));
  add_axis("--i-idx", input_axis_,
           "The dimension of the sequence in inputs, if none is named sequence_length or seq_len");
  add_axis("--o-idx", output_axis_, "The same for outputs");
  add_axis("--k-idx", k_axis_, "The dimension of the sequence in K");
  add_axis("--v-idx", v_axis_, "The dimension of the sequence in V");
  add_number("--i-rank", input_rank_, "The rank of inputs, if the model doesn't state it")->check(above_zero());
  add_number("--o-rank", output_rank_, "The rank of outputs, if the model doesn't state it")->check(above_zero());
  add_number("--kv-rank", kv_rank_, "The rank of K and V, if the model doesn't state it")->check(above_zero());
  add(app.add_option("--reduce-op", reduce_op_, "How nodes that split inputs combine them (default: max)")
          ->check(CLI::IsMember(words(shard::kReduceOps))));
  app.add_option("--attention-pattern", form_,
                 "The form of attention layers: MatMul, Softmax, MatMul (0), or the same after Q and K were multiplied "
                 "by a factor, as PyTorch exports it (1)")
      ->option_text("NUMBER")
      ->check(CLI::IsMember({0, 1}))
      ->group(kGroup);
  add_number("--nb-rank", rank_count_, "The number of ranks (default: 1)")->check(above_zero());
  const auto add_shuffle = [&](const char* name, std::vector<std::int64_t>& order, const char* help) {
    of_fused_.push_back(add_number(name, order, help)->expected(0, -1));
  };
  add_shuffle("--q-shuffle", fused_.q_shuffle, "The order of dimensions in which the fused operator reads Q");
  add_shuffle("--k-shuffle", fused_.k_shuffle,
              "The same for K. A MatMul reads K with its last two dimensions exchanged, so that the fused operator "
              "nearly always needs this, such as 0 1 3 2");
  add_shuffle("--v-shuffle", fused_.v_shuffle, "The same for V");
  of_fused_.push_back(add(app.add_flag("--is-causal", fused_.is_causal, "The fused operator is causal")));
}

base::Expected<std::optional<shard::FusedAttention>> ShardOptions::replacement() const {
  if (type_ != kFused) {
    const auto given = std::ranges::find_if(of_fused_, [](const CLI::Option* option) { return option->count() > 0; });
    if (given == of_fused_.end()) return std::nullopt;
    return fail(ErrorKind::invalid_input, "the option is for a fused operator", (*given)->get_name(),
                "Add --cp-type fused, or leave it out");
  }
  shard::FusedAttention fused = fused_;
  const std::array orders = {&fused.q_shuffle, &fused.k_shuffle, &fused.v_shuffle};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const CLI::Option* option = of_fused_[i];
    *orders[i] = without_empty(option, *orders[i]);
    const auto missing = shard::missing_dimension(*orders[i]);
    if (!missing) continue;
    return fail(ErrorKind::invalid_input, fmt::format("dimension {} is missing in the order of dimensions", *missing),
                option->get_name(), "Name each dimension once, from 0 on, such as 0 1 3 2");
  }
  fused.rank_count = rank_count_;
  return fused;
}

base::Expected<shard::Proposal> ShardOptions::proposal() const {
  shard::Proposal proposal{.form = form()};
  ASSAY_ASSIGN(proposal.replace, replacement());
  proposal.hints.parallelism = parallelism_;
  proposal.hints.collective = {.group_size = gpus_,
                               .root = root_,
                               .rank_count = rank_count_,
                               .reduce_op = reduce_op_,
                               .groups = without_empty(groups_option_, groups_)};
  proposal.hints.k_axis = k_axis_;
  proposal.hints.v_axis = v_axis_;
  proposal.hints.kv_rank = given_rank(kv_rank_);
  proposal.suggest_ports = !no_ports_;
  proposal.input_axis = input_axis_;
  proposal.output_axis = output_axis_;
  proposal.input_rank = given_rank(input_rank_);
  proposal.output_rank = given_rank(output_rank_);
  return proposal;
}

std::string ShardOptions::given() const {
  for (const CLI::Option* option : options_) {
    if (option->count() > 0) return option->get_name();
  }
  return {};
}

}  // namespace assay::cli
