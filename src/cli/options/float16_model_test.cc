#include "cli/options/float16_model.h"

#include <gtest/gtest.h>

#include "base/test_log.h"

namespace assay::cli {
namespace {

std::string warning(std::uint64_t too_large, std::uint64_t too_small) {
  surgeon::Float16Model converted{.model = {}, .changes = {}};
  converted.changes.too_large = too_large;
  converted.changes.too_small = too_small;
  converted.changed_weights["w"] = converted.changes;
  base::test::TestLog log(base::Level::warning);
  describe(converted, log);
  return log.text();
}

TEST(Float16Model, NamesOnlyTheWayInWhichValuesAreOutOfRange) {
  EXPECT_EQ(warning(0, 0), "");
  EXPECT_EQ(warning(0, 3),
            "Some values of weights are out of range for float16: 3 too small, now +-2^-24. They are in 'w'\n");
  EXPECT_EQ(warning(2, 0),
            "Some values of weights are out of range for float16: 2 too large, now +-65504. They are in 'w'\n");
  EXPECT_EQ(warning(2, 3),
            "Some values of weights are out of range for float16: 2 too large, now +-65504; 3 too small, now +-2^-24. "
            "They are in 'w'\n");
}

}  // namespace
}  // namespace assay::cli
