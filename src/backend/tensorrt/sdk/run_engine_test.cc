// The rules of TensorRT's headers for a run: where tensors are, how they are stored, which profile is active. The
// stand-in (tests/fakes/tensorrt) refuses what they forbid.
#include "backend/tensorrt/sdk/run_engine.h"
#include "backend/tensorrt/sdk/headers.h"

#include <gmock/gmock.h>

#include "backend/tensorrt/sdk/worker_test_support.h"

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using test::floats;
using test::from_text;
using test::message;
using test::named;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using worker::Phase;

using RunEngine = TensorRt;

Tensor integers(tensor::Shape shape, const std::vector<std::int64_t>& values) {
  return Tensor::of(ElementType::int64, std::move(shape), values);
}

std::vector<std::int64_t> integers_of(const Tensor& tensor) {
  std::vector<std::int64_t> values;
  for (std::uint64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.load<std::int64_t>(i));
  return values;
}

constexpr auto kReshape = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[6] x, int64[2] s) => (float[A, B] y) { z = Add(x, x) y = Reshape(z, s) })";

tensor::NamedTensors reshape_feeds(const std::vector<std::int64_t>& shape) {
  tensor::NamedTensors feeds = named("x", floats({6}, {1, 2, 3, 4, 5, 6}));
  feeds.set("s", integers({2}, shape));
  return feeds;
}

TEST_F(RunEngine, InputsThatShapesDependOnAreInTheHostsMemory) {
  with("--trt-min-shapes", {"s:[1,2]"}).with("--trt-opt-shapes", {"s:[2,3]"}).with("--trt-max-shapes", {"s:[3,6]"});
  auto session = load(from_text(kReshape));
  ASSERT_TRUE(session) << worker::describe(session.error());
  for (const auto& shape : {tensor::Shape{2, 3}, {3, 2}, {1, 6}}) {
    const auto result = (*session)->infer(reshape_feeds(shape), {}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_EQ(result->outputs.find("y")->shape(), shape);
    EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(2, 4, 6, 8, 10, 12));
  }
  const auto outside = (*session)->infer(reshape_feeds({6, 1}), {}, {});
  ASSERT_FALSE(outside);
  EXPECT_THAT(message(outside.error(), Phase::run), HasSubstr("the values of s are outside of profile 0"));
}

TEST_F(RunEngine, OutputsThatShapesDependOnAreInTheHostsMemory) {
  with("--trt-min-shapes", {"n:[1]"}).with("--trt-opt-shapes", {"n:[2]"}).with("--trt-max-shapes", {"n:[4]"});
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x, int64[1] n) => (float[K] y, int64[1] m) { m = Add(n, n) y = Expand(x, m) })"),
                          [] {
                            tensor::NamedTensors feeds = named("x", floats({1}, {5}));
                            feeds.set("n", integers({1}, {2}));
                            return feeds;
                          }());
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(5, 5, 5, 5));
  EXPECT_THAT(integers_of(*result->outputs.find("m")), ElementsAre(4));
}

TEST_F(RunEngine, AnOutputThatContainsAShapeNeedsAProfile) {
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[A, B] y, int64[2] s) { s = Shape(x) z = Add(x, x) y = Reshape(z, s) })"),
                          named("x", floats({2, 3}, {1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_THAT(integers_of(*result->outputs.find("s")), ElementsAre(2, 3));
}

TEST_F(RunEngine, TheProfileIsTheFirstThatTakesTheValues) {
  for (const char* values : {"s:[1,6]", "s:[2,3]"}) {
    with("--trt-min-shapes", {values}).with("--trt-opt-shapes", {values}).with("--trt-max-shapes", {values});
  }
  auto session = load(from_text(kReshape));
  ASSERT_TRUE(session) << worker::describe(session.error());
  for (const auto& shape : {tensor::Shape{2, 3}, {1, 6}}) {
    const auto result = (*session)->infer(reshape_feeds(shape), {}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_EQ(result->outputs.find("y")->shape(), shape);
  }
  const auto none = (*session)->infer(reshape_feeds({3, 2}), {}, {});
  ASSERT_FALSE(none);
  EXPECT_THAT(message(none.error(), Phase::run), HasSubstr("profile 0 s [1,6] to [1,6]; profile 1 s [2,3] to [2,3]"));
}

TEST_F(RunEngine, AShapeTensorWithoutValuesIsBuiltForOnes) {
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x, int64[2] s) => (float[A, B] y) { y = Expand(x, s) })"));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
              ElementsAre(AllOf(HasSubstr("values of the input 's', which aren't given"), HasSubstr("the value 1"),
                                HasSubstr("--trt-min-shapes"))));
  tensor::NamedTensors feeds = named("x", floats({1}, {7}));
  feeds.set("s", integers({2}, {1, 1}));
  EXPECT_TRUE((*session)->infer(feeds, {}, {}));
  feeds.set("s", integers({2}, {1, 2}));
  const auto outside = (*session)->infer(feeds, {}, {});
  ASSERT_FALSE(outside);
  EXPECT_THAT(message(outside.error(), Phase::run),
              HasSubstr("The run uses profile 0, and the engine's profiles take: profile 0 s [1,1] to [1,1]"));
  EXPECT_THAT(load_error(from_text(kReshape), Phase::build), HasSubstr("values of the input 's', which aren't given"))
      << "6 values aren't one";
}

