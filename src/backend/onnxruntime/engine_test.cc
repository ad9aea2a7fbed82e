// Tests the worker with real ONNX Runtimes: the one that scripts/setup.sh fetched, and the oldest supported one.
#include "backend/onnxruntime/engine.h"
#include "backend/engine_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "worker/engine.h"

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
using worker::Failed;
using worker::InferResult;
using worker::Outcome;
using worker::Phase;
using worker::Session;

// A model of one node: "y = OPERATOR(x)".
worker::ModelSource one_node(const std::string& input, const std::string& output, const std::string& node,
                             int opset = 21) {
  return from_text("<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) + "]> g (" + input + " x) => (" +
                   output + " y) { y = " + node + " }");
}

// The parameter is the environment variable with the library's path.
class OnnxRuntime : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    library_ = test::variable(GetParam());
    if (library_.empty()) GTEST_SKIP() << GetParam() << " does not say where an ONNX Runtime is";
  }

  [[nodiscard]] worker::EngineSpec spec(std::map<std::string, std::string> options = {}) const {
    return {.kind = "onnxruntime", .library = library_, .options = std::move(options)};
  }

  Outcome<std::unique_ptr<Session>> load(const worker::ModelSource& model,
                                         std::map<std::string, std::string> options = {}) {
    return pool_.load(spec(std::move(options)), model, {});
  }

  Outcome<InferResult> run(const worker::ModelSource& model, const tensor::NamedTensors& feeds,
                           std::map<std::string, std::string> options = {}) {
    auto session = load(model, std::move(options));
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(feeds, {}, {});
  }

  std::string library_;
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
};

INSTANTIATE_TEST_SUITE_P(Libraries, OnnxRuntime,
                         testing::Values("ASSAY_FETCHED_ONNXRUNTIME_LIB", "ASSAY_OLD_ONNXRUNTIME_LIB"),
                         [](const auto& param) {
                           return std::string(param.param).find("OLD") == std::string::npos ? "Newest" : "Oldest";
                         });

// y = x + 0 + 0, from which the optimizers remove nodes.
constexpr auto kRemovable = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { a = Identity(x) b = Identity(a) y = Relu(b) })";

TEST_P(OnnxRuntime, NamesTheOptimizersThatChangedTheGraph) {
  const auto names = [&](const std::string& level, const std::string& disabled) {
    const auto session = load(from_text(kRemovable), {{"report_optimizers", "1"},
                                                      {"graph_optimization_level", level},
                                                      {"config.optimization.disable_specified_optimizers", disabled}});
    return session ? (*session)->info().optimizers : std::vector<std::string>{describe(session.error())};
  };
  constexpr const char* kRules = "Level1_RuleBasedTransformer";
  EXPECT_THAT(names("ORT_ENABLE_BASIC", ""), testing::Contains(kRules));
  EXPECT_THAT(names("ORT_ENABLE_BASIC", "NoSuchOptimizer;EliminateIdentity"), testing::Not(testing::Contains(kRules)));
  EXPECT_THAT(names("ORT_DISABLE_ALL", ""), testing::Not(testing::Contains(kRules)));
  const auto silent = load(from_text(kRemovable));
  ASSERT_TRUE(silent);
  EXPECT_THAT((*silent)->info().optimizers, testing::IsEmpty());
}

TEST_P(OnnxRuntime, SavesTheOptimizedModel) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const auto nodes_left = [&](const std::string& level) {
    const auto path = folder->path() / (level + ".onnx");
    const auto session =
        load(from_text(kRemovable), {{"save_built", path.string()}, {"graph_optimization_level", level}});
    EXPECT_TRUE(session) << describe(session.error());
    const auto model = model::load(path);
    return model ? model->graph().node_size() : -1;
  };
  EXPECT_EQ(nodes_left("ORT_ENABLE_BASIC"), 1);
  EXPECT_EQ(nodes_left("ORT_DISABLE_ALL"), 3);
}

TEST_P(OnnxRuntime, ReportsItsVersion) {
  const auto version = pool_.engine_version(spec(), {});
  ASSERT_TRUE(version) << describe(version.error());
  EXPECT_THAT(library_, HasSubstr(*version));  // libonnxruntime.so.VERSION
}

