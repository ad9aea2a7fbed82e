#include "reduce/values/failed_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/at.h"
#include "base/stop.h"
#include "edit/tensor_facts.h"
#include "edit/test_models.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kModel = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x, float[2] z) => (float[2] d, float[2] e) {
  a = Relu(x)
  b = Neg(a)
  c = Abs(b)
  d = Neg(c)
  e = Add(z, x)
})";

class FailedNodesTest : public testing::Test {
 protected:
  edit::TensorId id(const std::string& tensor) const { return subject_.view().find(tensor); }
  edit::NodeId node_of(const std::string& tensor) const { return subject_.view().producer(id(tensor)); }

  // Returns the tensors without a value, with the reasons.
  std::vector<std::string> without_value() const {
    const std::vector<const std::string*> reasons = failed_.reasons();
    std::vector<std::string> found;
    for (edit::TensorId tensor = 0; tensor < subject_.view().tensor_count(); ++tensor) {
      const std::string* why = reasons[base::at(tensor)];
      if (why != nullptr) found.push_back(std::string(subject_.view().name(tensor)) + ": " + *why);
    }
    std::ranges::sort(found);
    return found;
  }

  model::Model model_ = model::parse_text(std::string(kModel)).value();
  edit::Subject subject_{model_};
  base::Stop stop_;
  worker::Pool pool_{{assay::test::workers_dir(), 1}, stop_};  // no engine runs
  EngineParts parts_{subject_, edit::TensorFacts(subject_), pool_, {}};
  FailedNodes failed_{subject_, parts_};
};

TEST_F(FailedNodesTest, BeginWithNone) {
  EXPECT_TRUE(failed_.empty());
  EXPECT_EQ(failed_.any_reason(), nullptr);
  EXPECT_THAT(without_value(), IsEmpty());
}

TEST_F(FailedNodesTest, TakeTheValuesOfAllThatDependsOnThem) {
  failed_.give_up(node_of("b"), "Neg fails");
  failed_.give_up(node_of("b"), "another reason");
  EXPECT_FALSE(failed_.empty());
  EXPECT_THAT(without_value(), ElementsAre("b: Neg fails", "c: Neg fails", "d: Neg fails"));
}

TEST_F(FailedNodesTest, PartsBeginAfterAReplacedTensor) {
  failed_.give_up(node_of("b"), "Neg fails");
  failed_.replace(id("c"), tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  EXPECT_TRUE(failed_.is_replaced(id("c")));
  EXPECT_THAT(without_value(), ElementsAre("b: Neg fails"));
}

TEST_F(FailedNodesTest, AnInputWithoutAValueIsNoFailure) {
  failed_.lack_input(id("z"), "no value for z");
  EXPECT_TRUE(failed_.empty());
  EXPECT_THAT(without_value(), ElementsAre("e: no value for z", "z: no value for z"));
}

}  // namespace
}  // namespace assay::reduce
