#include "surgeon/weights/sparse_groups.h"

#include <limits>

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;

std::vector<float> pruned(std::vector<float> values, std::size_t stride) {
  const SparseGroups groups{.stride = stride, .width = sizeof(float)};
  EXPECT_FALSE(is_sparse(std::as_bytes(std::span<const float>(values)), groups));
  prune(std::as_writable_bytes(std::span<float>(values)), groups);
  EXPECT_TRUE(is_sparse(std::as_bytes(std::span<const float>(values)), groups));
  return values;
}

TEST(SparseGroups, TheTwoSmallestMagnitudesBecomeZero) {
  EXPECT_THAT(pruned({1, -3, 2, -4, 0.5, 0.25, -0.75, 1}, 1), ElementsAre(0, -3, 0, -4, 0, 0, -0.75, 1));
}

TEST(SparseGroups, AmongEqualsTheFirstBecomeZero) {
  EXPECT_THAT(pruned({1, -1, 1, 1, 0, 2, 2, 2}, 1), ElementsAre(0, 0, 1, 1, 0, 0, 2, 2));
}

TEST(SparseGroups, NanCountsAsTheLargest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> result = pruned({nan, 1, -infinity, 3}, 1);
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_THAT(std::vector(result.begin() + 1, result.end()), ElementsAre(0, -infinity, 0));
}

TEST(SparseGroups, MembersMayBeStrided) {
  EXPECT_THAT(pruned({1, 8, 2, 7, 3, 6, 4, 5}, 2), ElementsAre(0, 8, 0, 7, 3, 0, 4, 0));
}

TEST(SparseGroups, SixteenBitFloats) {
  std::vector<std::uint16_t> values = {0x3C00, 0xC000, 0x3800, 0x4200};  // 1, -2, 0.5, 3 as float16
  const SparseGroups groups{.stride = 1, .width = 2};
  prune(std::as_writable_bytes(std::span(values)), groups);
  EXPECT_THAT(values, ElementsAre(0, 0xC000, 0, 0x4200));
}

TEST(SparseGroups, OnlyOfWeightsThatAreSummedOverInFours) {
  const model::Model model = parse(R"(g (float[2,8] x, float[1,4,2,2] image, int32[2,8] whole) =>
      (float[2,3] a, float[2,3] b, float[2,3] c, float[1,3,2,2] d, int32[2,3] e, float[2,8] f)
      <float[8,3] matmul = {}, float[3,8] gemm = {}, float[3,4,1,1] conv = {}, int32[8,3] integers = {},
       float[6,3] six = {}, float[8] added = {}> {
        a = MatMul(x, matmul)  b = Gemm <transB = 1>(x, gemm)  d = Conv(image, conv)  e = MatMul(whole, integers)
        c = MatMul(part, six)  f = Add(x, added)  part = Slice(x, s, t, u) })");
  std::map<std::string, std::size_t> strides;
  for (const auto& [weight, groups] : find_sparse_groups(model)) strides[weight->name()] = groups.stride;
  EXPECT_THAT(strides, ElementsAre(testing::Pair("conv", 1), testing::Pair("gemm", 1), testing::Pair("matmul", 3)));
}

}  // namespace
}  // namespace assay::surgeon
