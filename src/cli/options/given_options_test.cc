#include "cli/options/given_options.h"

#include <gmock/gmock.h>

#include <CLI/App.hpp>

#include <array>
#include <string>

namespace assay::cli {
namespace {

TEST(GivenOptions, AreFoundInTheirOrder) {
  CLI::App app;
  std::string seed, range, load;
  const std::array<const CLI::Option*, 3> options = {
      app.add_option("--seed", seed), app.add_option("--val-range,-v", range), app.add_option("--load-inputs", load)};
  EXPECT_EQ(first_given(options), "");
  app.parse("--load-inputs x -v [0,1]");
  EXPECT_EQ(first_given(options), "--val-range");
}

TEST(GivenOptions, TheFirstSpellingStandsForAnOption) {
  EXPECT_EQ(first_spelling("--tftrt,--use-tftrt"), "--tftrt");
  EXPECT_EQ(first_spelling("--tf"), "--tf");
}

}  // namespace
}  // namespace assay::cli
