#include "cli/parse/attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>

#include <cmath>

namespace assay::cli {
namespace {

using testing::HasSubstr;

// Returns the attribute as ONNX's text format has it, which shows its type.
std::string parse(const std::string& text) {
  const auto attributes = parse_attributes({text}, "--attrs");
  return attributes ? onnx::ProtoToString(attributes->at(0)) : attributes.error().message();
}

// Polygraphy 0.53.6 was run on the same values, and the expected results are those in the models that it wrote.
TEST(ParseAttributes, RecognisesTypesAsPolygraphyDoes) {
  EXPECT_EQ(parse("k=1"), "k: int = 1");
  EXPECT_EQ(parse("neg=-3"), "neg: int = -3");
  EXPECT_EQ(parse("v=+5"), "v: int = 5");
  EXPECT_EQ(parse("w=007"), "w: int = 7");
  EXPECT_EQ(parse("t= 5 "), "t: int = 5");
  EXPECT_EQ(parse("f=1.5"), "f: float = 1.5");
  EXPECT_EQ(parse("k=.5"), "k: float = 0.5");
  EXPECT_EQ(parse("z=1e-3"), "z: float = 0.001");
  EXPECT_EQ(parse("s=hello"), "s: string = \"hello\"");
  EXPECT_EQ(parse("q='5'"), "q: string = \"5\"");
  EXPECT_EQ(parse("q=\"5\""), "q: string = \"5\"");
  EXPECT_EQ(parse("r=0x10"), "r: string = \"0x10\"");
  EXPECT_EQ(parse("t=True"), "t: string = \"True\"");
  EXPECT_EQ(parse("f=(1,2)"), "f: string = \"(1,2)\"");
  EXPECT_EQ(parse("g="), "g: string = \"\"");
  EXPECT_EQ(parse("u='a,b'"), "u: string = \"a,b\"");
  EXPECT_EQ(parse("l=[1,2,3]"), "l: ints = [1, 2, 3]");
  EXPECT_EQ(parse("a=[1, 2.5]"), "a: floats = [1, 2.5]");
  EXPECT_EQ(parse("st=['a','b']"), "st: strings = [\"a\", \"b\"]");
  EXPECT_EQ(parse("o=[a,b]"), "o: strings = [\"a\", \"b\"]");
  EXPECT_EQ(parse("v=['a,b','c']"), "v: strings = [\"a,b\", \"c\"]");
}

TEST(ParseAttributes, ReadsInfinityAndNan) {
  EXPECT_TRUE(std::isinf(parse_attributes({"i=inf"}, "--attrs").value()[0].f()));
  EXPECT_TRUE(std::isnan(parse_attributes({"n=nan"}, "--attrs").value()[0].f()));
}

TEST(ParseAttributes, TakesAnEmptyListAsIntegersAndTheFirstEqualsSign) {
  EXPECT_EQ(parse_attributes({"e=[]"}, "--attrs").value()[0].type(), onnx::AttributeProto::INTS);
  EXPECT_EQ(parse("x=a=b"), "x: string = \"a=b\"");
}

TEST(ParseAttributes, RefusesWhatHasNoMeaning) {
  EXPECT_THAT(parse("x1"), HasSubstr("'x1' is not an attribute (in --attrs). Give it as name=value"));
  EXPECT_THAT(parse("=1"), HasSubstr("'=1' is not an attribute"));
  EXPECT_THAT(parse("b=[1,'x']"), HasSubstr("the list holds both numbers and strings (in --attrs b=[1,'x'])"));
  EXPECT_THAT(parse("y=[1,2"), HasSubstr("no closing bracket"));
  EXPECT_THAT(parse("l=99999999999999999999"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(parse("x=1e400"), HasSubstr("does not fit in a float32"));
  const auto twice = parse_attributes({"a=1", "a=2"}, "--attrs");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message(), HasSubstr("'a' is given twice"));
}

}  // namespace
}  // namespace assay::cli
