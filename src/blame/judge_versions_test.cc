#include "blame/judge_versions.h"

#include <gtest/gtest.h>

namespace assay::blame {
namespace {

TEST(JudgeVersions, VersionsAreComparedByNumber) {
  EXPECT_TRUE(is_lower_version("1.9.0", "1.20.1"));
  EXPECT_FALSE(is_lower_version("1.20.1", "1.9.0"));
  EXPECT_TRUE(is_lower_version("1.20", "1.20.1"));
  EXPECT_FALSE(is_lower_version("1.20.1", "1.20.1"));
  EXPECT_TRUE(is_lower_version("2025.4.1-build", "2026.1.0"));
}

}  // namespace
}  // namespace assay::blame