TEST_F(RunEngine, AShapeTensorHasTheFirstValues) {
  with("input_shapes", {"s:[2]"}).with("shape_values", {"s:[2,3]", "x:[7]", "other:[1]"});
  const auto session = load(from_text(kReshape));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::info), ElementsAre(HasSubstr("its first value, [2,3]")));
  EXPECT_EQ((*session)->infer(reshape_feeds({2, 3}), {}, {}).value().outputs.find("y")->shape(), (tensor::Shape{2, 3}));
  EXPECT_FALSE((*session)->infer(reshape_feeds({3, 2}), {}, {}));
  with("--trt-min-shapes", {"s:[2]"}).with("--trt-opt-shapes", {"s:[2]"}).with("--trt-max-shapes", {"s:[2]"});
  EXPECT_THAT(load_error(from_text(kReshape), Phase::build), HasSubstr("Give its values, instead of its shape"));
}

TEST_F(RunEngine, ValuesOfAShapeTensorCanBeNegative) {
  with("--trt-min-shapes", {"s:[-1,2]"}).with("--trt-opt-shapes", {"s:[-1,3]"}).with("--trt-max-shapes", {"s:[3,6]"});
  const auto result = run(from_text(kReshape), reshape_feeds({-1, 3}));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->shape(), (tensor::Shape{2, 3}));
  given_ = {};
  with("--trt-min-shapes", {"x:[-1,2]"}).with("--trt-opt-shapes", {"x:[1,2]"}).with("--trt-max-shapes", {"x:[2,2]"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build),
              HasSubstr("the shape [-1,2] of a profile has a negative size, and the input 'x' isn't a shape tensor"));
}

TEST_F(RunEngine, MemoryForTheShapesOfARunKnowsTheValues) {
  with("--trt-min-shapes", {"s:[1,2]"}).with("--trt-opt-shapes", {"s:[2,3]"}).with("--trt-max-shapes", {"s:[3,6]"});
  with("--allocation-strategy", {"runtime"});
  const auto result = run(from_text(kReshape), reshape_feeds({2, 3}));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->shape(), (tensor::Shape{2, 3}));
}

// The stand-in stores elements as the format says, by its own code.
TEST_F(RunEngine, TensorsOfOtherFormatsComeBackInRowMajorOrder) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 3, 2, 2] x) => (float[N, 3, 2, 2] y) { y = Add(x, x) })");
  std::vector<float> fed;
  std::vector<float> doubled;
  for (int i = 0; i < 12; ++i) fed.push_back(static_cast<float>(i));
  for (int i = 0; i < 12; ++i) doubled.push_back(static_cast<float>(2 * i));
  for (const char* rows : {"", "pad_rows"}) {  // the DLA pads rows of vectors
    misbehave(rows);
    SetUp();  // a new pool, whose workers see the variable
    for (const char* format : {"linear", "hwc", "chw2", "chw4", "chw32", "hwc8", "dla_linear", "dla_hwc4"}) {
      given_ = {};
      with("--tensor-formats", {std::string("x:[") + format + "]", std::string("y:[") + format + "]"});
      const auto result = run(model, named("x", floats({1, 3, 2, 2}, fed)));
      ASSERT_TRUE(result) << format << ": " << worker::describe(result.error());
      EXPECT_EQ(values(*result->outputs.find("y")), doubled) << format << " " << rows;
    }
  }
  given_ = {};
  with("--tensor-formats", {"x:[dla_hwc4]"});
  const auto refused = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 2, 2, 3] x) => (float[1, 2, 2, 3] y) { y = Add(x, x) })"),
                           named("x", floats({1, 2, 2, 3}, fed)));
  ASSERT_FALSE(refused);
  EXPECT_THAT(message(refused.error(), Phase::run), HasSubstr("'x' is [1,2,2,3], which its format can't store"));
}

