#include "backend/serve/check_feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;
using worker::Port;

const Port kImage{"image", ElementType::float32, {-1, 2}};
const Port kScale{"scale", ElementType::float32, {}};
const Port kMaybe{"maybe", ElementType::int64, {1}, "optional(tensor(int64))"};
const Port kList{"list", ElementType::float32, {}, "sequence(tensor(float32))"};

tensor::NamedTensors feed(const std::string& name, Tensor tensor) {
  tensor::NamedTensors feeds;
  feeds.set(name, std::move(tensor));
  return feeds;
}

Tensor floats(tensor::Shape shape) {
  return Tensor::of(ElementType::float32, shape, std::vector<float>(*tensor::element_count(shape)));
}

std::string verdict(const Answer<void>& answer) {
  return answer ? "fits" : answer.error().failed.message;
}

TEST(CheckFeeds, AcceptsMatchingFeeds) {
  EXPECT_EQ(verdict(check_feeds(feed("image", floats({5, 2})), {kImage}, {})), "fits");
  EXPECT_EQ(verdict(check_feeds(feed("image", floats({0, 2})), {kImage}, {})), "fits");
  EXPECT_EQ(verdict(check_feeds(feed("scale", floats({})), {kScale}, {})), "fits");
  EXPECT_EQ(verdict(check_feeds({}, {}, {kScale})), "fits");
  EXPECT_EQ(verdict(check_feeds(feed("scale", floats({})), {}, {kScale})), "fits");
  EXPECT_EQ(verdict(check_feeds(feed("maybe", Tensor::of<std::int64_t>(ElementType::int64, {1}, {1})), {kMaybe}, {})),
            "fits");
}

TEST(CheckFeeds, NamesMismatchedFeeds) {
  EXPECT_EQ(verdict(check_feeds(feed("image", floats({2, 5})), {kImage}, {})),
            "the input 'image' has the wrong shape: expected (?, 2), given (2, 5)");
  EXPECT_EQ(verdict(check_feeds(feed("image", floats({2})), {kImage}, {})),
            "the input 'image' has the wrong shape: expected (?, 2), given (2,)");
  EXPECT_EQ(verdict(check_feeds(feed("maybe", floats({1})), {kMaybe}, {})),
            "the input 'maybe' has the wrong type: expected int64, given float32");
  EXPECT_EQ(verdict(check_feeds(feed("list", floats({1})), {kList}, {})),
            "the input 'list' is sequence(tensor(float32)), and only tensors can be fed");
  EXPECT_EQ(verdict(check_feeds({}, {kImage}, {})), "the input 'image' is not fed: expected float32, shape=(?, 2)");
  EXPECT_EQ(verdict(check_feeds(feed("x", floats({})), {}, {})), "the model has no input 'x': it has none");
}

TEST(CheckFeeds, ListsSomeOfManyNames) {
  std::vector<Port> many;
  for (int i = 0; i < 25; ++i) many.push_back({std::to_string(i), ElementType::float32, {}});
  const std::string message = verdict(check_feeds(feed("x", floats({})), many, {}));
  EXPECT_THAT(message, testing::EndsWith("'18', '19', and 5 more"));
}

TEST(CheckWanted, GivesAllOrThoseThatAreWanted) {
  EXPECT_THAT(*check_wanted({}, {kImage, kScale, kList}), ElementsAre("image", "scale", "list"));
  EXPECT_THAT(*check_wanted({"scale"}, {kImage, kScale, kList}), ElementsAre("scale"));
}

TEST(CheckWanted, NamesUnknownOutputs) {
  EXPECT_EQ(check_wanted({"y"}, {kImage}).error().failed.message, "the model has no output 'y': it has 'image'");
  EXPECT_EQ(check_wanted({"list"}, {kImage, kList}).error().failed.message,
            "the output 'list' is sequence(tensor(float32)), and only tensors can be returned: mark other tensors as "
            "outputs");
}

}  // namespace
}  // namespace assay::backend
