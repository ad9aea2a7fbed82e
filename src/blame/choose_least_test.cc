#include "blame/choose_least.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace assay::blame {
namespace {

using testing::ElementsAre;

// Passes if all of these are chosen, and counts.
struct Oracle {
  std::vector<int> needed;
  int runs = 0;
  ChoiceTest test() {
    return [this](const std::vector<int>& chosen) -> base::Expected<bool> {
      ++runs;
      EXPECT_TRUE(std::ranges::is_sorted(chosen));
      return std::ranges::includes(chosen, needed);
    };
  }
};

std::vector<Element> all(int count) {
  std::vector<Element> elements;
  for (int i = 0; i < count; ++i) elements.push_back({.number = i, .needed = 1.0 / count});
  return elements;
}

std::vector<int> up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(ChooseLeast, ChoosesValuesInTheirOrder) {
  using Names = std::vector<std::string>;
  const auto test = [](const Names& chosen) -> base::Expected<bool> {
    return std::ranges::count(chosen, "d") + std::ranges::count(chosen, "a") == 2;
  };
  EXPECT_THAT(choose_least_of(Names{"e", "d", "c", "b", "a"}, test).value(), ElementsAre("d", "a"));
}

TEST(ChooseLeast, FindsOneOfMany) {
  Oracle oracle{.needed = {437}};
  const auto found = choose_least(all(1000), oracle.test());
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(437));
  EXPECT_LE(oracle.runs, 2 * std::log2(1000) + 8);
}

TEST(ChooseLeast, FindsElementsThatAreNeededTogether) {
  Oracle oracle{.needed = {3, 40, 41}};
  const auto found = choose_least(all(64), oracle.test());
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(3, 40, 41));
}

TEST(ChooseLeast, LikelyElementsAreTriedOneByOne) {
  Oracle oracle{.needed = {10, 20, 30}};
  const auto found = choose_least({{10, 0.9}, {20, 0.9}, {25, 0.9}, {30, 0.9}}, oracle.test());
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(10, 20, 30));
  EXPECT_LE(oracle.runs, 4 + 3);  // once each, and those before the one that isn't needed again
}

TEST(ChooseLeast, NoElementCanBeLeftOutOfTheResultWhateverTheTest) {
  // Passes with an even number above 3, or with 7 and 8: not monotone.
  int runs = 0;
  const ChoiceTest odd = [&](const std::vector<int>& chosen) -> base::Expected<bool> {
    ++runs;
    const bool pair = std::ranges::count(chosen, 7) + std::ranges::count(chosen, 8) == 2;
    return pair || (chosen.size() > 3 && chosen.size() % 2 == 0);
  };
  const auto found = choose_least(all(16), odd);
  ASSERT_TRUE(found);
  for (std::size_t i = 0; i < found->size(); ++i) {
    std::vector<int> rest = *found;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(rest.empty() ? false : *odd(rest));
  }
}

TEST(ChooseLeast, AnErrorEndsTheSearch) {
  const auto found = choose_least(all(8), [](const std::vector<int>&) -> base::Expected<bool> {
    return base::fail(base::ErrorKind::interrupted, "stopped");
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, base::ErrorKind::interrupted);
}

TEST(ChooseLeast, PrefixesEndAtTheLastElementThatIsNeeded) {
  Oracle halving{.needed = {5, 77}};
  const auto bisected = bisect_prefix(up_to(100), halving.test());
  ASSERT_TRUE(bisected);
  EXPECT_EQ(*bisected, 78U);
  EXPECT_LE(halving.runs, 7);

  Oracle adding{.needed = {5, 77}};
  std::vector<int> reverse = up_to(100);
  std::ranges::reverse(reverse);
  const auto extended = extend_prefix(reverse, adding.test());
  ASSERT_TRUE(extended);
  EXPECT_EQ(*extended, 95U);
  EXPECT_EQ(adding.runs, 95);
}

}  // namespace
}  // namespace assay::blame