TEST_P(OnnxRuntime, RunsARealModelFromItsFile) {
  const auto path = test::models_dir() / "mnist_quantized.onnx";
  std::vector<float> values(28 * 28);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) / 8;
  const auto result = run(worker::ModelFile{path}, named("Input3", floats({1, 1, 28, 28}, values)));
  ASSERT_TRUE(result) << describe(result.error());
  const Tensor* output = result->outputs.find("Plus214_Output_0");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->shape(), (tensor::Shape{1, 10}));
  EXPECT_GT(result->runtime_s, 0);
  // Computed with the Python package of ONNX Runtime 1.31.1.
  const std::vector<float> expected = {-2.3848562F, 0.55279166F, -3.2518992F, -3.9500065F, 6.596091F};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(output->load<float>(i), expected[i], 1e-4);
}

// The weights of this model are constants, so all its classes are equal.
TEST_P(OnnxRuntime, RunsSqueezenet) {
  const auto path = test::models_dir() / "light_squeezenet.onnx";
  const std::vector<float> values(3 * 224 * 224, 0.5F);
  const auto result = run(worker::ModelFile{path}, named("data_0", floats({1, 3, 224, 224}, values)));
  ASSERT_TRUE(result) << describe(result.error());
  const Tensor* output = result->outputs.find("softmaxout_1");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->shape(), (tensor::Shape{1, 1000, 1, 1}));
  for (std::uint64_t i = 0; i < output->size(); ++i) ASSERT_NEAR(output->load<float>(i), 0.001F, 1e-6) << i;
}

TEST_P(OnnxRuntime, RunsSqueezenetInFloat16) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoSharedDir;
  const auto path = *shared / "models" / "squeezenet_fp16.onnx";
  constexpr std::uint16_t kEighths[] = {0, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3a00};  // 0/8 to 6/8
  std::vector<std::uint16_t> values(3 * 224 * 224);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = kEighths[i % 7];
  const auto result =
      run(worker::ModelFile{path}, named("data_0", Tensor::of(ElementType::float16, {1, 3, 224, 224}, values)));
  ASSERT_TRUE(result) << describe(result.error());
  const Tensor* output = result->outputs.find("softmaxout_1");
  ASSERT_NE(output, nullptr);
  std::uint64_t best = 0;  // positive float16 values are ordered like their bits
  for (std::uint64_t i = 0; i < output->size(); ++i) {
    if (output->load<std::uint16_t>(i) > output->load<std::uint16_t>(best)) best = i;
  }
  EXPECT_EQ(best, 669U);                                         // by the Python package of ONNX Runtime 1.31.1
  EXPECT_NEAR(output->load<std::uint16_t>(best), 0x315b, 0x10);  // 0.1674
}

TEST_P(OnnxRuntime, ReportsInputsAndOutputs) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N, 3] a, string[2] b) => (float[N, 3] c, seq(float[N]) d, string[2] e)
      { c = Relu(a) d = SplitToSequence<axis = 0, keepdims = 0>(c) e = Identity(b) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const worker::SessionInfo& info = (*session)->info();
  ASSERT_EQ(info.inputs.size(), 2U);
  EXPECT_EQ(info.inputs[0].name, "a");
  EXPECT_EQ(info.inputs[0].type, ElementType::float32);
  EXPECT_THAT(info.inputs[0].shape, ElementsAre(-1, 3));
  EXPECT_EQ(info.inputs[1].type, ElementType::string);
  ASSERT_EQ(info.outputs.size(), 3U);
  EXPECT_EQ(info.outputs[0].kind, "tensor");
  EXPECT_EQ(info.outputs[1].kind, "sequence(tensor(float32))");
  EXPECT_GT(info.load_s, 0);
}

TEST_P(OnnxRuntime, GivesOnlyTheOutputsThatAreWanted) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] a, float[2] b, float[2] c) { a = Neg(x) b = Neg(a) c = Neg(b) })"));
  ASSERT_TRUE(session);
  const auto result = (*session)->infer(named("x", floats({2}, {1, 2})), {"c", "a"}, {});
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_THAT(result->outputs.names(), ElementsAre("c", "a"));
  EXPECT_EQ(result->outputs.find("c")->load<float>(1), -2);
}

