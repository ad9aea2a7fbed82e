#include "tensor/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::tensor {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

// The examples of onnx.proto on raw_data.
TEST(PackedTest, FourBitsAreStoredLowHalfFirst) {
  EXPECT_EQ(pack(bytes({0x1, 0x2, 0xF}), 4), bytes({0x21, 0x0F}));
}

TEST(PackedTest, TwoBitsAreStoredLowestFirst) {
  EXPECT_EQ(pack(bytes({1, 2, 3, 0, 1}), 2), bytes({0b00111001, 1}));
}

TEST(PackedTest, SixBitsAreStoredFourInThreeBytes) {
  const int x0 = 0x2A;
  const int x1 = 0x15;
  const int x2 = 0x3C;
  const int x3 = 0x07;
  EXPECT_EQ(pack(bytes({x0, x1, x2, x3}), 6),
            bytes({x0 | (x1 & 0x3) << 6, x1 >> 2 | (x2 & 0xF) << 4, x2 >> 4 | x3 << 2}));
}

TEST(PackedTest, BitsAboveTheTypeAreIgnored) {
  EXPECT_EQ(pack(bytes({0xFF, 0xF8}), 4), bytes({0x8F}));
}

TEST(PackedTest, UnpackReversesPack) {
  for (const std::size_t bits : {1, 2, 4, 6, 8}) {
    for (std::size_t count = 0; count < 12; ++count) {
      std::vector<std::byte> codes;
      for (std::size_t i = 0; i < count; ++i)
        codes.push_back(static_cast<std::byte>((i * 37 + 5) & ((1U << bits) - 1)));
      EXPECT_EQ(unpack(pack(codes, bits), count, bits), codes) << bits << " bits, " << count << " codes";
    }
  }
}

}  // namespace
}  // namespace assay::tensor
