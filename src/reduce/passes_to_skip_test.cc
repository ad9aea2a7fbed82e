#include "reduce/passes_to_skip.h"

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

TEST(ChoosePasses, SkipsOnlyThoseOnRequestByDefault) {
  const auto skip = passes_to_skip({}).value();
  EXPECT_THAT(skip, Contains(one_on_request()));
  for (const std::string& name : skip) {
    EXPECT_TRUE(std::ranges::any_of(passes(), [&](const Pass& pass) { return pass.on_request && pass.name == name; }))
        << name;
  }
  EXPECT_TRUE(passes_to_skip({.thorough = true}).value().empty());
}

TEST(ChoosePasses, NamedPassesAreAllThatRun) {
  const auto skip = passes_to_skip({.only = {one_on_request()}}).value();
  EXPECT_THAT(skip, Not(Contains(one_on_request())));
  EXPECT_EQ(skip.size(), passes().size() + phases().size());  // all others, and "verify"
}

TEST(ChoosePasses, ThoseThatChangeValuesRunOnlyIfTheyMayOrAreNamed) {
  const auto skip = passes_to_skip({.thorough = true, .keeps_values = true}).value();
  for (const Pass& pass : passes()) EXPECT_EQ(skip.contains(pass.name), pass.changes_values) << pass.name;
  EXPECT_THAT(skip, Contains("bypass-nodes"));
  EXPECT_THAT(passes_to_skip({.only = {"bypass-nodes"}, .keeps_values = true}).value(), Not(Contains("bypass-nodes")));
}

TEST(ChoosePasses, AnUnknownNameIsAnError) {
  const auto skip = passes_to_skip({.skip = {"no-such-pass"}});
  ASSERT_FALSE(skip);
  EXPECT_THAT(skip.error().message(), testing::HasSubstr("no-such-pass"));
}

}  // namespace
}  // namespace assay::reduce
