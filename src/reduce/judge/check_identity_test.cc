#include "reduce/judge/check_identity.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace assay::reduce {
namespace {

std::string identity(const CheckSetup& check) {
  return check_identity(check, {});
}

TEST(CheckIdentity, DiffersIfAVerdictMayDiffer) {
  const CheckSetup check{.command = {"true", "{model}"}, .limits = {}, .rules = {}};
  const std::function<void(CheckSetup&)> changes[] = {
      [](CheckSetup& other) { other.command.emplace_back("-v"); },
      [](CheckSetup& other) { other.command = {"true {model}"}; },
      [](CheckSetup& other) { other.rules.fail_codes = {1}; },
      [](CheckSetup& other) { other.rules.ignore_fail_codes = {1}; },
      [](CheckSetup& other) { other.rules.unresolved_codes = {1}; },
      [](CheckSetup& other) { other.rules.patterns = {"bad"}; },
      [](CheckSetup& other) { other.rules.unresolved_patterns = {"bad"}; },
      [](CheckSetup& other) { other.limits.memory_bytes = 1; },
  };
  std::vector<std::string> seen = {identity(check)};
  for (const auto& change : changes) {
    CheckSetup other = check;
    change(other);
    for (const std::string& earlier : seen) EXPECT_NE(identity(other), earlier);
    seen.push_back(identity(other));
  }
}

TEST(CheckIdentity, DoesNotDependOnWhatIsOnlyShownOrOnTheTimeLimit) {
  CheckSetup check{.command = {"true"}, .artifact = "a.onnx", .limits = {}, .rules = {}};
  const std::string before = identity(check);
  check.artifact = "b.onnx";
  check.show_output = CheckSetup::Show::always;
  check.limits.time_s = 1;
  EXPECT_EQ(identity(check), before);
}

}  // namespace
}  // namespace assay::reduce
