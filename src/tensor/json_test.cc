#include "tensor/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tensor/json_writer.h"

namespace assay::tensor {
namespace {

using testing::HasSubstr;

JsonDocument parse(std::string text) {
  auto document = JsonDocument::parse(Buffer::own(std::move(text)));
  EXPECT_TRUE(document) << document.error().message();
  return std::move(*document);
}

template <class Write>
std::string written(Write&& write) {
  std::string text;
  JsonWriter writer([&](std::string_view bytes) -> base::Status {
    text += bytes;
    return {};
  });
  write(writer);
  EXPECT_TRUE(writer.finish());
  return text;
}

// Expected text: json.dumps({"a": [1, 2.0, {}, []], "b\u00e9\"": {"c": None, "d": True}, "x": float("nan")}, indent=4).
TEST(JsonWriterTest, LaysOutAsPythonDoes) {
  const std::string text = written([](JsonWriter& json) {
    json.begin_object();
    json.key("a");
    json.begin_array();
    json.integer(1);
    json.number(2);
    json.begin_object();
    json.end_object();
    json.begin_array();
    json.end_array();
    json.end_array();
    json.key("b\xC3\xA9\"");
    json.begin_object();
    json.key("c");
    json.null();
    json.key("d");
    json.boolean(true);
    json.end_object();
    json.key("x");
    json.number(std::nan(""));
    json.end_object();
  });
  EXPECT_EQ(text, R"({
    "a": [
        1,
        2.0,
        {},
        []
    ],
    "b\u00e9\"": {
        "c": null,
        "d": true
    },
    "x": NaN
})");
}

// Expected texts: json.dumps(value).
TEST(JsonWriterTest, NumbersAndStringsAreSpelledAsPythonDoes) {
  const auto number = [](double value) { return written([=](JsonWriter& json) { json.number(value); }); };
  EXPECT_EQ(number(5.841255187988281e-05), "5.841255187988281e-05");
  EXPECT_EQ(number(0.0004901885986328125), "0.0004901885986328125");
  EXPECT_EQ(number(1e16), "1e+16");
  EXPECT_EQ(number(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "-Infinity");
  const auto string = [](std::string_view value) { return written([=](JsonWriter& json) { json.string(value); }); };
  EXPECT_EQ(string("\n\t\\/\x01\x7F"), R"("\n\t\\/\u0001\u007f")");
  EXPECT_EQ(string("\xF0\x9F\x98\x80"), R"("\ud83d\ude00")");
  EXPECT_EQ(string("\xFFz\xE4\xB8"), R"("\ufffdz\ufffd\ufffd")");
  EXPECT_EQ(string("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")") << "half of a surrogate pair";
}

TEST(JsonTest, ArraysComeBack) {
  const auto small = Tensor::of<float>(ElementType::float32, {2}, {1.5F, -2});
  std::vector<std::int64_t> many(100'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * i);
  const auto large = Tensor::of<std::int64_t>(ElementType::int64, {100'000}, many);
  const JsonDocument document = parse(written([&](JsonWriter& json) {
    json.begin_array();
    json.array(small);
    json.array(large);
    json.end_array();
  }));
  EXPECT_TRUE(identical(*document.array(document.root()[0]), small));
  EXPECT_TRUE(identical(*document.array(document.root()[1]), large));
  EXPECT_EQ(polygraphy_class(document.root()[0]), "ndarray");
}

constexpr std::string_view kArray =
    "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgIC"
    "AgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAMA/AAAAwA==";

TEST(JsonTest, OlderSpellingsAreRead) {
  const std::string array = "{\"array\": \"" + std::string(kArray) + "\", ";
  const std::string marker = "\": \"polygraphy_serialized_json_type\"}";
  const JsonDocument document =
      parse("[" + array + "\"__polygraphy_encoded_ndarray" + marker + ", {\"values\": " + array +
            "\"polygraphy_class\": \"ndarray\"}, \"__polygraphy_encoded_LazyNumpyArray" + marker + "]");
  const auto expected = Tensor::of<float>(ElementType::float32, {2}, {1.5F, -2});
  EXPECT_TRUE(identical(*document.array(document.root()[0]), expected));
  EXPECT_TRUE(identical(*document.array(document.root()[1]), expected));
  EXPECT_EQ(polygraphy_class(document.root()[1]), "LazyNumpyArray");
}

TEST(JsonTest, StringsThatLookLikeArraysOrEndOfStringsAreKept) {
  const JsonDocument document = parse(R"({"k05VTVBno": "a\\\"b", "b": "k05VTVBZ\\", "c": "x\\", "d": ["\"", ""]})");
  EXPECT_EQ(document.root()["b"].get<std::string>().substr(0, 8), "k05VTVB#");
  EXPECT_EQ(document.root()["c"], "x\\");
  EXPECT_EQ(document.root()["d"][0], "\"");
}

TEST(JsonTest, PythonsNumbersAreRead) {
  const JsonDocument document = parse(R"([NaN, Infinity, -Infinity, 1.5, "NaN", -2])");
  EXPECT_TRUE(std::isnan(*json_number(document.root()[0])));
  EXPECT_EQ(*json_number(document.root()[1]), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*json_number(document.root()[2]), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(*json_number(document.root()[3]), 1.5);
  EXPECT_EQ(*json_number(document.root()[5]), -2);
  EXPECT_FALSE(json_number(parse("null").root()));
}

TEST(JsonTest, BrokenFilesAreErrors) {
  for (const char* text : {"", "{", "[1,]", "{\"a\": \"k05VTVBZ", "\"", "nan", "{\"a\" 1}", "[\"\xFF\"]"}) {
    const auto document = JsonDocument::parse(Buffer::own(std::string(text)));
    ASSERT_FALSE(document) << text;
    EXPECT_THAT(document.error().message(), HasSubstr("not a JSON file"));
  }
}

// Files of arrays in other forms. Their bytes would be quoted otherwise, and look like noise.
TEST(JsonTest, OtherFilesOfArraysAreRecognised) {
  const base::TempDir folder = base::TempDir::create().value();
  const auto message = [&](const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(base::write_file(folder.path() / name, bytes));
    const auto document = JsonDocument::open(folder.path() / name);
    return document ? "no error" : document.error().message();
  };
  using testing::AllOf;
  EXPECT_THAT(message("x.npy", "\x93NUMPY\x01"), AllOf(HasSubstr(".npy file"), HasSubstr("numpy.savez")));
  EXPECT_THAT(message("x.pkl", "\x80\x04\x95"), AllOf(HasSubstr("pickle"), HasSubstr("numpy.savez")));
  EXPECT_THAT(message("x.zip", "PK\x03\x04"), HasSubstr("extension .npz"));
}

// Reference: nlohmann-json, which reads the whole text, arrays included.
TEST(JsonTest, ErrorPositionsCountSkippedValues) {
  const std::string array = "{\"array\": \"" + std::string(kArray) + "\"}";
  for (const std::string& text : {"[" + array + ", " + array + ", nope]", "[\n" + array + ",\n " + array + " 1]",
                                  array + array, "[" + array, "[nope, " + array + "]", "[" + array + ",\n"}) {
    std::string expected;
    try {
      const auto whole = nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
      const std::string_view what = error.what();
      expected = what.substr(what.find(" at line "), what.find(": ") - what.find(" at line "));
    }
    ASSERT_NE(expected, "") << text;
    EXPECT_THAT(JsonDocument::parse(Buffer::own(text)).error().message(), HasSubstr(expected + ": ")) << text;
  }
}

TEST(JsonTest, ErrorPositionsCountPythonsNumbers) {
  const auto error = [](std::string text) {
    return JsonDocument::parse(Buffer::own(std::move(text))).error().message();
  };
  EXPECT_THAT(error("[NaN, -Infinity,\n NaN, NaN, x]"), HasSubstr("line 2, column 12: "));
  EXPECT_THAT(error("[-NaN, Infinity NaN"), HasSubstr("line 1, column 19: "));
  EXPECT_THAT(error("[NaN, Nan]"), HasSubstr("line 1, column 7: "));
  EXPECT_THAT(error("[1e999]"), HasSubstr("not a JSON file: number overflow parsing '1e999'"));
}

// A file that is cut off may end in an array of any size.
TEST(JsonTest, ErrorsDoNotQuoteAWholeArray) {
  const auto document = JsonDocument::parse(Buffer::own("[\"" + std::string(1 << 20, 'A')));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().what, HasSubstr("line 1, column "));
  EXPECT_LT(document.error().what.size(), 300u);
}

// What reads the document recurses: writing a value in an error, and arrays inside arrays.
TEST(JsonTest, DeepNestingIsAnError) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "\"[\"" + std::string(depth, ']'); };
  EXPECT_TRUE(JsonDocument::parse(Buffer::own(nested(200))));
  for (const std::size_t depth : {std::size_t{201}, std::size_t{200'000}}) {
    const auto document = JsonDocument::parse(Buffer::own(nested(depth)));
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().kind, base::ErrorKind::invalid_input);
    EXPECT_THAT(document.error().what, HasSubstr("nested more than 200 deep"));
  }
}

TEST(JsonTest, AFileOfManyBracketsThatIsNoJsonIsNamedSo) {
  const auto document = JsonDocument::parse(Buffer::own("\b\x06" + std::string(100'000, '[')));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().what, HasSubstr("not a JSON file"));
}

TEST(JsonTest, ObjectsThatAreNoArraysAreErrors) {
  const auto message = [](std::string text) {
    const JsonDocument document = parse(std::move(text));
    const auto array = document.array(document.root());
    return array ? "no error" : array.error().message();
  };
  EXPECT_THAT(message(R"({"tensor": "UEsDBA==", "polygraphy_class": "Tensor"})"), HasSubstr("PyTorch"));
  EXPECT_THAT(message(R"({"array": "!!!!", "polygraphy_class": "ndarray"})"), HasSubstr(".npy"));
  EXPECT_THAT(message(R"({"array": "k05VTVBZ!!!!", "polygraphy_class": "ndarray"})"), HasSubstr("base64"));
  EXPECT_THAT(message(R"({"array": 3, "polygraphy_class": "ndarray"})"), HasSubstr("has no text"));
  EXPECT_THAT(message(R"({"polygraphy_class": "RunResults"})"), HasSubstr("RunResults"));
  EXPECT_THAT(message("[1, 2]"), HasSubstr("not an array"));
  EXPECT_THAT(message(R"({"polygraphy_class": "LazyArray", "values": {"polygraphy_class": "LazyArray"}})"),
              HasSubstr("another LazyArray"));
}

}  // namespace
}  // namespace assay::tensor
