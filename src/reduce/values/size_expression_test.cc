#include "reduce/values/size_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

using testing::ElementsAre;

TEST(SizeExpression, ConsistsOfSymbolsButNotOfNumbers) {
  EXPECT_THAT(symbols_of("length"), ElementsAre("length"));
  EXPECT_THAT(symbols_of("past_length + length"), ElementsAre("past_length", "length"));
  EXPECT_THAT(symbols_of("2*heads*size + 1"), ElementsAre("heads", "size"));
}

TEST(SizeExpression, HasTheSizeThatFollowsFromItsSymbols) {
  const Sizes sizes = {{"a", 3}, {"b", 5}};
  EXPECT_EQ(size_of_symbol("a", sizes), 3);
  EXPECT_EQ(size_of_symbol("a + b", sizes), 8);
  EXPECT_EQ(size_of_symbol("2*a*b + 1", sizes), 31);
}

TEST(SizeExpression, CountsUnknownSymbolsAsOne) {
  EXPECT_EQ(size_of_symbol("a", {}), 1);
  EXPECT_EQ(size_of_symbol("a + b", {{"a", 3}}), 4);
}

TEST(SizeExpression, CanHaveASizeAsAWhole) {
  EXPECT_EQ(size_of_symbol("a + b", {{"a", 3}, {"a + b", 100}}), 100);
}

TEST(SizeExpression, DoesNotOverflow) {
  const std::int64_t large = std::int64_t{1} << 30;
  EXPECT_EQ(size_of_symbol("a*a*a + a", {{"a", large}}), 2 * large);
}

}  // namespace
}  // namespace assay::reduce
