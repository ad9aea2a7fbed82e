#include "shard/shard_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::shard {
namespace {

using testing::HasSubstr;

std::string hints_with(const std::string& key, const std::string& value) {
  ShardHints hints;
  hints.parallelism = "CP";
  std::string text = to_json(hints);
  const std::size_t at = text.find("\"" + key + "\": ");
  EXPECT_NE(at, std::string::npos) << text;
  const std::size_t begin = text.find(' ', at) + 1;
  return text.replace(begin, text.find_first_of(",\n", begin) - begin, value);
}

TEST(ShardHints, AreReadAsTheyWereWritten) {
  ShardHints hints;
  hints.parallelism = "TP";
  hints.layers = {{.q = "q"}};
  hints.inputs = {{"x", 1, 3}};
  hints.collective.groups = {0, 1};
  const auto read = parse_hints(to_json(hints), "hints.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(to_json(*read), to_json(hints));
}

TEST(ShardHints, SaysWhatAFileLacks) {
  const auto read = parse_hints("{}", "hints.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("hints for sharding: key 'parallelism' not found (in hints.json)"));
}

TEST(ShardHints, OtherWordsAreRefused) {
  for (const char* word : {"CP", "TP"}) {
    EXPECT_TRUE(parse_hints(hints_with("parallelism", std::string("\"") + word + "\""), "hints.json")) << word;
  }
  EXPECT_THAT(parse_hints(hints_with("parallelism", "\"PP\""), "hints.json").error().message(),
              HasSubstr("'parallelism' must be CP or TP, but is 'PP' (in hints.json)"));
  EXPECT_THAT(parse_hints(hints_with("reduce_op", "\"mean\""), "hints.json").error().message(),
              HasSubstr("'reduce_op' must be sum or prod or min or max or avg, but is 'mean' (in hints.json)"));
}

TEST(ShardHints, ShufflesNameEachDimensionOnce) {
  ShardHints hints;
  hints.layers = {{.q = "q", .gather_kv = false, .replace = FusedAttention{.k_shuffle = {0, 1, 3, 2}}}};
  EXPECT_TRUE(parse_hints(to_json(hints), "hints.json"));
  for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{0, 2}, {0, 1, 1}, {-1, 0}}) {
    hints.layers[0].replace->k_shuffle = order;
    const auto read = parse_hints(to_json(hints), "hints.json");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message(), HasSubstr("'k_shuffle' must name each dimension once, but lacks "));
  }
}

TEST(ShardHints, NumbersThatDontFitAreRefused) {
  for (const char* number : {"4294967296", "1e300", "0.5", "-99999999999", "\"1\"", "true"}) {
    for (const char* key : {"k_seq_len_idx", "v_seq_len_idx", "kv_rank"}) {
      const auto read = parse_hints(hints_with(key, number), "hints.json");
      ASSERT_FALSE(read) << key << " " << number;
      EXPECT_THAT(read.error().message(), HasSubstr("does not hold hints for sharding")) << number;
    }
  }
  EXPECT_FALSE(parse_hints(hints_with("group_size", "1e300"), "hints.json"));
  EXPECT_THAT(parse_hints("[]", "hints.json").error().message(), HasSubstr("it isn't a JSON object"));
  EXPECT_TRUE(parse_hints(hints_with("group_size", "4294967296"), "hints.json"));
  EXPECT_TRUE(parse_hints(hints_with("root", "-1"), "hints.json"));
}

}  // namespace
}  // namespace assay::shard
