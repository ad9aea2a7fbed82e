#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::base {
namespace {

TEST(JsonText, WritesOneLineOrIndents) {
  const nlohmann::ordered_json value = {{"b", 1}, {"a", "é"}};
  EXPECT_EQ(json_text(value), R"({"b":1,"a":"é"})");
  EXPECT_EQ(json_text(value, 2), "{\n  \"b\": 1,\n  \"a\": \"é\"\n}");
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_text(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace assay::base
