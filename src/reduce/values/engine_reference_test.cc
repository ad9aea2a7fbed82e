// Runs the worker of ONNX Runtime.
#include "reduce/values/engine_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "edit/test_models.h"
#include "model/load.h"
#include "model/shapes.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"
#include "tensor/convert.h"
#include "tensor/generate.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::reduce {
namespace {

using testing::HasSubstr;

// r0 .. r3 can be computed. m can't, since no engine has a kernel for Mystery; b and z need it.
constexpr std::string_view kModel = R"(
<ir_version: 8, opset_import: ["" : 17, "some.where" : 1]>
g (float[2] x) => (float[2] z, float[2] r3) {
  r0 = Relu(x)
  r1 = Neg(r0)
  m = some.where.Mystery(r1)
  b = Abs(m)
  r2 = Abs(r1)
  r3 = Add(r2, r0)
  z = Add(b, r3)
})";

// A reflecting Pad of 5 needs at least 6 elements; `half` is frozen if it is cut.
constexpr std::string_view kNeedsSize = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[length] x) => (float[n] y) <int64[2] pads = {5, 5}, int64[1] two = {2}, int64[1] all = {-1}> {
  before = Shape(x)
  padded = Pad <mode = "reflect"> (x, pads)
  size = Shape(padded)
  half = Div(size, two)
  y = Reshape(padded, all)
})";

// ONNX Runtime has no kernel for Max of int16, but the operator and its output's shape are known.
constexpr std::string_view kNoKernel = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (int16[N,100] x, int16[N,100] w) => (int16[n] y) <int64[1] one = {1}, int64 zero = {0}> {
  m = Max(x, w)
  s = Shape(m)
  rows = Gather(s, zero)
  more = Add(rows, one)
  y = Reshape(m, more)
})";

// Returns ones for every input of known rank. It is an error of the test if neither the model nor `shapes` gives a
// size.
tensor::NamedTensors ones(const edit::Subject& subject, const InputShapes& shapes) {
  tensor::NamedTensors values;
  for (const onnx::ValueInfoProto& input : subject.model().graph().input()) {
    const model::TensorInfo info = model::tensor_info(input);
    if (!info.shape) continue;
    tensor::Shape shape;
    for (const model::Dimension& size : *info.shape) shape.push_back(size.value);
    if (const auto given = shapes.find(input.name()); given != shapes.end()) shape = given->second;
    const std::vector<double> data(tensor::element_count(shape).value(), 1);
    values.set(input.name(), tensor::from_doubles(info.type, shape, data));
  }
  return values;
}

class ReferenceTest : public testing::Test {
 protected:
  void SetUp() override {
    library_ = assay::test::fetched_onnxruntime();
    if (library_.empty()) GTEST_SKIP() << assay::test::kNoOnnxRuntime;
  }

  [[nodiscard]] worker::EngineSpec onnxruntime() const {
    return {.kind = "onnxruntime", .library = library_, .options = {}};
  }

  EngineReference reference(bool with_input = true) {
    EngineReference::Options options;
    options.engines = {onnxruntime()};
    options.same_for_all_sizes = true;
    options.missing = missing_;
    options.given = [with_input](const InputShapes&) {
      tensor::NamedTensors values;
      if (with_input) values.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
      return values;
    };
    return {subject_, facts_, pool_, std::move(options)};
  }

  std::filesystem::path library_;
  base::Stop stop_;
  worker::Pool pool_{{assay::test::workers_dir(), 2}, stop_};
  model::Model model_ = model::parse_text(kModel).value();
  edit::Subject subject_{model_};
  edit::TensorFacts facts_{subject_};
  std::shared_ptr<MissingValues> missing_ = std::make_shared<MissingValues>();
};

// Returns whether all of these values are available.
bool has_all(EngineReference& values, const std::vector<std::string>& names) {
  return values.available(names).size() == names.size();
}

// A model and its reference.
struct Example {
  Example(std::string_view text, worker::Pool& workers, std::vector<worker::EngineSpec> specs)
      : model(model::parse_text(text).value()), pool(workers), engines(std::move(specs)) {}
  EngineReference reference(InputShapes asked = {}, std::optional<RunOfCheck> check = std::nullopt) {
    EngineReference::Options options;
    options.engines = engines;
    options.input_shapes = asked;
    options.check = std::move(check);
    options.missing = missing;
    options.given = [this, asked](const InputShapes& shapes) {
      InputShapes all = asked;
      for (const auto& [name, shape] : shapes) all[name] = shape;
      ++tries;
      return ones(subject, all);
    };
    return {subject, facts, pool, std::move(options)};
  }
  // Returns a run in this engine of a check that feeds ones of these sizes.
  RunOfCheck check(worker::EngineSpec engine, InputShapes sizes) {
    return {.engines = {std::move(engine)}, .inputs = [this, sizes] { return ones(subject, sizes); }};
  }

