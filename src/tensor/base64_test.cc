#include "tensor/base64.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace assay::tensor {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// Test vectors of RFC 4648, section 10.
constexpr std::pair<std::string_view, std::string_view> kVectors[] = {{"", ""},
                                                                      {"f", "Zg=="},
                                                                      {"fo", "Zm8="},
                                                                      {"foo", "Zm9v"},
                                                                      {"foob", "Zm9vYg=="},
                                                                      {"fooba", "Zm9vYmE="},
                                                                      {"foobar", "Zm9vYmFy"}};

TEST(Base64Test, EncodesAndDecodesTheVectorsOfTheRfc) {
  for (const auto& [plain, text] : kVectors) {
    EXPECT_EQ(encode_base64(bytes(plain)), text);
    const auto decoded = decode_base64(text);
    ASSERT_TRUE(decoded) << text;
    EXPECT_EQ(decoded->view(), plain);
  }
}

TEST(Base64Test, AllBytesSurviveAtEveryOffset) {
  std::string plain;
  for (int i = 0; i < 1000; ++i) plain += static_cast<char>(i * 7);
  const std::string_view all = plain;
  for (std::size_t length = 0; length < 300; ++length) {
    const std::string_view part = all.substr(length, length);
    const auto decoded = decode_base64(encode_base64(bytes(part)));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->view(), part);
  }
}

// Every value of 6 bits at every place of a vector, against the definition.
TEST(Base64Test, EveryValueGetsItsCharacter) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string expected;
  for (std::size_t i = 0; i < 64 * 65; ++i) expected += kAlphabet[(i + i / 64) % 64];
  const auto decoded = decode_base64(expected);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(encode_base64(decoded->bytes()), expected);
}

TEST(Base64Test, PiecesGiveTheTextOfTheWhole) {
  std::string plain;
  for (int i = 0; i < 200'000; ++i) plain += static_cast<char>(i ^ (i >> 8));
  for (const std::size_t piece : {1, 2, 3, 5, 64, 1000, 100'000}) {
    std::string text;
    Base64Encoder encoder([&](std::string_view part) -> base::Status {
      text += part;
      return {};
    });
    for (std::size_t at = 0; at < plain.size(); at += piece) {
      ASSERT_TRUE(encoder.write(std::string_view(plain).substr(at, piece)));
    }
    ASSERT_TRUE(encoder.finish());
    EXPECT_EQ(text, encode_base64(bytes(plain))) << "pieces of " << piece;
  }
}

TEST(Base64Test, ReportsConsumedCharacters) {
  const std::string plain(10'000'000, 'x');
  const std::string text = encode_base64(bytes(plain));
  std::vector<std::size_t> passed;
  const auto decoded = decode_base64(text, [&](std::size_t characters) { passed.push_back(characters); });
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->view(), plain);
  EXPECT_GT(passed.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(passed));
  EXPECT_LE(passed.back(), text.size());
}

TEST(Base64Test, WrongTextsAreErrors) {
  for (const std::string_view text :
       {"Zg=", "Z", "Zg==Zg==", "Zm9v!Zm9", "Zm9\n", "====", "Z===", "Zm 9vYg=", "Zm9\xC3"}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
  EXPECT_THAT(decode_base64("Zm9vZm?v").error().message(), testing::HasSubstr("position 6"));
}

// Highway's library would measure its clock whenever a program starts: see base64_kernel.cc.
TEST(Base64Test, VectorsCostNoTimeAtTheStartOfAProgram) {
  const void* resolution = ::dlsym(RTLD_DEFAULT, "_ZN3hwy8platform15TimerResolutionEv");
  if (resolution == nullptr) GTEST_SKIP() << "no shared library has it";
  Dl_info theirs = {};
  Dl_info ours = {};
  ASSERT_NE(::dladdr(resolution, &theirs), 0);
  ASSERT_NE(::dladdr(reinterpret_cast<const void*>(&encode_base64), &ours), 0);
  EXPECT_STREQ(theirs.dli_fname, ours.dli_fname);
}

TEST(Base64Test, ErrorsOfTheSinkComeBack) {
  Base64Encoder encoder([](std::string_view) -> base::Status { return base::fail(base::ErrorKind::io, "full"); });
  EXPECT_FALSE(encoder.write("abcdef"));
}

}  // namespace
}  // namespace assay::tensor