// Outputs of 8 MiB each are large enough to be placed in shared memory.
constexpr std::int64_t kLarge = 2 << 20;

tensor::Tensor many_floats() {
  std::vector<float> values(kLarge);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000) - 500;
  return floats({kLarge}, values);
}

TEST_P(OnnxRuntime, GivesLargeOutputsRunAfterRun) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2097152] x) => (float[2097152] a, float[2097152] x, float[1] s, float[2097152] c, float[2097152] d) {
        a = Neg(x) c = Abs(a) d = Identity(c) s = ReduceSum(c) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const tensor::Tensor x = many_floats();
  const auto first = (*session)->infer(named("x", x), {}, {});
  const auto second = (*session)->infer(named("x", x), {"d", "x"}, {});
  ASSERT_TRUE(first) << describe(first.error());
  ASSERT_TRUE(second) << describe(second.error());
  EXPECT_TRUE(identical(*first->outputs.find("x"), x)) << "an input is passed on";
  EXPECT_TRUE(identical(*first->outputs.find("c"), *first->outputs.find("d")));
  EXPECT_TRUE(identical(*second->outputs.find("d"), *first->outputs.find("d")));
  EXPECT_TRUE(identical(*second->outputs.find("x"), x));
  for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{499}, std::uint64_t{kLarge - 1}}) {
    EXPECT_EQ(first->outputs.find("a")->load<float>(i), -x.load<float>(i)) << i;
    EXPECT_EQ(first->outputs.find("c")->load<float>(i), std::abs(x.load<float>(i))) << i;
  }
}

// Memory is allocated while the model loads, with an estimate that may be too small or too large.
TEST_P(OnnxRuntime, ReturnsTheSameOutputsWithAnySizeHint) {
  worker::ModelSource model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2097152] x) => (float[2097152] a, float[1] s, float[2097152] b) {
        a = Neg(x) s = ReduceSum(a) b = Abs(a) })");
  const tensor::Tensor x = many_floats();
  const auto expected = run(model, named("x", x), {});
  ASSERT_TRUE(expected) << describe(expected.error());
  constexpr std::uint64_t kOne = kLarge * sizeof(float);
  for (const std::uint64_t bytes : {std::uint64_t{1}, kOne, 2 * kOne, 5 * kOne, ~std::uint64_t{0}}) {
    SCOPED_TRACE(bytes);
    std::get<worker::ModelBytes>(model).output_bytes = bytes;
    auto session = load(model);
    ASSERT_TRUE(session) << describe(session.error());
    for (int i = 0; i < 2; ++i) {
      const auto result = (*session)->infer(named("x", x), {}, {});
      ASSERT_TRUE(result) << describe(result.error());
      for (const char* name : {"a", "s", "b"}) {
        EXPECT_TRUE(identical(*result->outputs.find(name), *expected->outputs.find(name))) << name;
      }
    }
  }
}

TEST_P(OnnxRuntime, ContinuesAfterAModelWithLargeOutputsFailsToLoad) {
  worker::ModelSource broken = worker::ModelBytes{tensor::Buffer::own(std::string("no model")), {}, 64U << 20};
  EXPECT_FALSE(load(broken));
  const auto result = run(one_node("float[2]", "float[2]", "Neg(x)"), named("x", floats({2}, {1, 2})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(1), -2);
}

// ONNX Runtime only warns about them.
TEST_P(OnnxRuntime, ReturnsLargeOutputsWithAnotherShapeThanDeclared) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N] x) => (float[4194304] a, float[2097152] b) { a = Neg(x) b = Neg(a) })"));
  ASSERT_TRUE(session) << describe(session.error());
  for (int i = 0; i < 2; ++i) {
    const auto result = (*session)->infer(named("x", many_floats()), {}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->outputs.find("a")->shape(), tensor::Shape{kLarge});
    EXPECT_TRUE(identical(*result->outputs.find("b"), many_floats()));
  }
}

struct TypeCase {
  ElementType type;
  std::string text;  // as ONNX's text format spells it
  Tensor value;
};

