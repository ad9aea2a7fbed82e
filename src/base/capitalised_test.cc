#include "base/capitalised.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(Capitalised, ChangesTheFirstLetterAlone) {
  EXPECT_EQ(capitalised("the model"), "The model");
  EXPECT_EQ(capitalised("'y' of ONNX"), "'y' of ONNX");
  EXPECT_EQ(capitalised(""), "");
}

}  // namespace
}  // namespace assay::base
