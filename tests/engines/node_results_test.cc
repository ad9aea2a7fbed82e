#include "tests/engines/node_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class NodeResultsTest : public testing::Test {
 protected:
  NodeRecord read(const std::string& text) {
    EXPECT_TRUE(base::write_file(file_, text));
    return read_results(file_).value();
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::filesystem::path file_ = folder_.path() / "printed.txt";
  NodeRecord record_ = {.engines = {"One 1.2"}, .results = {{"test_sub", {"build"}}}, .tests = 3};
  const std::vector<std::string> tests_ = {"test_abs", "test_add", "test_sub"};
};

TEST_F(NodeResultsTest, ResultsAreLinesOfTheOutput) {
  const NodeRecord read = this->read(
      "a GPU\ntest_abs ok\ntest_add crash\ntest_sub wrong\ntest_add: crash\nTensorRT 10.6.0: 1 crash 1 ok 1 wrong\n");
  EXPECT_THAT(read.engines, ElementsAre("TensorRT 10.6.0"));
  EXPECT_THAT(read.results, ElementsAre(Pair("test_abs", ElementsAre("ok")), Pair("test_add", ElementsAre("crash")),
                                        Pair("test_sub", ElementsAre("wrong"))));
}

TEST_F(NodeResultsTest, OutputThatWasCutShortHasNoVersion) {
  ASSERT_TRUE(base::write_file(file_, "test_abs ok\n"));
  EXPECT_THAT(read_results(file_).error().message(), HasSubstr("no line with the engine's version"));
  EXPECT_THAT(read_printed(file_).value().results, ElementsAre(Pair("test_abs", ElementsAre("ok"))));
}

TEST_F(NodeResultsTest, OfSeveralRunsTheLastCounts) {
  const NodeRecord read = this->read("test_abs run\nTensorRT 10.6.0: 1 run\ntest_abs ok\nTensorRT 10.15.1: 1 ok\n");
  EXPECT_THAT(read.engines, ElementsAre("TensorRT 10.15.1"));
  EXPECT_THAT(read.results, ElementsAre(Pair("test_abs", ElementsAre("ok"))));
}

TEST_F(NodeResultsTest, AColumnIsAddedOrReplaced) {
  const NodeRecord old = read("test_abs ok\ntest_add run\ntest_sub ok\nTensorRT 10.6.0: 2 ok 1 run\n");
  ASSERT_TRUE(add_column(tests_, old, record_));
  const NodeRecord later = read("test_abs ok\ntest_add ok\ntest_sub load\nTensorRT 10.15.1: 1 load 2 ok\n");
  ASSERT_TRUE(add_column(tests_, later, record_));
  EXPECT_THAT(record_.engines, ElementsAre("One 1.2", "TensorRT 10.15.1"));
  EXPECT_THAT(record_.results,
              ElementsAre(Pair("test_abs", ElementsAre("ok", "ok")), Pair("test_add", ElementsAre("ok", "ok")),
                          Pair("test_sub", ElementsAre("build", "load"))));
}

TEST_F(NodeResultsTest, EachTestNeedsAResult) {
  const NodeRecord part = read("test_abs ok\ntest_sub ok\nTensorRT 10.6.0: 2 ok\n");
  EXPECT_THAT(add_column(tests_, part, record_).error().message(),
              HasSubstr("some tests have no result (in test_add)"));
  record_.tests = 2;
  EXPECT_THAT(add_column(tests_, part, record_).error().message(), HasSubstr("about 2 tests, and there are 3"));
}

}  // namespace
}  // namespace assay::test
