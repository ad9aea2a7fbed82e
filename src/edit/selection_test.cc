#include "edit/selection.h"

#include <gtest/gtest.h>

#include <set>

namespace assay::edit {
namespace {

TEST(SelectionKey, DependsOnAllThatChangesTheCandidate) {
  const Selection selection{.nodes = {0, 2}, .outputs = {1}, .frozen = {}};
  std::set<std::string> keys = {key(selection)};
  const auto is_new = [&](auto change) {
    Selection other = selection;
    change(other);
    return keys.insert(key(other)).second;
  };
  EXPECT_FALSE(is_new([](Selection& /*same*/) {}));
  EXPECT_TRUE(is_new([](Selection& other) { other.nodes = {0}; }));
  EXPECT_TRUE(is_new([](Selection& other) { other.outputs = {2}; }));
  EXPECT_TRUE(is_new([](Selection& other) { other.frozen[3]; }));
  EXPECT_TRUE(is_new([](Selection& other) { other.keep_unread = true; }));
  EXPECT_TRUE(is_new([](Selection& other) { other.fixed_shapes = true; }));
}

}  // namespace
}  // namespace assay::edit