  model::Model model;
  worker::Pool& pool;
  std::vector<worker::EngineSpec> engines;
  edit::Subject subject{model};
  edit::TensorFacts facts{subject, edit::TensorFacts::Inference::onnx};
  std::shared_ptr<MissingValues> missing = std::make_shared<MissingValues>();
  int tries = 0;  // inputs that were created
};

TEST_F(ReferenceTest, ComputesWhatThePartOfTheModelGives) {
  EngineReference values = reference();
  const tensor::NamedTensors got = values.available({"r3", "r1", "x"});
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got.find("r3")->load<float>(1), 4);  // |-2| + 2
  EXPECT_EQ(got.find("r1")->load<float>(0), -1);
}

TEST_F(ReferenceTest, WhetherValuesCanBeHadDoesNotDependOnWhatWasAskedBefore) {
  const std::vector<std::vector<std::string>> questions = {{"m"},  {"r1", "b"},       {"r0", "r2"}, {"z"},
                                                           {"b"},  {"r0", "m", "r3"}, {"r3"},       {"x"},
                                                           {"r1"}, {"z", "r3"},       {"m", "b"},   {"r2", "r3", "r0"}};
  std::vector<bool> alone;
  for (const auto& names : questions) {
    EngineReference fresh = reference();
    alone.push_back(has_all(fresh, names));
  }
  EngineReference one = reference();
  for (std::size_t i = 0; i < questions.size(); ++i) EXPECT_EQ(has_all(one, questions[i]), alone[i]) << i;
  EngineReference backwards = reference();
  for (std::size_t i = questions.size(); i-- > 0;) {
    EXPECT_EQ(has_all(backwards, questions[i]), alone[i]) << i;
  }
  EXPECT_EQ(alone, (std::vector{false, false, true, false, false, false, true, true, true, false, false, true}));
}

TEST_F(ReferenceTest, GivesWhatDoesNotNeedTheFailingNode) {
  EngineReference values = reference();
  const tensor::NamedTensors known = values.available({"b", "r3", "z", "r1", "no such tensor"});
  EXPECT_EQ(known.names(), (std::vector<std::string>{"r3", "r1"}));
}

TEST_F(ReferenceTest, RunsNoPartAgainWithTheNodeThatFailed) {
  EngineReference values = reference();
  EXPECT_FALSE(has_all(values, {"r0", "r1", "m"}));
  const int runs = values.runs();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values.available({"r0", "b"}).names(), std::vector<std::string>{"r0"});
  EXPECT_THAT(missing_->message().value_or(""), HasSubstr("Mystery 'm'"));
  EXPECT_EQ(values.runs(), runs);
  EXPECT_TRUE(has_all(values, {"r2"}));
}

TEST_F(ReferenceTest, NamesTheInputThatHasNoValue) {
  EngineReference values = reference(false);
  EXPECT_FALSE(has_all(values, {"r0"}));
  EXPECT_THAT(missing_->message().value_or(""), HasSubstr("no value for the input 'x' of the model"));
}

TEST_F(ReferenceTest, TriesOnlyOnceToCreateInputs) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (float[2] x) => (int64[2] y) { i = Cast <to = 7> (x) y = Neg (i) })",
                  pool_, {onnxruntime()});
  int calls = 0;
  EngineReference::Options options;
  options.engines = example.engines;
  options.missing = example.missing;
  options.given = [&calls](const InputShapes&) -> base::Expected<tensor::NamedTensors> {
    ++calls;
    return base::fail(base::ErrorKind::invalid_input, "the file of inputs is damaged", "inputs.json", "Replace it");
  };
  EngineReference values(example.subject, example.facts, pool_, std::move(options));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(values.available({"i", "y"}).empty());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(values.runs(), 0);
  ASSERT_TRUE(example.missing->message().has_value());
  EXPECT_THAT(*example.missing->message(),
              HasSubstr("input 'x' of the model: the file of inputs is damaged (in inputs.json). "));
}

