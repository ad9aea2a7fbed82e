#include "surgeon/fold/bound_sizes.h"

#include <algorithm>
#include <string_view>

#include "base/test_log.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::HasSubstr;

constexpr auto kRange = R"(g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}> {
    m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  y = Range(z, n, one)  w = Neg(n) })";

TEST(BoundSizes, InsertsAMinAfterTheTensor) {
  model::Model model = parse(kRange);
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"", 100}}, log));
  EXPECT_EQ(model.graph().node(2).name(), "n_bound");
  model.graph().mutable_node(2)->clear_name();
  EXPECT_EQ(text(model), text(parse(R"(g (float[4] q) => (int64[K] y)
      <int64 z = {0}, int64 one = {1}, int64 n_upper_bound = {100}> {
      m = ReduceMax <keepdims = 0> (q)  n_unbounded = Cast <to = 7> (m)  n = Min(n_unbounded, n_upper_bound)
      y = Range(z, n, one)  w = Neg(n) })")));
}

TEST(BoundSizes, TheMinGetsANameThatIsUnused) {
  model::Model model = parse(R"(g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}> {
    m = ReduceMax <keepdims = 0> (q)  ["n_bound"] n = Cast <to = 7> (m)  y = Range(z, n, one) })");
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"", 100}}, log));
  EXPECT_EQ(model.graph().node(2).name(), "n_bound_2");
}

TEST(BoundSizes, TheNewTensorsGetNamesThatAreUnused) {
  model::Model model =
      parse(R"(g (float[4] q, float n_unbounded) => (int64[K] y, float n_upper_bound) <int64 z = {0}, int64 one = {1}> {
    m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  y = Range(z, n, one)  n_upper_bound = Neg(n_unbounded) })");
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"", 100}}, log));
  EXPECT_THAT(text(model), HasSubstr("n = Min (n_unbounded_2, n_upper_bound_2)"));
  EXPECT_THAT(text(model), HasSubstr("n_unbounded_2 = Cast"));
}

TEST(BoundSizes, TheRenamedTensorKeepsItsTypeAndShape) {
  model::Model model = parse(R"(g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}, int64 n> {
    m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  y = Range(z, n, one) })");
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"", 100}}, log));
  const auto declared = [&](std::string_view name) {
    const auto at = std::ranges::find(model.graph().value_info(), name, &onnx::ValueInfoProto::name);
    return at == model.graph().value_info().end() ? std::string() : at->type().SerializeAsString();
  };
  EXPECT_NE(declared("n"), "");
  EXPECT_EQ(declared("n_unbounded"), declared("n"));
}

TEST(BoundSizes, ANameWinsOverTheBoundOfAllOthers) {
  model::Model model = parse(kRange);
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"", 100}, {"n", 7}}, log));
  EXPECT_THAT(text(model), HasSubstr("n_upper_bound =  {7}"));
}

TEST(BoundSizes, RejectsUnknownTensorsAndWarnsOfInputs) {
  model::Model model = parse(kRange);
  base::test::TestLog log(base::Level::warning);
  const base::Status status = bound_sizes(model, {{"nn", 7}}, log);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(status.error().fix, HasSubstr("n"));
  EXPECT_TRUE(bound_sizes(model, {{"q", 7}}, log));
  EXPECT_EQ(text(model), text(parse(kRange)));
  EXPECT_THAT(log.text(), HasSubstr("'q' needs no upper bound: no node computes it"));
  model::Model decides = parse("g (float[2] q) => (bool[2] b) { b = IsNaN(q) }");
  const base::Status of_bool = bound_sizes(decides, {{"b", 7}}, log);
  ASSERT_FALSE(of_bool);
  EXPECT_THAT(of_bool.error().message(), HasSubstr("'b' holds no numbers"));
}

// As in Polygraphy.
TEST(BoundSizes, ATensorThatIsNamedIsBoundedInAnyCase) {
  model::Model model = parse(R"(g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}, float m> {
    m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  y = Range(z, n, one) })");
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(bound_sizes(model, {{"m", 9}, {"", 100}}, log));
  EXPECT_THAT(text(model), HasSubstr("m = Min (m_unbounded, m_upper_bound)"));
  const auto limit = std::ranges::find(model.graph().initializer(), "m_upper_bound", &onnx::TensorProto::name);
  ASSERT_NE(limit, model.graph().initializer().end());
  EXPECT_EQ(limit->data_type(), onnx::TensorProto::FLOAT);
  EXPECT_THAT(text(model), HasSubstr("n = Min (n_unbounded, n_upper_bound)"));
  EXPECT_THAT(log.text(),
              HasSubstr("'m' doesn't decide an unknown size, or is already bounded; it is bounded because"));
}

TEST(BoundSizes, NeedsAMinOfIntegers) {
  model::Model model = parse(kRange, "ir_version: 6, opset_import: [\"\" : 11]");
  base::test::TestLog log(base::Level::warning);
  const base::Status status = bound_sizes(model, {{"", 7}}, log);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::unsupported);
}

}  // namespace
}  // namespace assay::surgeon
