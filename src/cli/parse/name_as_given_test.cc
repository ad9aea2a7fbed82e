#include "cli/parse/name_as_given.h"

#include <gtest/gtest.h>

namespace assay::cli {
namespace {

class NameAsGiven : public testing::Test {
 protected:
  void SetUp() override {
    app_.add_option("--report,--save-visual", report_);
    app_.add_option("-o,--output", output_)->take_last();
  }
  std::string text_of(base::Error error, const std::vector<std::string>& words) {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app_.parse(reversed);
    return name_as_given(std::move(error), app_, words).message();
  }

  CLI::App app_;
  std::string report_;
  std::string output_;
};

TEST_F(NameAsGiven, ReplacesOtherSpellings) {
  const base::Error error{base::ErrorKind::io, "--report is a folder", "--report", "The option is --report"};
  EXPECT_EQ(text_of(error, {"--save-visual", "x"}),
            "--save-visual is a folder (in --save-visual). The option is --save-visual");
  EXPECT_EQ(text_of(error, {"--save-visual=x"}),
            "--save-visual is a folder (in --save-visual). The option is --save-visual");
  EXPECT_EQ(text_of(error, {"--report", "x"}), "--report is a folder (in --report). The option is --report");
}

TEST_F(NameAsGiven, KeepsOtherWordsAndOptions) {
  const base::Error error{base::ErrorKind::io, "no --report-file and x--report", "-o", "Give --report, -o or both"};
  const std::string unchanged = "no --report-file and x--report (in -o). Give --report, -o or both";
  EXPECT_EQ(text_of(error, {"--output", "x"}),
            "no --report-file and x--report (in --output). Give --report, --output or both");
  EXPECT_EQ(text_of(error, {}), unchanged);
  EXPECT_EQ(text_of(error, {"-o", "x", "--output", "y"}), unchanged);
  const base::Error long_name{base::ErrorKind::io, "cannot write", "--output", ""};
  EXPECT_EQ(text_of(long_name, {"-o", "x"}), "cannot write (in --output)") << "a letter says less";
}

}  // namespace
}  // namespace assay::cli