// ONNX doesn't infer the rank of `u` from computed axes, so the rank of an output is guessed, wrongly.
TEST_F(ReferenceTest, ComputesWhatReadsATensorOfUnknownRank) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (float[2,3] x, int64[2] at) => (float[3,2,1,1] y) <int64[2] zeros = {0, 0}, int64[2] one = {0, 1}> {
                   z = Mul (at, zeros)
                   axes = Add (z, one)
                   u = Unsqueeze (x, axes)
                   y = Transpose <perm = [3, 2, 1, 0]> (u)
                 })",
                  pool_, {onnxruntime()});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"u", "y"});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got.find("u")->shape(), (tensor::Shape{1, 1, 2, 3}));
  EXPECT_FALSE(values.is_slow());  // nothing failed
}

// Nothing generates a sequence, but only what depends on it has no value.
TEST_F(ReferenceTest, ComputesWhatDoesNotNeedASequence) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (seq(float[2]) s, float[N,3] x) => (float[2] y, int64[2] size) <int64 first = {0}> {
                   y = SequenceAt (s, first)
                   r = Relu (x)
                   size = Shape (r)
                 })",
                  pool_, {onnxruntime()});
  EngineReference::Options options;
  options.engines = example.engines;
  options.given = [&example](const InputShapes& shapes) {
    tensor::GenerateOptions generate;
    generate.shapes = shapes;
    base::SilentLog silent;
    return tensor::generate_inputs(tensor_inputs(example.model), generate, 0, silent);
  };
  EngineReference values(example.subject, example.facts, pool_, std::move(options));
  const tensor::NamedTensors known = values.available({"size", "r", "y"});
  ASSERT_NE(known.find("size"), nullptr);
  EXPECT_EQ(known.find("size")->load<std::int64_t>(1), 3);
  EXPECT_NE(known.find("r"), nullptr);
  EXPECT_EQ(known.find("y"), nullptr);
}

class WarningLog final : public base::Log {
 public:
  [[nodiscard]] bool shows(base::Level level) const override { return level == base::Level::warning; }
  void write(base::Level, std::string_view message) override { warnings.emplace_back(message); }
  std::vector<std::string> warnings;
};

TEST_F(ReferenceTest, ReportsOnceThatDeclarationsAreWrong) {
  constexpr std::string_view kDeclared = R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[n] y) <float[1] a, float[5] b, int64[1] two = {2}> {
        s = Shape(x)  t = Expand(two, s)  a = Tile(x, two)  b = Neg(a)  y = Abs(b) })";
  for (const bool checks : {true, false}) {
    Example example(kDeclared, pool_, {onnxruntime()});
    WarningLog log;
    EngineReference::Options options;
    options.engines = example.engines;
    options.log = &log;
    options.checks_declarations = checks;
    options.given = [&example](const InputShapes& shapes) { return ones(example.subject, shapes); };
    EngineReference values(example.subject, example.facts, pool_, std::move(options));
    EXPECT_EQ(values.available({"s", "a", "b", "y"}).size(), 4U);
    if (checks) {
      EXPECT_THAT(log.warnings, testing::ElementsAre(HasSubstr("another type or shape for 'a' than a run computes "
                                                               "(float32, shape=(4,))")));
    } else {
      EXPECT_THAT(log.warnings, testing::IsEmpty());
    }
  }
}

TEST_F(ReferenceTest, ReportsOnceThatValuesCannotBeStored) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (int64[10000] x) => (int64[10000] y) { a = Neg (x) y = Abs (a) })",
                  pool_, {onnxruntime()});
  WarningLog log;
  EngineReference::Options options;
  options.engines = example.engines;
  options.missing = example.missing;
  options.log = &log;
  options.memory_budget = 0;
  options.folder = "/nowhere/at/all";
  options.given = [&example](const InputShapes& shapes) { return ones(example.subject, shapes); };
  EngineReference values(example.subject, example.facts, pool_, std::move(options));
  EXPECT_TRUE(values.available({"a", "y"}).empty());
  const int runs = values.runs();
  EXPECT_TRUE(values.available({"a", "y"}).empty());
  EXPECT_EQ(values.runs(), runs);
  EXPECT_THAT(log.warnings, testing::ElementsAre(HasSubstr("/nowhere/at/all")));
  ASSERT_TRUE(example.missing->message().has_value());
  EXPECT_THAT(*example.missing->message(), HasSubstr("/nowhere/at/all"));
}