std::vector<TypeCase> type_cases() {
  using enum ElementType;
  const std::vector<std::uint8_t> bytes = {0, 1, 0x80, 0xff};
  return {
      {float32, "float", floats({2}, {1, -2})},
      {uint8, "uint8", Tensor::of(uint8, {4}, bytes)},
      {int8, "int8", Tensor::of(int8, {2, 2}, bytes)},
      {uint16, "uint16", Tensor::of<std::uint16_t>(uint16, {2}, {0, 65535})},
      {int16, "int16", Tensor::of<std::int16_t>(int16, {2}, {-32768, 1})},
      {int32, "int32", Tensor::of<std::int32_t>(int32, {1}, {-7})},
      {int64, "int64", Tensor::of<std::int64_t>(int64, {}, {1LL << 40})},
      {string, "string", Tensor::make_strings({3}, {"", "caf\xc3\xa9", std::string("a\0b", 3)}).value()},
      {boolean, "bool", Tensor::of<std::uint8_t>(boolean, {3}, {1, 0, 1})},
      {float16, "float16", Tensor::of<std::uint16_t>(float16, {2}, {0x3c00, 0xfc00})},
      {float64, "double", Tensor::of<double>(float64, {2}, {1e300, -0.0})},
      {uint32, "uint32", Tensor::of<std::uint32_t>(uint32, {1}, {4000000000U})},
      {uint64, "uint64", Tensor::of<std::uint64_t>(uint64, {1}, {~0ULL})},
      {bfloat16, "bfloat16", Tensor::of<std::uint16_t>(bfloat16, {2}, {0x3f80, 0x7fc0})},
      {float8e4m3fn, "float8e4m3fn", Tensor::of(float8e4m3fn, {4}, bytes)},
      {float8e4m3fnuz, "float8e4m3fnuz", Tensor::of(float8e4m3fnuz, {4}, bytes)},
      {float8e5m2, "float8e5m2", Tensor::of(float8e5m2, {4}, bytes)},
      {float8e5m2fnuz, "float8e5m2fnuz", Tensor::of(float8e5m2fnuz, {4}, bytes)},
  };
}

TEST_P(OnnxRuntime, PassesEveryElementTypeUnchanged) {
  for (const TypeCase& c : type_cases()) {
    SCOPED_TRACE(c.text);
    const std::string dims = c.value.shape().empty() ? "[]" : c.value.shape().size() == 1 ? "[N]" : "[N, M]";
    const auto result = run(one_node(c.text + dims, c.text + dims, "Identity(x)"), named("x", c.value));
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_TRUE(identical(*result->outputs.find("y"), c.value)) << result->outputs.find("y")->describe();
  }
}

TEST_P(OnnxRuntime, PassesEmptyTensors) {
  const auto result = run(one_node("float[N, 3]", "float[N, 3]", "Relu(x)"), named("x", floats({0, 3}, {})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->shape(), (tensor::Shape{0, 3}));
}

TEST_P(OnnxRuntime, CastsToBfloat16) {
  const auto result = run(one_node("float[2]", "bfloat16[2]", "Cast<to = 16>(x)"), named("x", floats({2}, {1, -3})));
  ASSERT_TRUE(result) << describe(result.error());
  const Tensor expected = Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0xc040});
  EXPECT_TRUE(identical(*result->outputs.find("y"), expected));
}

TEST_P(OnnxRuntime, ComputesInFloat16) {
  const auto result = run(one_node("float16[2]", "float16[2]", "Add(x, x)"),
                          named("x", Tensor::of<std::uint16_t>(ElementType::float16, {2}, {0x3c00, 0xc000})));
  ASSERT_TRUE(result) << describe(result.error());
  const Tensor expected = Tensor::of<std::uint16_t>(ElementType::float16, {2}, {0x4000, 0xc400});
  EXPECT_TRUE(identical(*result->outputs.find("y"), expected));
}

TEST_P(OnnxRuntime, ComputesOnStrings) {
  const auto result = run(one_node("string[2]", "string[2]", "StringConcat(x, x)"),
                          named("x", Tensor::make_strings({2}, {"ab", "c"}).value()));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_THAT(result->outputs.find("y")->strings(), ElementsAre("abab", "cc"));
}

