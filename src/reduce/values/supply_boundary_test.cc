#include "reduce/values/supply_boundary.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "edit/model_texts.h"
#include "model/shapes.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;

// Knows every tensor that it is given, and records for which it is asked.
class RecordingReference final : public Reference {
 public:
  explicit RecordingReference(tensor::NamedTensors values) : values_(std::move(values)) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors result;
    for (const std::string& name : names) {
      asked.insert(name);
      if (const tensor::Tensor* value = values_.find(name)) result.set(name, *value);
    }
    return result;
  }

  std::set<std::string> asked;

 private:
  tensor::NamedTensors values_;
};

tensor::Tensor floats(const tensor::Shape& shape) {
  const std::vector<float> data(tensor::element_count(shape).value(), 1);
  return tensor::Tensor::of<float>(tensor::ElementType::float32, shape, data);
}

tensor::NamedTensors values_for_batch_2() {
  tensor::NamedTensors values;
  values.set("x", floats({2, 4}));
  values.set("r", floats({2, 4}));
  values.set("c", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {2}, {2, 4}));
  return values;
}

std::string model_text(const std::string& declarations) {
  return "g (float[N,4] x) => (float[N,4] y) <int64[1] zero = {0}, int64[1] four = {4}" + declarations +
         "> { r = Relu(x) s = Shape(r) b = Gather(s, zero) c = Concat<axis = 0>(b, four) y = Reshape(r, c) }";
}

// Cuts the model before its Reshape, whose shape is frozen.
struct Cut {
  explicit Cut(const std::string& declarations) : model(edit::test::parse(model_text(declarations))) {
    BoundarySupply supply(facts, &reference, CutValues::automatic, log);
    const edit::Selection last{.nodes = {4}, .outputs = {subject.view().find("y")}, .frozen = {}};
    const CompleteSelection candidate = supply.complete(last, {subject.view().find("r")}, 100);
    frozen = candidate.selection.frozen.contains(subject.view().find("c"));
    const onnx::ValueInfoProto* input = candidate.facts.find_static(subject.view().find("r"));
    if (input != nullptr) declared = model::tensor_info(*input);
  }

  model::Model model;
  edit::Subject subject{model};
  edit::TensorFacts facts{subject, edit::TensorFacts::Inference::onnx};
  base::SilentLog log;
  RecordingReference reference{values_for_batch_2()};
  bool frozen = false;
  model::TensorInfo declared;
};

// The sizes of 'r' follow from those of the input, so the nodes before it needn't run.
TEST(BoundarySupply, InfersTheSizesOfNewInputs) {
  const Cut cut("");
  EXPECT_TRUE(cut.frozen);
  EXPECT_TRUE(model::is_static(cut.declared));
  EXPECT_EQ(cut.declared.shape->front().value, 2);
  EXPECT_THAT(cut.reference.asked, ElementsAre("c", "x"));
}

TEST(BoundarySupply, AsksForTensorsOfWhichTheModelDeclaresOtherSizes) {
  const Cut cut(", float[3,4] r");
  EXPECT_TRUE(cut.frozen);
  EXPECT_EQ(cut.declared.shape->front().value, 2);
  EXPECT_THAT(cut.reference.asked, ElementsAre("c", "r", "x"));
}

}  // namespace
}  // namespace assay::reduce