TEST_F(ReferenceTest, ChoosesSizesWithWhichTheModelRuns) {
  Example example(kNeedsSize, pool_, {onnxruntime()});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"half", "x", "padded", "no such tensor"});
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got.find("x")->shape(), (tensor::Shape{8}));
  EXPECT_EQ(got.find("half")->load<std::int64_t>(0), 9);
  EXPECT_EQ(got.find("padded")->shape(), (tensor::Shape{18}));
  EXPECT_FALSE(example.missing->message().has_value());
}

TEST_F(ReferenceTest, ChoosesTheSameSizesWhateverIsAskedFirst) {
  Example example(kNeedsSize, pool_, {onnxruntime()});
  for (const std::string first : {"before", "half", "padded", "y", "x"}) {
    EngineReference values = example.reference();
    ASSERT_TRUE(has_all(values, {first})) << first;
    EXPECT_EQ(values.available({"before"}).find("before")->load<std::int64_t>(0), 8) << first;
  }
}

TEST_F(ReferenceTest, TakesTheInputsOfTheCheckIfTheModelRunsWithThem) {
  Example example(kNeedsSize, pool_, {onnxruntime()});
  EngineReference values = example.reference({}, example.check(onnxruntime(), {{"x", {20}}}));
  ASSERT_TRUE(has_all(values, {"before", "half"}));
  EXPECT_EQ(values.available({"before"}).find("before")->load<std::int64_t>(0), 20);
  EXPECT_EQ(example.tries, 0);
}

// Whatever is asked first.
TEST_F(ReferenceTest, KeepsTheInputsOfTheCheckIfItFailsWhileRunningWithThem) {
  for (const std::string first : {"before", "half", "padded", "y", "x"}) {
    Example example(kNeedsSize, pool_, {onnxruntime()});
    EngineReference values = example.reference({}, example.check(onnxruntime(), {{"x", {3}}}));
    EXPECT_EQ(has_all(values, {first}), first != "padded" && first != "y") << first;
    EXPECT_EQ(values.available({"before"}).find("before")->load<std::int64_t>(0), 3) << first;
    EXPECT_EQ(values.available({"half"}).find("half")->load<std::int64_t>(0), 6) << "by inference: (3 + 5 + 5) / 2";
    EXPECT_EQ(example.tries, 0) << first;
  }
}

TEST_F(ReferenceTest, TriesOtherSizesIfTheCheckFailsBeforeItRuns) {
  Example example(kNeedsSize, pool_, {onnxruntime()});
  const worker::EngineSpec absent{.kind = "onnxruntime", .library = "/no/such/library.so", .options = {}};
  EngineReference values = example.reference({}, example.check(absent, {{"x", {3}}}));
  ASSERT_TRUE(has_all(values, {"padded"}));
  EXPECT_EQ(values.available({"before"}).find("before")->load<std::int64_t>(0), 8);
}

TEST_F(ReferenceTest, TriesEachSizeOnceIfANodeFailsWithAllOfThem) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (float[N] x) => (float[M] y) <float[2] sizes = {1, 2}, int64[1] beyond = {7}> {
                   before = Shape(x)
                   [picks_nothing] picked = Gather(sizes, beyond)
                   size = Cast<to = 7>(picked)
                   y = Reshape(x, size)
                 })",
                  pool_, {onnxruntime()});
  EngineReference values = example.reference();
  EXPECT_TRUE(has_all(values, {"before"}));
  EXPECT_FALSE(has_all(values, {"picked"}));
  const auto choices = input_choices(example.model.graph(), {});
  EXPECT_LE(example.tries, static_cast<int>(choices.size()) + 2);
}

TEST_F(ReferenceTest, LeavesTheSizesThatTheUserGave) {
  Example example(kNeedsSize, pool_, {onnxruntime()});
  EngineReference values = example.reference({{"x", {3}}});
  EXPECT_FALSE(has_all(values, {"padded"}));
  ASSERT_TRUE(has_all(values, {"before"}));
  EXPECT_EQ(values.available({"before"}).find("before")->load<std::int64_t>(0), 3);
}

