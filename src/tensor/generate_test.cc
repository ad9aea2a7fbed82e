// The expected inputs are files that Polygraphy's `run --save-inputs` wrote, for models whose inputs are listed here.
#include "tensor/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/free_memory.h"
#include "base/test_log.h"
#include "tensor/convert.h"
#include "tensor/json.h"
#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

using enum ElementType;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<TensorSpec> kAllTypes = {
    {"f32", float32, {2, 3}}, {"f64", float64, {5}}, {"f16", float16, {7}},    {"i64", int64, {4}},
    {"i32", int32, {4, 2}},   {"i16", int16, {5}},   {"i8", int8, {5}},        {"u8", uint8, {5}},
    {"u16", uint16, {5}},     {"u32", uint32, {5}},  {"u64", uint64, {5}},     {"b", boolean, {9}},
    {"sc", float32, {}},      {"isc", int64, {}},    {"emp", float32, {0, 3}}, {"last", float32, {3}}};

void expect_file(const char* name, std::span<const TensorSpec> inputs, const GenerateOptions& options) {
  const auto file = JsonDocument::open(test::tensor_fixture(name));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_FALSE(file->root().empty());
  base::SilentLog log;
  std::int64_t iteration = 0;
  for (const auto& saved : file->root()) {
    const auto generated = generate_inputs(inputs, options, iteration++, log);
    ASSERT_TRUE(generated) << generated.error().message();
    ASSERT_EQ(generated->size(), saved.size());
    auto item = saved.begin();
    for (const auto& [input, value] : *generated) {
      EXPECT_EQ(input, item.key());
      EXPECT_TRUE(identical(value, *file->array(*item))) << input << ", iteration " << iteration;
      ++item;
    }
  }
}

TEST(GenerateTest, DefaultsMatchPolygraphy) {
  expect_file("polygraphy_defaults.json", kAllTypes, {});
}