TEST_P(OnnxRuntime, TakesAndGivesPackedTypes) {
  const auto model = from_text(R"(<ir_version: 10, opset_import: ["" : 21]>
      g (int4[3] x, uint4[3] z, float scale) => (float[3] y, float[3] w, int4[3] q)
      { y = DequantizeLinear(x, scale) w = DequantizeLinear(z, scale)
        q = QuantizeLinear<output_dtype = 22>(y, scale) })");
  tensor::NamedTensors feeds = named("x", Tensor::of<std::uint8_t>(ElementType::int4, {3}, {0xf1, 0x08}));
  feeds.set("z", Tensor::of<std::uint8_t>(ElementType::uint4, {3}, {0xf1, 0x08}));
  feeds.set("scale", floats({}, {0.5F}));
  const auto result = run(model, feeds);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_TRUE(identical(*result->outputs.find("y"), floats({3}, {0.5F, -0.5F, -4})));
  EXPECT_TRUE(identical(*result->outputs.find("w"), floats({3}, {0.5F, 7.5F, 4})));
  EXPECT_TRUE(identical(*result->outputs.find("q"), *feeds.find("x")));
}

TEST_P(OnnxRuntime, RunsModelsWithExternalData) {
  const auto folder = base::TempDir::create();
  const float weights[] = {10, 20};
  ASSERT_TRUE(base::write_file(folder->path() / "w.bin", {reinterpret_cast<const char*>(weights), sizeof weights}));
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin", "length": "8"]> { y = Add(x, w) })";
  const auto in_memory = run(from_text(text, folder->path()), named("x", floats({2}, {1, 2})));
  ASSERT_TRUE(in_memory) << describe(in_memory.error());
  EXPECT_EQ(in_memory->outputs.find("y")->load<float>(1), 22);

  const auto path = folder->path() / "model.onnx";
  const worker::ModelSource source = from_text(text);
  ASSERT_TRUE(base::write_file(path, std::get<worker::ModelBytes>(source).bytes.view()));
  const auto in_file = run(worker::ModelFile{path}, named("x", floats({2}, {1, 2})));
  ASSERT_TRUE(in_file) << describe(in_file.error());
  EXPECT_EQ(in_file->outputs.find("y")->load<float>(0), 11);
}

TEST_P(OnnxRuntime, FeedsInputsThatHaveADefault) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w = {10, 20}) => (float[2] y) { y = Add(x, w) })");
  tensor::NamedTensors feeds = named("x", floats({2}, {1, 2}));
  const auto by_default = run(model, feeds);
  ASSERT_TRUE(by_default) << describe(by_default.error());
  EXPECT_EQ(by_default->outputs.find("y")->load<float>(0), 11);
  feeds.set("w", floats({2}, {100, 200}));
  const auto fed = run(model, feeds);
  ASSERT_TRUE(fed) << describe(fed.error());
  EXPECT_EQ(fed->outputs.find("y")->load<float>(0), 101);
}

TEST_P(OnnxRuntime, NamesFeedsThatDoNotFit) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N, 3] x, int64[1] n) => (float[N, 3] y, int64[1] m) { y = Relu(x) m = Neg(n) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const Tensor n = Tensor::of<std::int64_t>(ElementType::int64, {1}, {1});
  const auto fail = [&](tensor::NamedTensors feeds, const std::vector<std::string>& wanted = {}) {
    feeds.set("n", n);
    const auto result = (*session)->infer(feeds, wanted, {});
    return result ? std::string("no failure") : message(result.error(), Phase::run);
  };
  EXPECT_EQ(fail({}), "the input 'x' is not fed: expected float32, shape=(?, 3)");
  EXPECT_EQ(fail(named("z", n)), "the model has no input 'z': it has 'x', 'n'");
  EXPECT_EQ(fail(named("x", n)), "the input 'x' has the wrong type: expected float32, given int64");
  EXPECT_EQ(fail(named("x", floats({1, 2}, {1, 2}))),
            "the input 'x' has the wrong shape: expected (?, 3), given (1, 2)");
  EXPECT_EQ(fail(named("x", floats({3}, {1, 2, 3}))), "the input 'x' has the wrong shape: expected (?, 3), given (3,)");
  EXPECT_EQ(fail(named("x", floats({1, 3}, {1, 2, 3})), {"q"}), "the model has no output 'q': it has 'y', 'm'");
  EXPECT_EQ(fail(named("x", floats({1, 3}, {1, 2, 3}))), "no failure");
}

