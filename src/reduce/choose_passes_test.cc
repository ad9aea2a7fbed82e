#include "reduce/choose_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reduce/passes/pass.h"
#include "reduce/search/phases/phase.h"

namespace assay::reduce {
namespace {

using testing::Contains;
using testing::Not;

std::string one_on_request() {
  const auto found = std::ranges::find_if(passes(), [](const Pass& pass) { return pass.on_request; });
  return found == passes().end() ? "" : std::string(found->name);
}

ReduceOptions options_for(const PassChoice& choice) {
  ReduceOptions options;
  EXPECT_TRUE(choose_passes(choice, options));
  return options;
}

TEST(ChoosePasses, SkipsOnlyThoseOnRequestByDefault) {
  const auto skip = options_for({}).skip;
  EXPECT_THAT(skip, Contains(one_on_request()));
  for (const std::string& name : skip) {
    EXPECT_TRUE(std::ranges::any_of(passes(), [&](const Pass& pass) { return pass.on_request && pass.name == name; }))
        << name;
  }
  EXPECT_TRUE(options_for({.thorough = true}).skip.empty());
}

TEST(ChoosePasses, NamedPassesAreAllThatRun) {
  const auto skip = options_for({.only = {one_on_request()}}).skip;
  EXPECT_THAT(skip, Not(Contains(one_on_request())));
  EXPECT_EQ(skip.size(), passes().size() + phases().size());  // all others, and "verify"
}

TEST(ChoosePasses, ThoseThatChangeValuesRunOnlyIfTheyMayOrAreNamed) {
  const auto skip = options_for({.thorough = true}).skip_to_keep_values;
  for (const Pass& pass : passes()) EXPECT_EQ(skip.contains(pass.name), pass.changes_values) << pass.name;
  EXPECT_THAT(skip, Contains("bypass-nodes"));
  EXPECT_THAT(options_for({.only = {"bypass-nodes"}}).skip_to_keep_values, Not(Contains("bypass-nodes")));
}

TEST(ChoosePasses, AnUnknownNameIsAnError) {
  ReduceOptions options;
  const base::Status chosen = choose_passes({.skip = {"no-such-pass"}}, options);
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error().message(), testing::HasSubstr("no-such-pass"));
}

}  // namespace
}  // namespace assay::reduce
