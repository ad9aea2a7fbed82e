#include "tensor/escape_bytes.h"

#include <gtest/gtest.h>

namespace assay::tensor {
namespace {

TEST(EscapeBytes, KeepsTextAndEscapesOtherBytes) {
  EXPECT_EQ(escape_bytes("caf\xc3\xa9 \\ \" \n"), "caf\xc3\xa9 \\ \" \n");
  EXPECT_EQ(escape_bytes("a\xff\xc3\xa9"), "a\\xff\\xc3\\xa9");
  EXPECT_EQ(escape_bytes(""), "");
}

}  // namespace
}  // namespace assay::tensor
