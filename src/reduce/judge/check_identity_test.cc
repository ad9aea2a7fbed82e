#include "reduce/judge/check_identity.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace assay::reduce {
namespace {

std::string identity(const CheckOptions& check) {
  return check_identity(check, {}, {});
}

TEST(CheckIdentity, DiffersIfAVerdictMayDiffer) {
  const CheckOptions check{.command = {"true", "{model}"}, .limits = {}, .rules = {}};
  const std::function<void(CheckOptions&)> changes[] = {
      [](CheckOptions& other) { other.command.emplace_back("-v"); },
      [](CheckOptions& other) { other.command = {"true {model}"}; },
      [](CheckOptions& other) { other.rules.fail_codes = {1}; },
      [](CheckOptions& other) { other.rules.ignore_fail_codes = {1}; },
      [](CheckOptions& other) { other.rules.unresolved_codes = {1}; },
      [](CheckOptions& other) { other.rules.patterns = {"bad"}; },
      [](CheckOptions& other) { other.rules.unresolved_patterns = {"bad"}; },
      [](CheckOptions& other) { other.limits.time_s = 1; },
      [](CheckOptions& other) { other.limits.memory_bytes = 1; },
  };
  std::vector<std::string> seen = {identity(check)};
  for (const auto& change : changes) {
    CheckOptions other = check;
    change(other);
    for (const std::string& earlier : seen) EXPECT_NE(identity(other), earlier);
    seen.push_back(identity(other));
  }
}

TEST(CheckIdentity, DoesNotDependOnWhatIsOnlyShown) {
  CheckOptions check{.command = {"true"}, .artifact = "a.onnx", .limits = {}, .rules = {}};
  const std::string before = identity(check);
  check.artifact = "b.onnx";
  check.show_output = CheckOptions::Show::always;
  EXPECT_EQ(identity(check), before);
}

}  // namespace
}  // namespace assay::reduce
