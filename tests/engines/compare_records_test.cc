#include "tests/engines/compare_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NodeRecord results() {
  return {.engines = {"One 1.2", "Two 3.4"},
          .results = {{"test_abs", {"ok", "ok"}}, {"test_add", {"ok", "wrong"}}, {"test_sub", {"build", "ok"}}},
          .tests = 3};
}

class CompareRecordsTest : public testing::Test {
 protected:
  void SetUp() override {
    constexpr auto kPage = "# Engines\n\n<!-- written by assay_node_tests: begin -->\n<!-- end -->\n\nMore text.\n";
    ASSERT_TRUE(base::write_file(page_, kPage));
    ASSERT_TRUE(write_record(page_, results()));
  }
  // Compares with the record that was written.
  [[nodiscard]] std::vector<std::string> compared(const NodeRecord& now) const {
    return differences(read_record(page_).value(), now);
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::filesystem::path page_ = folder_.path() / "engines.md";
};

TEST_F(CompareRecordsTest, WhatWasWrittenDoesNotDiffer) {
  EXPECT_THAT(compared(results()), IsEmpty());
}

TEST_F(CompareRecordsTest, APassingTestThatDisappearsIsADifference) {
  NodeRecord now = results();
  now.results.erase("test_abs");
  now.tests = 2;
  EXPECT_THAT(compared(now), ElementsAre("3 tests are recorded, but there are 2"));
}

TEST_F(CompareRecordsTest, ResultsThatChangedAreNamed) {
  NodeRecord now = results();
  now.results["test_abs"][1] = "crash";
  now.results["test_sub"][0] = "ok";
  EXPECT_THAT(compared(now), ElementsAre("test_abs: Two 3.4 ended with 'crash', recorded is 'ok'",
                                         "test_sub: One 1.2 ended with 'ok', recorded is 'build'"));
}

TEST_F(CompareRecordsTest, AnEngineWithoutAColumnIsADifference) {
  NodeRecord now = results();
  now.engines = {"One 1.3"};
  now.results = {{"test_abs", {"ok"}}, {"test_add", {"ok"}}, {"test_sub", {"build"}}};
  EXPECT_THAT(compared(now), testing::Contains(HasSubstr("no column for One 1.3")));
}

}  // namespace
}  // namespace assay::test
