#include "backend/onnxruntime/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace assay::backend {
namespace {

constexpr std::uint64_t kSize = 16 << 20;

TEST(OutputMemory, IsNotReservedForSmallOutputsNorBeyondTheMachinesMemory) {
  EXPECT_FALSE(OutputMemory());
  EXPECT_FALSE(OutputMemory(OutputMemory::kWorthIt - 1));
  EXPECT_FALSE(OutputMemory(std::numeric_limits<std::uint64_t>::max()));
}

TEST(OutputMemory, IsCutWhileItsPagesAreTaken) {
  OutputMemory memory(kSize);
  ASSERT_TRUE(memory);
  std::memset(memory.region()->bytes().data(), 1, 4096);
  ASSERT_TRUE(memory.cut(kSize / 2));
  const auto bytes = memory.region()->bytes();
  EXPECT_EQ(bytes.size(), kSize / 2);
  EXPECT_EQ(bytes[4095], std::byte{1});
  std::memset(bytes.data(), 2, bytes.size());
  memory.stop();
  EXPECT_EQ(bytes.back(), std::byte{2}) << "pages keep their content when they are reserved";
}

TEST(OutputMemory, CannotGrow) {
  OutputMemory memory(kSize);
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory.cut(kSize + 1));
  EXPECT_EQ(memory.region()->bytes().size(), kSize);
  EXPECT_FALSE(OutputMemory().cut(0));
}

}  // namespace
}  // namespace assay::backend
