#include "worker/output_capture.h"

#include <gtest/gtest.h>

namespace assay::worker {
namespace {

TEST(OutputCapture, KeepsEverythingUpToItsLimit) {
  OutputCapture capture(8);
  capture.append("abc");
  capture.append("defgh");
  EXPECT_EQ(capture.text(), "abcdefgh");
  EXPECT_EQ(capture.end(3), "fgh");
  EXPECT_EQ(capture.end(6), "cdefgh");
  EXPECT_EQ(capture.end(100), "abcdefgh");
}

TEST(OutputCapture, LeavesOutTheMiddle) {
  OutputCapture capture(8);
  for (char c = 'a'; c <= 'z'; ++c) capture.append(std::string(1, c));
  EXPECT_EQ(capture.text(), "abcd\n[... 18 bytes left out ...]\nwxyz");
  EXPECT_EQ(capture.end(2), "yz");
  EXPECT_EQ(capture.end(100), "wxyz");
}

// The text doesn't depend on the pieces in which the bytes arrive.
TEST(OutputCapture, DoesNotDependOnThePieces) {
  const std::string all = "the quick brown fox jumps over the lazy dog";
  OutputCapture whole(10);
  whole.append(all);
  for (std::size_t piece = 1; piece < all.size(); ++piece) {
    OutputCapture capture(10);
    for (std::size_t at = 0; at < all.size(); at += piece) capture.append(std::string_view(all).substr(at, piece));
    EXPECT_EQ(capture.text(), whole.text()) << "in pieces of " << piece;
  }
  EXPECT_EQ(whole.text(), "the q\n[... 33 bytes left out ...]\ny dog");
}

}  // namespace
}  // namespace assay::worker
