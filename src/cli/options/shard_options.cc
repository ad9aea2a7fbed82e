#include "cli/options/shard_options.h"

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

constexpr std::string_view kFused = "belongs to --cp-type fused, which uses a fused operator of TensorRT";
constexpr std::array kRefused = {
    RefusedOption{"--q-shuffle", true, kFused},
    RefusedOption{"--k-shuffle", true, kFused},
    RefusedOption{"--v-shuffle", true, kFused},
    RefusedOption{"--is-causal", false, kFused},
};

std::vector<std::string> words(std::span<const char* const> list) {
  return {list.begin(), list.end()};
}

std::optional<int> given_rank(int rank) {
  return rank > 0 ? std::optional(rank) : std::nullopt;
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
  add(app.add_option("--parallelism", parallelism_, "Context (CP) or tensor (TP) parallel; both split alike")
          ->check(CLI::IsMember(words(shard::kParallelisms))));
  add_number("--root", root_, "The rank of the root process (default: -1)");
  add_number("--gpus", gpus_, "The number of devices taking part; 0 means all (default: 0)")->check(at_least(0));
  add_number("--groups", groups_, "Indices of groups of devices (default: one group of all)")->expected(0, -1);
  add(app.add_option("--cp-type", type_, "How attention is split; only native is supported")
          ->check(CLI::IsMember({"native", "fused"})));
  add(app.add_flag("--no-suggest-io", no_ports_, "Don't propose inputs and outputs of the model to split"));
  add_axis("--i-idx", input_axis_, "The dimension of the sequence in inputs");
  add_axis("--o-idx", output_axis_, "The dimension of the sequence in outputs");
  add_axis("--k-idx", k_axis_, "The dimension of the sequence in K");
  add_axis("--v-idx", v_axis_, "The dimension of the sequence in V");
  add_number("--i-rank", input_rank_, "The rank of inputs, if the model doesn't state it")->check(above_zero());
  add_number("--o-rank", output_rank_, "The rank of outputs, if the model doesn't state it")->check(above_zero());
  add_number("--kv-rank", kv_rank_, "The rank of K and V, if the model doesn't state it")->check(above_zero());
  add(app.add_option("--reduce-op", reduce_op_, "How nodes that split inputs combine them (default: max)")
          ->check(CLI::IsMember(words(shard::kReduceOps))));
  add(app.add_option("--attention-pattern", pattern_,
                     "The form of attention layers: 0 is MatMul, Softmax, MatMul. Only 0 is supported")
          ->check(CLI::IsMember({0, 1})));
  add_number("--nb-rank", rank_count_, "The number of ranks (default: 1)")->check(above_zero());
  refused_.add_to(app, kRefused);
}

base::Expected<shard::Proposal> ShardOptions::proposal() const {
  ASSAY_TRY(refused_.check());
  if (type_ == "fused") {
    return fail(ErrorKind::unsupported, "fused attention is an operator of TensorRT", "--cp-type", "Use native");
  }
  if (pattern_ != 0) {
    return fail(ErrorKind::unsupported, "only layers of the form MatMul, Softmax, MatMul are found",
                "--attention-pattern", "Leave it out, or edit the hints");
  }
  shard::Proposal proposal;
  proposal.hints.parallelism = parallelism_;
  proposal.hints.collective = {
      .group_size = gpus_, .root = root_, .rank_count = rank_count_, .reduce_op = reduce_op_, .groups = groups_};
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
