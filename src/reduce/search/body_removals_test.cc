#include "reduce/search/body_removals.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class BodyRemovals : public testing::Test {
 protected:
  void list(const std::string& graph) {
    model_ = std::make_shared<const model::Model>(edit::test::parse(graph));
    known_ = edit::known_value_infos(*model_);
    ways_ = body_removals(model_, known_, values_);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const InnerRemoval& way : ways_) names.push_back(way.what);
    return names;
  }
  // Returns the candidate of the way whose name contains `text`.
  [[nodiscard]] SharedModel make(const std::string& text) const {
    const auto way =
        std::ranges::find_if(ways_, [&](const InnerRemoval& it) { return it.what.find(text) != std::string::npos; });
    return way != ways_.end() ? way->make() : nullptr;
  }

  SharedModel model_;
  edit::ValueInfos known_;
  tensor::NamedTensors values_;
  std::vector<InnerRemoval> ways_;
};

// The branches of the inner If return other ranks, so that of its output isn't known, but zeros of either will do.
TEST_F(BodyRemovals, AnIfOfUnknownRankReturnsZerosOfABranch) {
  list(
      "g (bool c, bool d, float[2] x, float[2,3] z) => (int64 n) { y = If (c) <then_branch = t () => (float[] t_y) "
      "{ t_y = If (d) <then_branch = u () => (float[2] u_y) { u_y = Neg (x) }, else_branch = v () => (float[2,3] v_y) "
      "{ v_y = Neg (z) }> }, else_branch = e () => (float[2] e_y) { e_y = Exp (x) }> n = Size (y) }");
  for (const auto& [branch, rank] : {std::pair{"then_branch", 1}, std::pair{"else_branch", 2}}) {
    const SharedModel candidate = make(std::string("replaced by zeros, as ") + branch);
    ASSERT_TRUE(candidate) << testing::PrintToString(names());
    edit::test::expect_valid(*candidate);
    const onnx::GraphProto* body = nullptr;
    for (const onnx::AttributeProto& attribute : candidate->graph().node(0).attribute()) {
      if (attribute.name() == "then_branch") body = &attribute.g();
    }
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(body->node_size(), 0);
    ASSERT_EQ(body->initializer_size(), 1);
    EXPECT_EQ(body->initializer(0).name(), "t_y");
    EXPECT_EQ(body->initializer(0).dims_size(), rank);
    EXPECT_EQ(body->output(0).type().tensor_type().shape().dim_size(), rank);
  }
}

TEST_F(BodyRemovals, AnIfOfKnownRankReturnsZerosOfItsOwnShape) {
  list(
      "g (bool c, bool d, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] t_y) "
      "{ t_y = If (d) <then_branch = u () => (float[2] u_y) { u_y = Neg (x) }, else_branch = v () => (float[2] v_y) "
      "{ v_y = Abs (x) }> }, else_branch = e () => (float[2] e_y) { e_y = Exp (x) }> }");
  EXPECT_TRUE(make("replaced by zeros"));
  EXPECT_THAT(names(), Not(Contains(HasSubstr("as then_branch returns them"))));
}

}  // namespace
}  // namespace assay::reduce
