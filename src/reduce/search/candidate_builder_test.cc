#include "reduce/search/candidate_builder.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "model/inference/check.h"
#include "model/load.h"
#include "reduce/explore/node_sets.h"

namespace assay::reduce {
namespace {

// Inference knows nothing of what the operators of another domain return. The reference knows more.
constexpr const char* kModel = R"(
<ir_version: 8, opset_import: ["" : 17, "some.where" : 1]>
g (float[N] x, float[2] w) => (z) {
  a = Relu(x)
  scale = some.where.Mean(a)
  b = Mul(a, scale)
  size = some.where.Count(b)
  c = some.where.Wave(b, w)
  d = Reshape(c, size)
  e = Mul(d, scale)
  f = some.where.Wave(e, d)
  z = Add(f, w)
})";

class KnowsAll final : public Reference {
 public:
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors values;
    for (const std::string& name : names) {
      if (name == "scale") {
        values.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {}, {0.5F}));
      } else if (name == "size") {
        values.set(name, tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {1}, {2}));
      } else {
        values.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {3, 4}));
      }
    }
    return values;
  }
};

class Candidates {
 public:
  explicit Candidates(bool see_all = false)
      : builder_(std::make_shared<const model::Model>(model::parse_text(kModel).value()),
                 edit::Subject::Constants::as_nodes,
                 {.shapes_from_reference = see_all,
                  .reference = [](const auto&, const auto&) { return std::make_unique<KnowsAll>(); },
                  .log = log_}) {}

  [[nodiscard]] static int count() { return kNodes * kNodes * kKinds; }

  // Returns everything that a search sees of a candidate: which tensors become inputs, and its bytes.
  std::string build(int number) {
    const int first = number / kKinds % kNodes;
    const int last = number / kKinds / kNodes;
    if (last < first) return {};
    Nodes nodes(static_cast<std::size_t>(last - first) + 1);
    std::iota(nodes.begin(), nodes.end(), first);
    const edit::Selection selection = select(builder_.subject(), std::move(nodes));
    const std::vector<edit::TensorId> cut = builder_.cut_tensors(selection);
    const std::vector<edit::TensorId> boundary = edit::boundary(builder_.subject(), selection);
    const SharedModel built = [&]() -> SharedModel {
      switch (number % kKinds) {
        case 0:
          return builder_.build(std::make_shared<const edit::Selection>(selection)).value();
        case 1:
          return builder_.build(selection, {.frozen = boundary}).value();
        case 2:
          return builder_.build(selection, {.fixed_shapes = true, .rank = UnknownRank::accept}).value();
        default:
          return builder_.build(std::make_shared<const CutSelection>(CutSelection{selection, cut, 9, true})).value();
      }
    }();
    std::string text = built ? built->proto.SerializeAsString() : "none";
    for (const edit::TensorId id : cut) text.append(" ").append(builder_.subject().view().name(id));
    return text;
  }

 private:
  static constexpr int kNodes = 9;
  static constexpr int kKinds = 4;
  base::SilentLog log_;
  CandidateBuilder builder_;
};

TEST(CandidateBuilder, BuildsTheSameCandidatesInAnyOrder) {
  for (const bool see_all : {false, true}) {
    std::vector<std::string> alone;
    for (int i = 0; i < Candidates::count(); ++i) alone.push_back(Candidates(see_all).build(i));
    Candidates forwards(see_all);
    for (int i = 0; i < Candidates::count(); ++i) EXPECT_EQ(forwards.build(i), alone[static_cast<std::size_t>(i)]) << i;
    Candidates backwards(see_all);
    for (int i = Candidates::count(); i-- > 0;) EXPECT_EQ(backwards.build(i), alone[static_cast<std::size_t>(i)]) << i;
  }
}

// ONNX's checker demands a type and a rank for each output, and for results of other domains no engine may know them.
TEST(CandidateBuilder, OutputsAfterUnknownOperatorsAreDeclared) {
  constexpr const char* kChain = R"(
    <ir_version: 8, opset_import: ["" : 17, "some.where" : 1, "local" : 1]>
    g (float[N,2] x, float[2,2] w) => (float[N,2] z) {
      a = Relu(x)
      b = some.where.Wave(a)
      c = Tanh(b)
      d = local.Scale(c, w)
      e = some.where.Wave(d)
      z = Add(e, d)
    }
    <domain: "local", opset_import: ["" : 17]>
    Scale (p, q) => (r) { r = MatMul(p, q) }
  )";
  base::SilentLog log;
  CandidateBuilder builder(std::make_shared<const model::Model>(model::parse_text(kChain).value()),
                           edit::Subject::Constants::as_nodes, {.reference = nullptr, .log = log});
  for (int last = 0; last < 6; ++last) {
    Nodes nodes(static_cast<std::size_t>(last) + 1);
    std::iota(nodes.begin(), nodes.end(), 0);
    const auto prefix = select(builder.subject(), std::move(nodes));
    const SharedModel built = builder.build(std::make_shared<const edit::Selection>(prefix)).value();
    const base::Status valid = model::check(*built);
    EXPECT_TRUE(valid) << last << ": " << (valid ? "" : valid.error().message());
  }
}

}  // namespace
}  // namespace assay::reduce
