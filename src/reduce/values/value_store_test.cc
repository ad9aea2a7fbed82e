#include "reduce/values/value_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

tensor::Tensor counted(int from, std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), static_cast<float>(from));
  return tensor::Tensor::of(tensor::ElementType::float32, {size}, values);
}

TEST(Values, BeyondTheBudgetLieInFilesWithoutNamesAndReadTheSame) {
  const base::TempDir folder = base::TempDir::create().value();
  ValueStore store(folder.path(), 300'000);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(store.set("t" + std::to_string(i), counted(i, 50'000)));
  EXPECT_EQ(store.held(), 200'000U);
  EXPECT_TRUE(fs::is_empty(folder.path()));
  for (int i = 0; i < 10; ++i) {
    const tensor::Tensor* value = store.find("t" + std::to_string(i));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->shape(), tensor::Shape{50'000});
    EXPECT_EQ(value->load<float>(49'999), static_cast<float>(i + 49'999));
  }
  EXPECT_EQ(store.find("other"), nullptr);
  EXPECT_EQ(store.all().size(), 10U);
}

TEST(Values, OutliveTheStore) {
  const base::TempDir folder = base::TempDir::create().value();
  tensor::Tensor value;
  {
    ValueStore store(folder.path(), 0);
    ASSERT_TRUE(store.set("t", counted(7, 100'000)));
    value = *store.find("t");
  }
  EXPECT_EQ(value.load<float>(0), 7);
}

TEST(Values, ThatAreSmallAreWorthNoFile) {
  ValueStore store("/nowhere/at/all", 0);
  EXPECT_TRUE(store.set("t", counted(0, 10)));
  const base::Status status = store.set("u", counted(0, 100'000));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), testing::HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace assay::reduce