TEST_P(OnnxRuntime, NamesOutputsThatAreNoTensors) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y, seq(float[1]) s) { y = Relu(x) s = SplitToSequence<axis = 0>(y) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const auto list = (*session)->infer(named("x", floats({2}, {1, 2})), {"s"}, {});
  ASSERT_FALSE(list);
  EXPECT_THAT(message(list.error(), Phase::run), AllOf(HasSubstr("'s'"), HasSubstr("sequence(tensor(float32))")));
  const auto all = (*session)->infer(named("x", floats({2}, {1, 2})), {}, {});
  ASSERT_TRUE(all) << describe(all.error());
  EXPECT_THAT(all->outputs.names(), testing::ElementsAre("y"));
}

TEST_P(OnnxRuntime, GivesTheTensorOfAnOptional) {
  const auto result =
      run(one_node("float[2]", "optional(float[2])", "Optional(x)", 18), named("x", floats({2}, {1, 2})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(1), 2);
}

TEST_P(OnnxRuntime, FeedsATensorToAnOptional) {
  const auto result =
      run(one_node("optional(float[2])", "float[2]", "OptionalGetElement(x)", 18), named("x", floats({2}, {1, 2})));
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<float>(1), 2);
}

TEST_P(OnnxRuntime, LeavesOutOrNamesAnEmptyOptional) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 18]>
      g (float[2] x) => (optional(float[2]) y, float[2] z) { y = Optional<type = float[2]>() z = Relu(x) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const auto all = (*session)->infer(named("x", floats({2}, {1, 2})), {}, {});
  ASSERT_TRUE(all) << describe(all.error());
  EXPECT_THAT(all->outputs.names(), testing::ElementsAre("z"));
  const auto named_one = (*session)->infer(named("x", floats({2}, {1, 2})), {"y"}, {});
  ASSERT_FALSE(named_one);
  EXPECT_THAT(message(named_one.error(), Phase::run), HasSubstr("'y' is an empty optional"));
}

TEST_P(OnnxRuntime, PassesItsOwnErrorsOn) {
  const auto garbage = load(worker::ModelBytes{tensor::Buffer::own(std::string("this is no model")), {}});
  ASSERT_FALSE(garbage);
  EXPECT_EQ(std::get<Failed>(garbage.error()).code, 7);  // ORT_INVALID_PROTOBUF
  message(garbage.error(), Phase::load);

  const auto missing = load(worker::ModelFile{"/no/such/model.onnx"});
  ASSERT_FALSE(missing);
  EXPECT_THAT(message(missing.error(), Phase::load), HasSubstr("/no/such/model.onnx"));

  // ONNX Runtime lacks this kernel.
  const auto unsupported = load(from_text(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (int16[2] x) => (int16[2] y) { y = Max(x, x) })"));
  ASSERT_FALSE(unsupported);
  EXPECT_EQ(std::get<Failed>(unsupported.error()).code, 9);  // ORT_NOT_IMPLEMENTED
  EXPECT_THAT(message(unsupported.error(), Phase::build), HasSubstr("Max"));

  // These shapes only conflict when the model runs.
  const auto mismatch = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N] x, float[M] z) => (float[K] y) { y = Add(x, z) })"),
                            [] {
                              tensor::NamedTensors feeds = named("x", floats({2}, {1, 2}));
                              feeds.set("z", floats({3}, {1, 2, 3}));
                              return feeds;
                            }());
  ASSERT_FALSE(mismatch);
  EXPECT_THAT(message(mismatch.error(), Phase::run), HasSubstr("Add"));
}

TEST_P(OnnxRuntime, TakesOptions) {
  const auto model = one_node("float[2]", "float[2]", "Relu(x)");
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"graph_optimization_level", "ORT_DISABLE_ALL"},
                                                        {"graph_optimization_level", "ort_enable_basic"},
                                                        {"intra_op_threads", "1"},
                                                        {"inter_op_threads", "1"},
                                                        {"log_severity", "0"},
                                                        {"providers", "cpu"},
                                                        {"providers", "CPUExecutionProvider"},
                                                        {"providers", "azure,cpu"},
                                                        {"config.session.disable_prepacking", "1"}}) {
    SCOPED_TRACE(name);
    const auto result = run(model, named("x", floats({2}, {-1, 1})), {{name, value}});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->outputs.find("y")->load<float>(0), 0);
  }
}

