#include "backend/tensorrt/sdk/tensor_layout.h"

#include <gmock/gmock.h>

namespace assay::backend {
namespace {

using nvinfer1::TensorFormat;
using testing::ElementsAreArray;

std::vector<std::byte> bytes(const std::vector<int>& numbers) {
  std::vector<std::byte> bytes;
  for (const int number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

// Expected bytes follow the subscripts in the comments of TensorFormat.
TEST(TensorLayout, StoresChannelsAsTheHeaderSays) {
  const tensor::Shape shape = {3, 1, 2};  // C, H, W
  const auto row_major = bytes({1, 2, 3, 4, 5, 6});
  const struct {
    TensorFormat format;
    std::vector<int> stored;
  } rows[] = {
      {TensorFormat::kHWC, {1, 3, 5, 2, 4, 6}},
      {TensorFormat::kCHW2, {1, 3, 2, 4, 5, 0, 6, 0}},
      {TensorFormat::kCHW4, {1, 3, 5, 0, 2, 4, 6, 0}},
      {TensorFormat::kHWC8, {1, 3, 5, 0, 0, 0, 0, 0, 2, 4, 6, 0, 0, 0, 0, 0}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(static_cast<int>(row.format));
    const auto layout = layout_of(row.format);
    ASSERT_TRUE(layout);
    EXPECT_EQ(stored_elements(*layout, shape), row.stored.size());
    EXPECT_THAT(to_stored(row_major, shape, 1, *layout), ElementsAreArray(bytes(row.stored)));
    EXPECT_THAT(from_stored(bytes(row.stored), shape, 1, *layout), ElementsAreArray(row_major));
  }
}

TEST(TensorLayout, BatchesAndLargerElementsStayWhole) {
  const tensor::Shape shape = {2, 2, 1, 1, 2};  // N, C, D, H, W
  const auto row_major = bytes({1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8});
  const auto layout = layout_of(TensorFormat::kDHWC);
  ASSERT_TRUE(layout);
  EXPECT_THAT(to_stored(row_major, shape, 2, *layout),
              ElementsAreArray(bytes({1, 1, 3, 3, 2, 2, 4, 4, 5, 5, 7, 7, 6, 6, 8, 8})));
}

TEST(TensorLayout, RefusesWhatItCantStore) {
  EXPECT_TRUE(layout_of(TensorFormat::kLINEAR)->is_row_major());
  EXPECT_FALSE(layout_of(TensorFormat::kDLA_LINEAR));
  EXPECT_FALSE(layout_of(TensorFormat::kDLA_HWC4));
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kCHW4), {3, 4}));
  EXPECT_EQ(stored_elements(*layout_of(TensorFormat::kCHW4), {0, 3, 4, 5}), 0);
}

}  // namespace
}  // namespace assay::backend
