// For tests of the modes bisect and linear: judges in memory, and a model with several branches.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edit/test_models.h"
#include "model/inference/check.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "reduce/reduce_model.h"

namespace assay::reduce::test {

// Judges inside this process, records the candidates, and checks that each is valid.
struct Judge {
  std::function<bool(const model::Model&)> fails;
  bool valid_models = true;
  std::vector<Names> shown;

  base::Expected<Verdict> operator()(const model::Model& candidate) {
    if (valid_models) {
      const base::Status valid = model::full_check(candidate);
      EXPECT_TRUE(valid.has_value()) << valid.error().message();
    }
    shown.push_back(edit::test::node_names(candidate));
    return Verdict{.kind = fails(candidate) ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
  }
};

// Judges in one slot, and may end with an error.
class OneJudge final : public Judges {
 public:
  using Function = std::function<base::Expected<Verdict>(const model::Model&)>;
  explicit OneJudge(Function judge) : judge_(std::move(judge)) {}

  [[nodiscard]] int slots() const override { return 1; }
  Ticket start(SharedModel candidate) override {
    candidate_ = std::move(candidate);
    return 1;
  }
  Ended wait() override { return {.ticket = 1, .verdict = judge_(*candidate_)}; }
  std::optional<Ended> poll() override { return std::nullopt; }
  std::optional<Ended> cancel(Ticket) override { return std::nullopt; }

 private:
  Function judge_;
  SharedModel candidate_;
};

inline base::Expected<Reduction> run(const model::Model& model, Judge& judge,
                                     const ReduceOptions& options = {.mode = Mode::bisect},
                                     MakeReference reference = nullptr) {
  OneJudge judges(std::ref(judge));
  ReduceParts parts = bare_parts(judges);
  parts.reference = std::move(reference);
  return reduce(model, options, parts);
}

inline Judge needs(Names nodes) {
  return {.fails = [nodes = std::move(nodes)](const model::Model& model) { return holds(model, nodes); }, .shown = {}};
}

// x -> branches of a length -> pairwise sums -> out
inline edit::test::GraphBuilder wide(int branches, int length) {
  edit::test::GraphBuilder graph;
  graph.input("x").output("out");
  Names ends;
  for (int branch = 0; branch < branches; ++branch) {
    std::string last = "x";
    for (int i = 0; i < length; ++i) {
      const std::string next = "b" + std::to_string(branch) + "_" + std::to_string(i);
      graph.node("Relu", {last}, {next});
      last = next;
    }
    ends.push_back(last);
  }
  std::string sum = ends.front();
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const std::string next = i + 1 == ends.size() ? "out" : "s" + std::to_string(i);
    graph.node("Add", {sum, ends[i]}, {next});
    sum = next;
  }
  return graph;
}

}  // namespace assay::reduce::test
