#include "run/declared_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/test_log.h"

namespace assay::run {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

worker::Port port(const std::string& name, ElementType type) {
  worker::Port port;
  port.name = name;
  port.type = type;
  return port;
}

class DeclaredTypesTest : public testing::Test {
 protected:
  base::Status convert(const std::vector<worker::Port>& ports) { return types_.convert(outputs_, ports, "mnn", log_); }
  tensor::NamedTensors outputs_;
  DeclaredTypes types_;
  base::test::TestLog log_;
};

TEST_F(DeclaredTypesTest, ConvertsAndReportsItOnce) {
  for (const char* name : {"a", "b"}) outputs_.set(name, Tensor::of<std::int32_t>(ElementType::int32, {2}, {3, -4}));
  const std::vector<worker::Port> ports = {port("a", ElementType::int64), port("b", ElementType::int64)};
  ASSERT_TRUE(convert(ports));
  for (const char* name : {"a", "b"}) {
    ASSERT_EQ(outputs_.find(name)->type(), ElementType::int64);
    EXPECT_EQ(outputs_.find(name)->load<std::int64_t>(1), -4);
  }
  EXPECT_THAT(log_.messages(), ElementsAre(AllOf(HasSubstr("mnn returns int32 for 'a'"), HasSubstr("int64"))));
}

TEST_F(DeclaredTypesTest, KeepsOpenDimensions) {
  outputs_.set("a", Tensor::of<std::int32_t>(ElementType::int32, {1}, {3}));
  ASSERT_TRUE(convert({port("a", ElementType::undefined), port("gone", ElementType::int64)}));
  EXPECT_EQ(outputs_.find("a")->type(), ElementType::int32);
  EXPECT_TRUE(log_.messages().empty());
}

TEST_F(DeclaredTypesTest, NamesTensorAndTypesIfItCannotConvert) {
  outputs_.set("a", Tensor::of<float>(ElementType::float32, {1}, {3}));
  const base::Status status = convert({port("a", ElementType::string)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::engine);
  EXPECT_THAT(status.error().message(), AllOf(HasSubstr("'a'"), HasSubstr("expected string, given float32")));
}

TEST(ReturnsDeclaredTypes, AllButTheReferenceEvaluator) {
  worker::EngineSpec engine;
  EXPECT_TRUE(returns_declared_types(engine));
  engine = {.kind = "python", .library = {}, .options = {{"module", "mine.py"}}};
  EXPECT_TRUE(returns_declared_types(engine));
  engine.options["module"] = "reference";
  EXPECT_FALSE(returns_declared_types(engine));
}

}  // namespace
}  // namespace assay::run
