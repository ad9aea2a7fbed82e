#include "reduce/values/layered_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using edit::test::parse;
using tensor::ElementType;
using tensor::Tensor;

// Knows some values, and which of them were asked for.
class ListedReference final : public Reference {
 public:
  explicit ListedReference(std::map<std::string, Tensor> values) : values_(std::move(values)) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors result;
    for (const std::string& name : names) {
      asked.insert(name);
      if (const auto at = values_.find(name); at != values_.end()) result.set(name, at->second);
    }
    return result;
  }

  std::set<std::string> asked;

 private:
  std::map<std::string, Tensor> values_;
};

Tensor floats(const tensor::Shape& shape) {
  return Tensor::of<float>(ElementType::float32, shape, std::vector<float>(tensor::element_count(shape).value(), 1));
}

Tensor integers(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>(ElementType::int64, {std::ssize(values)}, values);
}

// A model that was run with x of [4, 6], and a smaller one in which the sizes are `now`.
struct Derived {
  explicit Derived(const std::string& before, const std::string& now)
      : original_model(parse(before)), smaller_model(parse(now)) {}
  LayeredReference reference() {
    auto own =
        std::make_unique<ListedReference>(std::map<std::string, Tensor>{{"s", integers({1, 1})}, {"u", integers({7})}});
    return {original, edit::TensorFacts(original_subject, edit::TensorFacts::Inference::onnx), std::move(own),
            edit::TensorFacts(smaller_subject, edit::TensorFacts::Inference::onnx)};
  }

  model::Model original_model, smaller_model;
  edit::Subject original_subject{original_model}, smaller_subject{smaller_model};
  std::shared_ptr<ListedReference> original = std::make_shared<ListedReference>(
      std::map<std::string, Tensor>{{"x", floats({4, 6})}, {"s", integers({4, 6})}, {"u", integers({9})}});
};

std::int64_t first(LayeredReference& reference, const std::string& name) {
  const tensor::NamedTensors values = reference.available({name});
  const Tensor* value = values.find(name);
  if (value == nullptr || value->type() != ElementType::int64) return -1;
  return value->load<std::int64_t>(0);
}

TEST(LayeredReference, TakesTheOriginalsValuesAsLongAsNoSizeHasChanged) {
  Derived derived("g (float[4,6] x) => (int64[2] s) { s = Shape(x) }",
                  "g (float[4,6] x) => (int64[2] s) { s = Shape(x) }");
  LayeredReference reference = derived.reference();
  EXPECT_EQ(first(reference, "s"), 4);
}

// The shape of s is that of the original's value.
TEST(LayeredReference, DoesNotTakeValuesThatDependOnChangedSizes) {
  Derived derived("g (float[4,6] x, int64[1] v) => (int64[2] s, int64[1] u) { s = Shape(x)  u = Abs(v) }",
                  "g (float[1,1] x, int64[1] v) => (int64[2] s, int64[1] u) { s = Shape(x)  u = Abs(v) }");
  LayeredReference reference = derived.reference();
  EXPECT_EQ(first(reference, "s"), 1);
  EXPECT_EQ(first(reference, "u"), 9);
  EXPECT_FALSE(derived.original->asked.contains("x"));  // both models declare its sizes
}

TEST(LayeredReference, AsksTheOriginalForSizesThatItDoesNotDeclare) {
  const std::string before = "g (float[N,6] x) => (int64[2] s) { s = Shape(x) }";
  for (const auto& [now, expected] : std::map<std::string, std::int64_t>{{"N", 4}, {"4", 4}, {"1", 1}}) {
    Derived derived(before, "g (float[" + now + ",6] x) => (int64[2] s) { s = Shape(x) }");
    LayeredReference reference = derived.reference();
    EXPECT_EQ(first(reference, "s"), expected) << now;
  }
}

TEST(LayeredReference, WeightsHaveSizesToo) {
  Derived derived("g () => (int64[2] s) <float[2,2] w = {1, 2, 3, 4}> { s = Shape(w) }",
                  "g () => (int64[2] s) <float[1,1] w = {1}> { s = Shape(w) }");
  LayeredReference reference = derived.reference();
  EXPECT_EQ(first(reference, "s"), 1);
}

}  // namespace
}  // namespace assay::reduce