TEST_F(ReferenceTest, MakesOneRunIfTheFirstSizesDo) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (float[N,4] x) => (float[M] y) <int64[1] all = {-1}> { s = Shape(x) r = Relu(x) y = Reshape(r, all) })",
                  pool_, {onnxruntime()});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"s", "r"});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got.find("s")->load<std::int64_t>(0), 1);
  EXPECT_EQ(values.runs(), 0);  // apart from the one that chose the inputs
}

TEST_F(ReferenceTest, ComputesAFewWholeNumbersItself) {
  Example example(kNoKernel, pool_, {onnxruntime()});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"m", "more"});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got.find("m")->load<std::int16_t>(99), 1);
  EXPECT_EQ(got.find("more")->load<std::int64_t>(0), 2);
}

TEST_F(ReferenceTest, ContinuesBehindAFailingNodeWithItsInferredSizes) {
  Example example(kNoKernel, pool_, {onnxruntime()});
  EngineReference values = example.reference({{"x", {50, 100}}, {"w", {50, 100}}});  // too many for evaluate_small
  const tensor::NamedTensors got = values.available({"more"});
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.find("more")->load<std::int64_t>(0), 51);
  EXPECT_FALSE(has_all(values, {"m"}));
}

TEST_F(ReferenceTest, LetsAnotherEngineComputeTheFailingNode) {
  const std::string python = assay::test::fetched_python();
  if (python.empty()) GTEST_SKIP() << assay::test::kNoPython;
  Example example(kNoKernel, pool_,
                  {onnxruntime(), {.kind = "python", .library = python, .options = {{"module", "reference"}}}});
  EngineReference values = example.reference({{"x", {50, 100}}, {"w", {50, 100}}});
  const tensor::NamedTensors got = values.available({"m", "more"});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got.find("m")->load<std::int16_t>(4999), 1);
  EXPECT_EQ(got.find("more")->load<std::int64_t>(0), 51);
}

TEST_F(ReferenceTest, TellsWhatCouldNotBeFrozen) {
  Example example(R"(<ir_version: 8, opset_import: ["" : 17, "some.where" : 1]>
                 g (float[2] x) => (int64[2] y) <int64[1] one = {1}> {
                   m = some.where.Mystery(x)
                   i = Cast <to = 7> (m)
                   y = Add(i, one)
                 })",
                  pool_, {onnxruntime()});
  EngineReference values = example.reference();
  EXPECT_TRUE(values.available({"i", "y", "m"}).empty());
  ASSERT_TRUE(example.missing->message().has_value());
  EXPECT_THAT(*example.missing->message(), HasSubstr("2 tensors could not be frozen"));  // m is data
  EXPECT_THAT(*example.missing->message(), HasSubstr("Mystery 'm' fails"));
}

TEST_F(ReferenceTest, AsksTheNextEngineIfOneTakesNoSuchModel) {
  Example example(kNeedsSize, pool_,
                  {{.kind = "onnxruntime", .library = "/no/such/library.so", .options = {}}, onnxruntime()});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"half"});
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.find("half")->load<std::int64_t>(0), 9);
}

// Two calls of one function, of which one fails.
TEST_F(ReferenceTest, JudgesNodesOfOneOperatorOneByOne) {
  constexpr std::string_view kPicks = R"(
      <ir_version: 8, opset_import: ["" : 17, "my.own" : 1]>
      g (float[2] x) => (float[1] z) <int64[1] here = {1}, int64[1] beyond = {7}> {
        a = my.own.Pick(x, here)
        b = my.own.Pick(x, beyond)
        c = Neg(a)
        d = Neg(b)
        z = Add(c, d)
      }
      <domain: "my.own", opset_import: ["" : 17]>
      Pick (data, index) => (picked) { picked = Gather(data, index) })";
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"a", "b", "c", "d", "z"}, {"b", "a", "d", "c", "z"}, {"z", "d", "c", "b", "a"}}) {
    Example example(kPicks, pool_, {onnxruntime()});
    EngineReference values = example.reference();
    for (const std::string& name : order) {
      EXPECT_EQ(has_all(values, {name}), name == "a" || name == "c") << name << " after " << order.front();
    }
  }
}

