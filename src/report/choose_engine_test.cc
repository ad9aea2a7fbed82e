#include "report/choose_engine.h"

#include <gmock/gmock.h>

namespace assay::report {
namespace {

using testing::HasSubstr;

tensor::NamedTensors values(float first, float second = 2) {
  const std::vector<float> elements = {first, second};
  tensor::NamedTensors outputs;
  outputs.set("y", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, elements));
  return outputs;
}

run::EngineSetup setup(const std::string& kind, const std::string& engine) {
  run::EngineSetup made;
  made.runner = kind + "-runner";
  made.engine = engine;
  made.spec.kind = kind;
  return made;
}

class ChooseEngine : public testing::Test {
 protected:
  std::optional<EngineChoice> choose(const std::vector<EngineRun>& runs) const {
    return choose_engine(runs, saved_, tolerances_);
  }
  const run::EngineSetup onnxruntime_ = setup("onnxruntime", "ONNX Runtime");
  const run::EngineSetup openvino_ = setup("openvino", "OpenVINO");
  const run::EngineSetup reference_ = setup("python", "ONNX reference evaluator");
  const tensor::NamedTensors one_ = values(1);
  const tensor::NamedTensors nearly_one_ = values(1 + 1e-6F);
  const tensor::NamedTensors two_ = values(2);
  tensor::NamedTensors saved_;
  compare::CompareOptions tolerances_;
};

TEST_F(ChooseEngine, IsTheOnlyOneWithPrograms) {
  const auto choice = choose({{openvino_, &one_}, {reference_, &two_}});
  EXPECT_EQ(choice->engine, 0U);
  EXPECT_EQ(choice->expected, 1U);
  EXPECT_EQ(choice->why, "");
  EXPECT_FALSE(choose({{reference_, &one_}}));
}

// The check compares two engines without programs, and a third one shows which of them is right.
TEST_F(ChooseEngine, ExpectsWhatItReturnsIfOthersContradictEachOther) {
  const run::EngineSetup module = setup("python", "Python module");
  EXPECT_EQ(choose({{module, &two_}, {reference_, &one_}, {onnxruntime_, &nearly_one_}})->expected, 1U);
  EXPECT_EQ(choose({{module, &one_}, {reference_, &two_}, {onnxruntime_, &nearly_one_}})->expected, 0U);
  EXPECT_EQ(choose({{module, &one_}, {reference_, &one_}, {onnxruntime_, &two_}})->expected, 0U);
}

TEST_F(ChooseEngine, IsTheOneThatFailsIfAnotherRuns) {
  for (const auto& [first, second] : {std::pair(&onnxruntime_, &openvino_), std::pair(&openvino_, &onnxruntime_)}) {
    const auto choice = choose({{*first, &one_}, {*second, nullptr}});
    EXPECT_EQ(choice->engine, 1U);
    EXPECT_EQ(choice->expected, 0U);
    EXPECT_EQ(choice->why, "it fails on the model, and " + first->engine + " doesn't");
  }
}

TEST_F(ChooseEngine, NamesAnEngineThatFailsButHasNoPrograms) {
  EXPECT_EQ(choose({{onnxruntime_, &one_}, {reference_, nullptr}})->unreached, "ONNX reference evaluator");
  EXPECT_EQ(choose({{onnxruntime_, &one_}, {reference_, nullptr, true}})->unreached, "");
  EXPECT_EQ(choose({{onnxruntime_, nullptr}, {reference_, nullptr}})->unreached, "");
  EXPECT_EQ(choose({{onnxruntime_, &one_}, {reference_, &two_}})->unreached, "");
}

// It may only be slow.
TEST_F(ChooseEngine, IsNotOneThatWasStopped) {
  const auto choice = choose({{onnxruntime_, nullptr, true}, {openvino_, &one_}});
  EXPECT_EQ(choice->engine, 1U);
  EXPECT_EQ(choose({{onnxruntime_, nullptr, true}, {openvino_, nullptr}, {reference_, &one_}})->engine, 1U);
}

TEST_F(ChooseEngine, IsTheOneThatDiffersFromTheReference) {
  const auto choice = choose({{openvino_, &nearly_one_}, {onnxruntime_, &two_}, {reference_, &one_}});
  EXPECT_EQ(choice->engine, 1U);
  EXPECT_EQ(choice->expected, 2U);
  EXPECT_THAT(choice->why, HasSubstr("reference evaluator"));
}

TEST_F(ChooseEngine, IsTheOneThatDiffersFromSavedResults) {
  saved_ = values(1);
  EXPECT_EQ(choose({{onnxruntime_, &two_}, {openvino_, &one_}})->engine, 0U);
  EXPECT_EQ(choose({{onnxruntime_, &one_}, {openvino_, &two_}})->engine, 1U);
  tolerances_.set(compare::kAbsoluteTolerance, 10);
  EXPECT_EQ(choose({{onnxruntime_, &two_}, {openvino_, &one_}})->engine, 1U) << "both are within tolerances";
}

TEST_F(ChooseEngine, IsNotTheOneThatOthersAreMeasuredBy) {
  for (const auto& [first, second] : {std::pair(&onnxruntime_, &openvino_), std::pair(&openvino_, &onnxruntime_)}) {
    const std::vector<EngineRun> runs = {{*first, &one_}, {*second, &two_}};
    const auto choice = choose(runs);
    EXPECT_EQ(runs[choice->engine].setup.engine, "OpenVINO");
    EXPECT_EQ(runs[*choice->expected].setup.engine, "ONNX Runtime");
    EXPECT_THAT(choice->why, HasSubstr("ONNX Runtime is taken as the reference for the others"));
  }
}

TEST_F(ChooseEngine, IsTheFirstOfTwoSettingsOfOneEngine) {
  const auto choice = choose({{onnxruntime_, &one_}, {onnxruntime_, &two_}});
  EXPECT_EQ(choice->engine, 0U);
  EXPECT_EQ(choice->expected, 1U);
  EXPECT_EQ(choose({{onnxruntime_, &one_}, {onnxruntime_, nullptr}})->engine, 1U);
  EXPECT_EQ(choose({{onnxruntime_, nullptr}, {onnxruntime_, nullptr}})->expected, std::nullopt);
}

}  // namespace
}  // namespace assay::report
