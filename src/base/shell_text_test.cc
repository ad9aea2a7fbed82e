#include "base/shell_text.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(ShellText, ShowsWordsAsTheyWouldBeTyped) {
  EXPECT_EQ(shell_text({"run", "a b", "it's", "", "x:[1,2]", "--onnxrt=a:threads=1"}),
            "run 'a b' 'it'\\''s' '' 'x:[1,2]' --onnxrt=a:threads=1");
}

}  // namespace
}  // namespace assay::base