TEST(GenerateTest, RangesMatchPolygraphy) {
  const GenerateOptions options{.seed = 42,
                                .range = {3, 100},
                                .ranges = {{"i8", {-5, 5}},
                                           {"i64", {-10'000'000'000, 99'999'999'999}},
                                           {"u64", {0, 9'999'999'999}},
                                           {"f32", {-1.5, 100.7}},
                                           {"f16", {-4, 4}},
                                           {"i32", {0, 2147483646}},
                                           {"i16", {-3.9, 3.9}},
                                           {"b", {0, 1}}},
                                .shapes = {}};
  expect_file("polygraphy_ranges.json", kAllTypes, options);
}

TEST(GenerateTest, ShapesMatchPolygraphy) {
  const std::vector<TensorSpec> inputs = {
      {"x", float32, {-1, 3, -1}}, {"shp", int64, {4}}, {"ids", int64, {-1, -1}}, {"y", float32, {-1, 2}}};
  GenerateOptions options;
  options.shapes = {{"shp", {1, 2, 3, 4}}, {"x", {2, 3, 5}}, {"y", {0, 2}}, {"ids", {7, 8, 9}}};
  expect_file("polygraphy_shapes.json", inputs, options);
}

TEST(GenerateTest, ShapeTensorsMatchPolygraphy) {
  const std::vector<TensorSpec> inputs = {{"a", int64, {1}},   {"b", int32, {-1}}, {"c", int64, {2}},
                                          {"d", float32, {1}}, {"e", int64, {3}},  {"f", boolean, {1}},
                                          {"g", uint8, {1}}};
  GenerateOptions options;
  options.range = {10, 50};
  options.shapes = {{"a", {7}}, {"b", {3}}, {"c", {3}}, {"g", {9}}, {"d", {5}}};
  expect_file("polygraphy_shape_tensors.json", inputs, options);
}

TEST(GenerateTest, TypesUnknownToPolygraphyAreInTheirRange) {
  const GenerateOptions options{.seed = 1, .range = {-2, 3}, .ranges = {}, .shapes = {}};
  base::SilentLog log;
  for (const ElementTypeInfo& row : element_types()) {
    if (!is_real(row.type) || row.type == boolean || row.kind == ElementKind::unsigned_integer) continue;
    if (row.type == int2 || row.type == float8e8m0) continue;
    const std::vector<TensorSpec> inputs = {{"x", row.type, {50}}};
    const auto generated = generate_inputs(inputs, options, 0, log);
    ASSERT_TRUE(generated) << row.name << ": " << generated.error().message();
    const auto values = to_doubles(*generated->find("x"));
    EXPECT_THAT(values, Each(testing::AllOf(testing::Ge(-2), testing::Le(3)))) << row.name;
    EXPECT_THAT(values, Contains(testing::Lt(0))) << row.name;
    EXPECT_THAT(values, Contains(testing::Gt(1))) << row.name;
  }
}

// Polygraphy's values, as its own tests demand them: no NaN.
TEST(GenerateTest, InfiniteEndsGiveInfinities) {
  constexpr auto kInfinity = std::numeric_limits<double>::infinity();
  base::SilentLog log;
  const auto generated = [&](long double low, long double high) {
    const std::vector<TensorSpec> inputs = {{"x", float32, {2}}};
    return to_doubles(
        *generate_inputs(inputs, {.seed = 1, .range = {low, high}, .ranges = {}, .shapes = {}}, 0, log)->find("x"));
  };
  EXPECT_THAT(generated(kInfinity, kInfinity), ElementsAre(kInfinity, kInfinity));
  EXPECT_THAT(generated(-kInfinity, kInfinity), ElementsAre(kInfinity, kInfinity));
  EXPECT_THAT(generated(0, kInfinity), ElementsAre(kInfinity, kInfinity));
  EXPECT_THAT(generated(-kInfinity, 0), ElementsAre(-kInfinity, -kInfinity));
}

TEST(GenerateTest, WildcardsGiveTheShapesOfSeveralInputs) {
  const std::vector<TensorSpec> inputs = {
      {"in_a", float32, {-1}}, {"in_b", float32, {-1}}, {"in_cc", float32, {-1}}, {"x[0]", float32, {-1}}};
  GenerateOptions options;
  options.shapes = {{"in_?", {2}}, {"in_b", {3}}, {"x[0]", {4}}, {"out_*", {5}}};
  base::test::TestLog log;
  const auto generated = generate_inputs(inputs, options, 0, log);
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->find("in_a")->shape(), Shape{2});
  EXPECT_EQ(generated->find("in_b")->shape(), Shape{3});
  EXPECT_EQ(generated->find("in_cc")->shape(), Shape{1});
  EXPECT_EQ(generated->find("x[0]")->shape(), Shape{4});
  EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("no input 'out_*'"), HasSubstr("'in_cc': unknown dimensions")));
}

TEST(GenerateTest, TheLongestWildcardGivesTheShape) {
  const std::vector<TensorSpec> inputs = {{"ids", float32, {-1, -1}}, {"pixel_values", float32, {-1, 3, -1, -1}}};
  GenerateOptions options;
  options.shapes = {{"*", {1, 128}}, {"pixel_*", {1, 3, 8, 8}}};
  base::test::TestLog log;
  const auto generated = generate_inputs(inputs, options, 0, log);
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->find("ids")->shape(), (Shape{1, 128}));
  EXPECT_EQ(generated->find("pixel_values")->shape(), (Shape{1, 3, 8, 8}));
  EXPECT_TRUE(log.messages().empty());
}

TEST(GenerateTest, AnInputOfUnknownRankHasTheShapeThatIsGivenByName) {
  const std::vector<TensorSpec> inputs = {{"x", float32, {}}, {"scalar", float32, {}}, {"other", float32, {}}};
  GenerateOptions options;
  options.shapes = {{"x", {2, 3}}, {"scalar", {1}}, {"o*", {5}}};
  base::test::TestLog log;
  const auto generated = generate_inputs(inputs, options, 0, log);
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->find("x")->shape(), (Shape{2, 3}));
  EXPECT_EQ(generated->find("scalar")->shape(), Shape());
  EXPECT_EQ(generated->find("other")->shape(), Shape());
  EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("'x': the given shape [2, 3] is used"),
                                          HasSubstr("'scalar': the given shape [1] does not fit"),
                                          HasSubstr("'other': the given shape [5] does not fit")));
}