TEST_F(RunEngine, TheUsualFormatIsntForShapeTensors) {
  with("--trt-min-shapes", {"s:[1,1,1,1]"}).with("--trt-opt-shapes", {"s:[1,2,1,2]"});
  with("--trt-max-shapes", {"s:[1,2,2,2]"}).with("--all-tensor-formats", {"chw2"});
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 2, 2] x, int64[4] s) => (float[A, B, C, D] y) { y = Reshape(x, s) })");
  tensor::NamedTensors feeds = named("x", floats({1, 1, 2, 2}, {1, 2, 3, 4}));
  feeds.set("s", integers({4}, {1, 2, 1, 2}));
  const auto result = run(model, feeds);
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(1, 2, 3, 4));
  with("--tensor-formats", {"s:[chw2]"});
  EXPECT_THAT(load_error(model, Phase::build), HasSubstr("the shape tensor s has a format that isn't linear"));
}

#if ASSAY_TENSORRT_SINCE_10(15)
TEST_F(RunEngine, AnUpdatedCacheIsInTheMemoryOfItsInput) {
  auto session = load(from_text(R"(<ir_version: 10, opset_import: ["" : 24]>
    g (float[1, 1, 3, 2] past, float[1, 1, 1, 2] new, int64[1] at) => (float[1, 1, 3, 2] present) {
      present = TensorScatter(past, new, at) })"));
  ASSERT_TRUE(session) << worker::describe(session.error());
  for (int repeat = 0; repeat < 2; ++repeat) {
    tensor::NamedTensors feeds = named("past", floats({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}));
    feeds.set("new", floats({1, 1, 1, 2}, {8, 9}));
    feeds.set("at", integers({1}, {1}));
    const auto result = (*session)->infer(feeds, {}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_THAT(values(*result->outputs.find("present")), ElementsAre(1, 2, 8, 9, 5, 6));
  }
}
#endif

TEST_F(RunEngine, SizesThatTensorRtDoesntTellFollowFromStrides) {
  misbehave("hide_sizes");
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, N, 1] x) => (float[2, N, 1] y) { y = Relu(x) })"),
                          named("x", floats({2, 1, 1}, {-1, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->shape(), (tensor::Shape{2, 1, 1}));
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(0, 2));
  given_ = {};
  with("--trt-min-shapes", {"x:[2,1]"}).with("--trt-opt-shapes", {"x:[2,3]"}).with("--trt-max-shapes", {"x:[2,3]"});
  const auto wider = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, N] x) => (float[2, N] y) { y = Relu(x) })"),
                         named("x", floats({2, 3}, {-1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(wider) << worker::describe(wider.error());
  EXPECT_EQ(wider->outputs.find("y")->shape(), (tensor::Shape{2, 3}));
}

TEST_F(RunEngine, NoTensorHasToBeMarkedForDebugging) {
  {
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::error), testing::IsEmpty());
  }
  auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  const auto result = (*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {});
  ASSERT_TRUE(result) << worker::describe(result.error());
  for (const auto& messages : {(*session)->info().messages, result->messages}) {
    EXPECT_THAT(texts(messages, base::Level::error), testing::IsEmpty());
    EXPECT_THAT(texts(messages, base::Level::warning), testing::IsEmpty()) << "the stream isn't the default one";
  }
}

TEST_F(RunEngine, LayersAreOnlyMarkedForProfilersOnRequest) {
  const auto warnings = [this] {
    const auto result = run(from_text(kModel), named("x", floats({1, 2}, {1, 2})));
    EXPECT_TRUE(result) << worker::describe(result.error());
    return result ? texts(result->messages, base::Level::warning) : std::vector<std::string>();
  };
  misbehave("show_markers");
  EXPECT_THAT(warnings(), testing::IsEmpty());
  with("--profiling-verbosity", {"detailed"});
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("NVTX markers")));
}

// After such an error, no call of the driver works in this process.
TEST_F(RunEngine, AWorkerThatLostItsGpuIsReplaced) {
  const std::vector<float> fed = {1, 2};
  misbehave("fault_run");
  EXPECT_THAT(run_error(floats({1, 2}, fed), Phase::run), HasSubstr("illegal memory access"));
  misbehave("");
  const auto result = run(from_text(kModel), named("x", floats({1, 2}, fed)));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(2, 4));
}

// The stand-in's driver has few streams, and counts them for the life of the worker.
TEST_F(RunEngine, ModelsDontLeakStreams) {
  for (int model = 0; model < 10; ++model) {
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
  }
}

}  // namespace
}  // namespace assay::backend
