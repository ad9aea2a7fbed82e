#include "tensor/parse_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::tensor {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string nested(std::size_t depth, const std::string& innermost = "") {
  return std::string(depth, '[') + innermost + std::string(depth, ']');
}

std::string error_of(const std::string& text) {
  const auto json = parse_json(text);
  return json ? "no error" : json.error().what;
}

TEST(ParseJson, KeepsTheOrderOfMembers) {
  EXPECT_EQ(parse_json(R"({"b": 1, "a": [2]})")->dump(), R"({"b":1,"a":[2]})");
}

TEST(ParseJson, SaysWhereATextStopsBeingJson) {
  EXPECT_THAT(error_of("[1,\n nope]"), StartsWith("parse error at line 2, column 3: "));
  EXPECT_THAT(error_of(""), StartsWith("parse error at line 1, column 1: "));
  EXPECT_THAT(error_of("[1e999]"), StartsWith("number overflow parsing '1e999'"));
  EXPECT_THAT(error_of("[\"\xff\"]"), StartsWith("parse error at line 1, column 3: "));
}

TEST(ParseJson, EscapesBytesThatAreNotText) {
  EXPECT_THAT(error_of("\xff\xfe{"), EndsWith("invalid literal; last read: '\\xff'"));
  EXPECT_THAT(error_of("[\"a\xc3\"]"), HasSubstr("last read: '\"a\\xc3\"'"));
  EXPECT_THAT(error_of("[\"\xc3\xa9\", nope]"), Not(HasSubstr("\\x")));
}

TEST(ParseJson, LimitsNesting) {
  EXPECT_TRUE(parse_json(nested(200)));
  EXPECT_EQ(error_of(nested(201)), "lists and objects are nested more than 200 deep");
  EXPECT_EQ(error_of(nested(200, "{}")), "lists and objects are nested more than 200 deep");
  EXPECT_EQ(error_of(nested(1'000'000)), "lists and objects are nested more than 200 deep");
}

TEST(ParseJson, BracketsInStringsAndNextToEachOtherDoNotNest) {
  std::string lists = "[]";
  for (int i = 0; i < 300; ++i) lists += ", []";
  EXPECT_TRUE(parse_json("[" + lists + "]"));
  EXPECT_TRUE(parse_json(nested(200, "\"[[\\\"[[\"")));
}

TEST(ParseJson, OtherFilesWithBracketsAreNotJson) {
  EXPECT_THAT(error_of(std::string(100'000, '[')), StartsWith("parse error at "));
  EXPECT_THAT(error_of(std::string(100'000, '{')), StartsWith("parse error at line 1, column 2: "));
}

TEST(ParseJson, ReasonsDoNotNameTheLibrary) {
  const auto reason = [](const auto& read) {
    try {
      read(nlohmann::ordered_json::object());
    } catch (const std::exception& error) {
      return json_reason(error);
    }
    return std::string("no exception");
  };
  EXPECT_EQ(reason([](const auto& json) { static_cast<void>(json.at("state")); }), "key 'state' not found");
  EXPECT_EQ(reason([](const auto& json) { static_cast<void>(json.template get<bool>()); }),
            "a value has the wrong type");
  EXPECT_EQ(reason([](const auto&) { throw std::out_of_range("[1] doesn't fit"); }), "[1] doesn't fit");
}

}  // namespace
}  // namespace assay::tensor