TEST(GenerateTest, StringsAreWords) {
  base::SilentLog log;
  const std::vector<TensorSpec> inputs = {{"s", string, {2, 10}}};
  const auto generated = generate_inputs(inputs, {}, 0, log);
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->find("s")->shape(), (Shape{2, 10}));
  EXPECT_THAT(generated->find("s")->strings(), Each(testing::MatchesRegex("[a-z]+")));
}

TEST(GenerateTest, ReportsAssumptionsOnce) {
  const std::vector<TensorSpec> inputs = {{"x", float32, {-1, 3}}, {"y", float32, {4}}, {"n", int64, {2}}};
  GenerateOptions options;
  options.shapes = {{"y", {5}}, {"n", {8, 9}}, {"stranger", {1}}};
  base::test::TestLog log;
  ASSERT_TRUE(generate_inputs(inputs, options, 0, log));
  EXPECT_THAT(log.messages(), Contains(HasSubstr("'x': unknown dimensions become 1, giving [1, 3]")));
  EXPECT_THAT(log.messages(), Contains(HasSubstr("'y': the given shape [5] does not fit")));
  EXPECT_THAT(log.messages(), Contains(HasSubstr("'n' seems to hold a shape")));
  EXPECT_THAT(log.messages(), Contains(HasSubstr("no input 'stranger'")));
  log.clear();
  ASSERT_TRUE(generate_inputs(inputs, options, 1, log));
  EXPECT_TRUE(log.messages().empty());
}

TEST(GenerateTest, NamesTheOptionOfTheCommand) {
  const std::vector<TensorSpec> inputs = {{"x", float32, {-1, 3}}};
  GenerateOptions options;
  options.shapes_option = "--model-input-shapes";
  base::test::TestLog log;
  ASSERT_TRUE(generate_inputs(inputs, options, 0, log));
  EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("giving [1, 3]; set them with --model-input-shapes")));
  log.clear();
  options.shapes_option.clear();
  ASSERT_TRUE(generate_inputs(inputs, options, 0, log));
  EXPECT_THAT(log.messages(), ElementsAre(testing::EndsWith("giving [1, 3]")));
}

TEST(GenerateTest, ImpossibleOptionsAreErrorsThatNameTheInput) {
  base::SilentLog log;
  const auto message = [&](TensorSpec input, ValueRange range, std::int64_t seed = 1) {
    const std::vector<TensorSpec> inputs = {std::move(input)};
    const auto generated = generate_inputs(inputs, {.seed = seed, .range = range, .ranges = {}, .shapes = {}}, 0, log);
    return generated ? "no error" : generated.error().message();
  };
  EXPECT_THAT(message({"x", int8, {1}}, {0, 300}), testing::AllOf(HasSubstr("'x'"), HasSubstr("[-128, 127]")));
  EXPECT_THAT(message({"x", int64, {1}}, {0, std::numeric_limits<long double>::infinity()}), HasSubstr("finite"));
  EXPECT_THAT(message({"x", int64, {1}}, {0, 1e40}), HasSubstr("1e+40 is out of range"));
  EXPECT_THAT(message({"x", int64, {1}}, {3, 2}), HasSubstr("between 3 and 2"));
  EXPECT_THAT(message({"x", undefined, {1}}, {}),
              testing::AllOf(HasSubstr("element type"), HasSubstr("Sequences and optionals can't be fed")));
  EXPECT_THAT(message({"x", float32, {1'000'000'000'000'000}}, {}), HasSubstr("memory"));
  EXPECT_THAT(message({"x", float32, {1LL << 62, 8}}, {}), HasSubstr("memory"));
  // Fits, but not together with the engine's copy.
  const auto most = static_cast<std::int64_t>(base::free_memory().value() / 10 * 8 / sizeof(float));
  EXPECT_THAT(message({"x", float32, {most}}, {}), HasSubstr("memory"));
  EXPECT_THAT(message({"x", float32, {1}}, {}, -1), HasSubstr("--seed"));
  EXPECT_THAT(message({"x", float32, {1}}, {}, 1LL << 32), HasSubstr("2^32"));
}

}  // namespace
}  // namespace assay::tensor