// Optimisation multiplies the two constants when it loads the model, so nothing overflows.
TEST_P(OnnxRuntime, OptimizationCanBeTurnedOff) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 1, 1, 1] x) => (float[1, 1, 1, 1] y)
      <float[1, 1, 1, 1] w = {3e38}, float[1, 1, 1, 1] small = {1e-10}>
      { a = Conv(x, w) y = Mul(a, small) })");
  const auto output = [&](const char* level) {
    const auto result = run(model, named("x", floats({1, 1, 1, 1}, {10})), {{"graph_optimization_level", level}});
    return result ? result->outputs.find("y")->load<float>(0) : -1;
  };
  EXPECT_EQ(output("ORT_DISABLE_ALL"), std::numeric_limits<float>::infinity());
  EXPECT_NEAR(output("ORT_ENABLE_ALL") / 3e29F, 1, 1e-3);
}

TEST_P(OnnxRuntime, RejectsUnknownOptionsAndListsTheKnownOnes) {
  const auto model = one_node("float[2]", "float[2]", "Relu(x)");
  const auto fail = [&](const char* name, const char* value) {
    const auto session = load(model, {{name, value}});
    return session ? std::string("no failure") : message(session.error(), Phase::start);
  };
  EXPECT_THAT(fail("speed", "high"), AllOf(HasSubstr("'speed'"), HasSubstr("graph_optimization_level")));
  EXPECT_THAT(fail("graph_optimization_level", "9"), AllOf(HasSubstr("'9'"), HasSubstr("ORT_ENABLE_EXTENDED")));
  EXPECT_THAT(fail("intra_op_threads", "-1"), HasSubstr("--threads: '-1' is not a number"));
  EXPECT_THAT(fail("providers", "abacus"),
              AllOf(HasSubstr("--providers: "), HasSubstr("'abacus'"), HasSubstr("CPUExecutionProvider")));
}

TEST_P(OnnxRuntime, RunsOutOfMemoryWithinItsLimitOnly) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[1] n) => (float[N] y) { y = ConstantOfShape<value = float[1] {1}>(n) })"));
  ASSERT_TRUE(session) << describe(session.error());
  const auto feeds = [](std::int64_t n) { return named("n", Tensor::of<std::int64_t>(ElementType::int64, {1}, {n})); };
  const worker::Limits limits{.time_s = 60, .memory_bytes = 512 << 20};
  EXPECT_TRUE((*session)->infer(feeds(1000), {}, limits));
  const auto result = (*session)->infer(feeds(1LL << 29), {}, limits);
  ASSERT_FALSE(result);
  const auto* out_of_memory = std::get_if<worker::OutOfMemory>(&result.error());
  ASSERT_NE(out_of_memory, nullptr) << describe(result.error());
}

TEST_P(OnnxRuntime, ReportsThatMemoryCannotBeAllocated) {
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[1] n) => (float[N] y) { y = ConstantOfShape(n) })"),
                          named("n", Tensor::of<std::int64_t>(ElementType::int64, {1}, {1LL << 55})));
  ASSERT_FALSE(result);
  EXPECT_NE(std::get_if<worker::OutOfMemory>(&result.error()), nullptr) << describe(result.error());
}

// Files that aren't ONNX Runtime.
class NoOnnxRuntime : public testing::Test {
 protected:
  std::string fail(const std::string& library) {
    const auto version = pool_.engine_version({.kind = "onnxruntime", .library = library, .options = {}}, {});
    return version ? std::string("no failure") : message(version.error(), Phase::start);
  }
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
};

TEST_F(NoOnnxRuntime, IsNamed) {
  EXPECT_THAT(fail("/no/such/libonnxruntime.so"), HasSubstr("/no/such/libonnxruntime.so"));
  EXPECT_THAT(fail("libm.so.6"), AllOf(HasSubstr("libm.so.6"), HasSubstr("not ONNX Runtime")));
  const auto folder = base::TempDir::create();
  const auto path = (folder->path() / "libonnxruntime.so").string();
  ASSERT_TRUE(base::write_file(path, "no library"));
  EXPECT_THAT(fail(path), HasSubstr(path));
}

}  // namespace
}  // namespace assay::backend
