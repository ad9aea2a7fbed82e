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
    EXPECT_EQ(stored_elements(*layout, shape, 1), row.stored.size());
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

// Returns elements with the numbers at these positions, and zeros elsewhere.
std::vector<std::byte> sparse(std::size_t size, const std::vector<std::pair<std::size_t, int>>& numbers) {
  std::vector<std::byte> bytes(size);
  for (const auto& [position, number] : numbers) bytes[position] = static_cast<std::byte>(number);
  return bytes;
}

TEST(TensorLayout, PadsRowsForTheDla) {
  const tensor::Shape shape = {3, 2, 2};  // C, H, W
  const auto row_major = bytes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const auto linear = sparse(6 * 64, {{0, 1},
                                      {1, 2},
                                      {64, 3},
                                      {65, 4},
                                      {128, 5},
                                      {129, 6},
                                      {192, 7},
                                      {193, 8},
                                      {256, 9},
                                      {257, 10},
                                      {320, 11},
                                      {321, 12}});
  const auto image =
      sparse(2 * 64,
             {{0, 1}, {1, 5}, {2, 9}, {4, 2}, {5, 6}, {6, 10}, {64, 3}, {65, 7}, {66, 11}, {68, 4}, {69, 8}, {70, 12}});
  for (const auto& [format, stored] :
       {std::pair{TensorFormat::kDLA_LINEAR, linear}, {TensorFormat::kDLA_HWC4, image}}) {
    const TensorLayout layout = layout_of(format).value();
    EXPECT_EQ(stored_elements(layout, shape, 1), stored.size());
    EXPECT_EQ(to_stored(row_major, shape, 1, layout), stored);
    EXPECT_EQ(from_stored(stored, shape, 1, layout), row_major);
  }
  const TensorLayout linear_layout = layout_of(TensorFormat::kDLA_LINEAR).value();
  EXPECT_EQ(stored_elements(linear_layout, {1, 2, 33}, 2), 2 * 64) << "64 bytes are 32 elements of float16";
  EXPECT_EQ(stored_elements(layout_of(TensorFormat::kDLA_HWC4).value(), {1, 2, 33}, 2), 2 * 64);
  EXPECT_EQ(stored_elements(layout_of(TensorFormat::kDLA_HWC4).value(), {4, 2, 9}, 2), 2 * 64);
}

TEST(TensorLayout, PadsRowsOfVectorsAsTensorRtTells) {
  const tensor::Shape shape = {3, 2, 2};  // C, H, W
  const auto row_major = bytes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  TensorLayout layout = layout_of(TensorFormat::kCHW2).value();
  layout.row_vectors = 4;
  const auto stored =
      sparse(2 * 2 * 4 * 2,
             {{0, 1}, {1, 5}, {2, 2}, {3, 6}, {8, 3}, {9, 7}, {10, 4}, {11, 8}, {16, 9}, {18, 10}, {24, 11}, {26, 12}});
  EXPECT_EQ(stored_elements(layout, shape, 1), stored.size());
  EXPECT_EQ(to_stored(row_major, shape, 1, layout), stored);
  EXPECT_EQ(from_stored(stored, shape, 1, layout), row_major);
  layout.row_vectors = 1;  // nonsense
  EXPECT_EQ(stored_elements(layout, shape, 1), 16);
}

TEST(TensorLayout, RefusesWhatItCantStore) {
  EXPECT_TRUE(layout_of(TensorFormat::kLINEAR)->is_row_major());
  EXPECT_FALSE(layout_of(static_cast<TensorFormat>(99)));
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kCHW4), {3, 4}, 1));
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kCHW4), {0, 4}, 1));
  EXPECT_EQ(stored_elements(*layout_of(TensorFormat::kCHW4), {0, 3, 4, 5}, 1), 0);
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kDLA_LINEAR), {}, 1));
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kDLA_HWC4), {2, 4, 5}, 1)) << "images have 1, 3 or 4 channels";
  EXPECT_FALSE(stored_elements(*layout_of(TensorFormat::kCHW32), {1, std::int64_t{1} << 60, 1, 1}, 1));
}

}  // namespace
}  // namespace assay::backend