// Values that were computed for other nodes don't count towards the limit for constants.
TEST_F(ReferenceTest, LetsAnotherEngineComputeANodeWhateverItComputedBefore) {
  const std::string python = assay::test::fetched_python();
  if (python.empty()) GTEST_SKIP() << assay::test::kNoPython;
  Example example(R"(<ir_version: 8, opset_import: ["" : 17]>
                 g (int16[18000000] x) => (int16[18000000] p, int16[18000000] q) { p = Max(x) q = Max(x) })",
                  pool_, {onnxruntime(), {.kind = "python", .library = python, .options = {{"module", "reference"}}}});
  EngineReference values = example.reference();
  EXPECT_TRUE(has_all(values, {"p"}));
  EXPECT_TRUE(has_all(values, {"q"}));
}

// Needs no engine, so it isn't skipped.
TEST(ReferenceLimits, AreTwiceThoseOfAnImpatientCheck) {
  constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;
  const worker::Limits limits = reference_limits({.time_s = 20, .memory_bytes = kGigabyte});
  EXPECT_EQ(limits.time_s, 40);
  EXPECT_EQ(limits.memory_bytes, 2 * kGigabyte);
}

TEST(ReferenceLimits, AreNeitherTooShortNorEndless) {
  EXPECT_EQ(reference_limits({.time_s = 0.5, .memory_bytes = {}}).time_s, 6);
  EXPECT_EQ(reference_limits({.time_s = 3600, .memory_bytes = {}}).time_s, 300);
  EXPECT_EQ(reference_limits({}).time_s, 300);
  EXPECT_EQ(reference_limits({}).memory_bytes, std::nullopt);
}

TEST(ReferenceLimits, AreShorterOnceAPartHasHung) {
  EXPECT_EQ(limits_after_hang({.time_s = 20, .memory_bytes = {}}, 0.01).time_s, 2);
  EXPECT_EQ(limits_after_hang({.time_s = 20, .memory_bytes = {}}, 0.5).time_s, 5);
  EXPECT_EQ(limits_after_hang({.time_s = 20, .memory_bytes = {}}, 10).time_s, 20);
}

TEST(ReferenceWithoutEngine, ComputesTheArithmeticOfShapes) {
  base::Stop stop;
  worker::Pool pool{{assay::test::workers_dir(), 2}, stop};
  Example example(kNeedsSize, pool, {});
  EngineReference values = example.reference();
  const tensor::NamedTensors got = values.available({"half", "before"});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got.find("before")->load<std::int64_t>(0), 1);
  EXPECT_EQ(got.find("half")->load<std::int64_t>(0), 5);  // (1 + 5 + 5) / 2
  EXPECT_FALSE(has_all(values, {"padded"}));
}

// A chain of Reshapes whose targets come from other branches, every third of which needs a node that fails.
model::Model often_failing(int count) {
  edit::test::GraphBuilder builder;
  builder.input("x").output("t" + std::to_string(count - 1));
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    builder.node("Shape", {i % 3 == 0 ? "m" + n : "x"}, {"s" + n});
    if (i % 3 == 0) builder.node("Mystery" + std::to_string(i % 5), {"x"}, {"m" + n});
    builder.node("Reshape", {i == 0 ? "x" : "t" + std::to_string(i - 1), "s" + n}, {"t" + n});
  }
  return builder.build();
}

TEST_F(ReferenceTest, ManyFailuresGiveTheSameResultForAnyNumberOfJobs) {
  const model::Model model = often_failing(60);
  const auto judge = [](const model::Model& candidate) {
    const std::vector<std::string> nodes = edit::test::node_names(candidate);
    const auto has = [&](const std::string& name) { return std::ranges::find(nodes, name) != nodes.end(); };
    return Verdict{.kind = has("n_t13") && has("n_t42") ? Verdict::Kind::fails : Verdict::Kind::passes,
                   .text = "exit status 1",
                   .output = {}};
  };
  std::string first;
  for (const int jobs : {1, 4, 16}) {
    test::FunctionJudges judges(jobs, judge);
    ReduceParts parts = test::bare_parts(judges);
    parts.reference = [&](const edit::Subject& subject, const edit::TensorFacts& facts) {
      EngineReference::Options options;
      options.engines = {onnxruntime()};
      options.given = [&subject](const InputShapes& shapes) { return ones(subject, shapes); };
      return std::make_unique<EngineReference>(subject, facts, pool_, std::move(options));
    };
    const auto result = test::reduce(model, {}, parts);
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_LE(result->nodes_after, 20) << jobs;
    if (first.empty()) first = result->model->proto.SerializeAsString();
    EXPECT_EQ(result->model->proto.SerializeAsString(), first) << jobs;
  }
}

}  // namespace
}  // namespace assay::reduce
