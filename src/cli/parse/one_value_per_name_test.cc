#include "cli/parse/one_value_per_name.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "cli/parse/arguments.h"

namespace assay::cli {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;

class OneValuePerName : public testing::Test {
 protected:
  OneValuePerName() {
    take_one_value_per_name(app_.add_option("--shapes", shapes_)->expected(1, -1));
    app_.add_option("model", model_)->required();
  }
  std::string refusal(const std::vector<std::string>& words) {
    app_.clear();
    const base::Status parsed = parse_words(app_, words);
    return parsed ? std::string() : parsed.error().message();
  }

  CLI::App app_;
  std::vector<std::string> shapes_;
  std::string model_;
};

TEST_F(OneValuePerName, RefusesTwoValues) {
  EXPECT_THAT(refusal({"m.onnx", "--shapes", "x:[1]", "y:[3]", "x:[2]"}),
              Eq("--shapes gives 'x' two values, [1] and [2]. Give one"));
  EXPECT_THAT(refusal({"m.onnx", "--shapes", "y:[3]", "--shapes", "a:b:[1]", "a:b:[2]"}), HasSubstr("'a:b'"));
}

TEST_F(OneValuePerName, AcceptsTheSameValueTwice) {
  EXPECT_EQ(refusal({"m.onnx", "--shapes", "x:[1,2]", "x:[1, 2]"}), "");
}

TEST_F(OneValuePerName, AValueWithoutANameCanBeRepeated) {
  EXPECT_EQ(refusal({"m.onnx", "--shapes", "1", "2", "-3", ":4", ":5"}), "");
  EXPECT_THAT(shapes_, ElementsAre("1", "2", "-3", ":4", ":5"));
}

TEST_F(OneValuePerName, ALaterOccurrenceCounts) {
  EXPECT_EQ(refusal({"--shapes", "x:[1]", "y:[1]", "--shapes", "x:[2]", "--shapes=x:[3]", "m.onnx"}), "");
  EXPECT_THAT(shapes_, ElementsAre("x:[1]", "y:[1]", "x:[2]", "x:[3]"));
  EXPECT_EQ(model_, "m.onnx");
  EXPECT_EQ(refusal({"--shapes", "x:1", "--shapes", "-2", "x:3", "--shapes", "[0,1]", "--shapes=[0,2]", "m.onnx"}), "");
  EXPECT_THAT(shapes_, ElementsAre("x:1", "-2", "x:3", "[0,1]", "[0,2]"));
  EXPECT_EQ(refusal({"--shapes", "x:1", "--shapes=", "x:2", "--", "m.onnx"}), "") << "CLI11 takes the next word";
  EXPECT_THAT(shapes_, ElementsAre("x:1", "x:2"));
}

TEST_F(OneValuePerName, KeysEndAtTheFirstEqualsSign) {
  std::vector<std::string> entries;
  take_one_value_per_name(app_.add_option("--config", entries)->expected(1, -1), '=');
  EXPECT_THAT(refusal({"m.onnx", "--config", "a=b=1", "a=c=1"}), HasSubstr("'a' two values, b=1 and c=1"));
  EXPECT_EQ(refusal({"m.onnx", "--config=a=1", "--config=a=2", "--config", "a:1=1", "a:2=1"}), "");
  EXPECT_THAT(entries, ElementsAre("a=1", "a=2", "a:1=1", "a:2=1"));
}

TEST_F(OneValuePerName, OtherOptionsEndTheValues) {
  std::string seed;
  app_.add_option("--seed", seed);
  EXPECT_EQ(refusal({"--shapes", "x:1", "--seed", "x:2", "m.onnx"}), "");
  EXPECT_EQ(refusal({"--shapes=x:1", "x:2"}), "") << "the word is the model";
}

}  // namespace
}  // namespace assay::cli
