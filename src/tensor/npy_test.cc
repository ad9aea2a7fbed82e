#include "tensor/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "tensor/convert.h"
#include "tensor/npy_header.h"
#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor round_trip(const Tensor& tensor) {
  auto file = format_npy(tensor);
  EXPECT_TRUE(file);
  auto read = parse_npy(Buffer::own(std::move(*file)));
  EXPECT_TRUE(read) << read.error().message();
  return *read;
}

TEST(NpyTest, ReadsEveryVersionAndOrder) {
  const Tensor block = test::read_fixture("c_order.npy");
  ASSERT_EQ(block.shape(), (Shape{2, 3, 4}));
  for (int i = 0; i < 24; ++i) EXPECT_EQ(block.load<std::int32_t>(i), i);
  EXPECT_TRUE(identical(test::read_fixture("fortran_order.npy"), block));
  EXPECT_TRUE(identical(test::read_fixture("version_2.npy"), block));
  EXPECT_TRUE(identical(test::read_fixture("version_3.npy"), block));
}

TEST(NpyTest, ReadsBigEndianNumbers) {
  EXPECT_THAT(to_doubles(test::read_fixture("big_endian_float.npy")), ElementsAre(1.5, -2.25, 1e10));
  const Tensor complex = test::read_fixture("big_endian_complex.npy");
  EXPECT_EQ(complex.type(), ElementType::complex64);
  EXPECT_EQ(complex.load<float>(0), 1);
  EXPECT_EQ(complex.load<float>(1), 2);
  EXPECT_EQ(complex.load<float>(3), -3.5);
}

TEST(NpyTest, WritesTheBytesOfNumpy) {
  for (const char* name : {"c_order.npy", "scalar_float16.npy", "empty.npy", "bool.npy", "unicode.npy",
                           "named_int4.npy", "named_bfloat16.npy"}) {
    const auto expected = base::read_file(test::tensor_fixture(name));
    const auto written = format_npy(test::read_fixture(name));
    ASSERT_TRUE(expected && written) << name;
    EXPECT_EQ(*written, *expected) << name;
  }
}

TEST(NpyTest, ReadsStrings) {
  const Tensor unicode = test::read_fixture("unicode.npy");
  EXPECT_EQ(unicode.shape(), (Shape{2, 2}));
  EXPECT_THAT(unicode.strings(), ElementsAre("a", "bc", "d\xC3\xA9\xE4\xB8\x96\xF0\x9F\x98\x80", ""));
  EXPECT_THAT(test::read_fixture("unicode_big_endian.npy").strings(), ElementsAre("x\xC3\xA9"));
  EXPECT_THAT(test::read_fixture("bytes.npy").strings(), ElementsAre("ab", std::string("\xFF\0c", 3)));
}

TEST(NpyTest, StringsThatAreNotUtf8SurviveAsBytes) {
  const auto tensor = Tensor::make_strings({2}, {"\xFF\xFE", "long enough"});
  EXPECT_TRUE(identical(round_trip(*tensor), *tensor));
  EXPECT_THAT(*format_npy(*tensor), HasSubstr("'|S11'"));
}

TEST(NpyTest, AStringThatEndsInZeroIsRefused) {
  const auto tensor = Tensor::make_strings({1}, {std::string("a\0", 2)});
  EXPECT_FALSE(format_npy(*tensor));
  const auto inside = Tensor::make_strings({1}, {std::string("a\0b", 3)});
  EXPECT_TRUE(identical(round_trip(*inside), *inside));
}

TEST(NpyTest, EveryNumericTypeSurvives) {
  for (const ElementTypeInfo& row : element_types()) {
    if (row.bits == 0) continue;
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 0}, Shape{3, 3}}) {
      const std::uint64_t count = *element_count(shape);
      std::vector<std::byte> bytes(*byte_size(row.type, count));
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 73 + 11);
      // Bits after the last element are zero.
      if (const std::size_t used = count * row.bits % 8; used != 0)
        bytes.back() &= std::byte{static_cast<unsigned char>((1U << used) - 1)};
      const auto tensor = Tensor::make(row.type, shape, Buffer::own(std::move(bytes)));
      ASSERT_TRUE(tensor);
      EXPECT_TRUE(identical(round_trip(*tensor), *tensor)) << tensor->describe();
    }
  }
}

TEST(NpyTest, ReadsNamedTypesOfMlDtypes) {
  const Tensor bfloat = test::read_fixture("ml_dtypes_bfloat16.npy");
  EXPECT_EQ(bfloat.type(), ElementType::bfloat16);
  EXPECT_THAT(to_doubles(bfloat), ElementsAre(1, -2.5));
  EXPECT_THAT(to_doubles(test::read_fixture("ml_dtypes_float8_e5m2.npy")), ElementsAre(1, -2.5));
  EXPECT_THAT(to_doubles(test::read_fixture("named_int4.npy")), ElementsAre(-1, 7, -8));
}

TEST(NpyTest, TypesThatCannotBeReadAreNamed) {
  const auto message = [](const char* name) { return test::try_fixture(name).error().message(); };
  EXPECT_THAT(message("ml_dtypes_float8_e4m3fn.npy"), HasSubstr("1-byte type"));
  EXPECT_THAT(message("objects.npy"), HasSubstr("pickle"));
  EXPECT_THAT(message("datetime.npy"), HasSubstr("M8[D]"));
  EXPECT_THAT(message("make_fixtures.py"), HasSubstr(".npy"));
}

TEST(NpyTest, ReadingDoesNotCopy) {
  const Buffer file = Buffer::own(*format_npy(Tensor::of<float>(ElementType::float32, {2}, {1, 2})));
  const auto tensor = parse_npy(file);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->bytes().data(), file.bytes().data() + 128);
}

std::string with_shape(std::string_view shape, std::string_view descr = "'<f4'") {
  std::string header =
      "{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
  std::string file = "\x93NUMPY";
  file += {'\1', '\0', static_cast<char>(header.size()), '\0'};
  return file + header;
}

TEST(NpyTest, StructuredArraysAreUnsupportedAndNotMalformed) {
  const auto error = [](std::string_view descr) { return parse_npy(Buffer::own(with_shape("(1,)", descr))).error(); };
  // As numpy.save writes them.
  for (const char* descr : {"[('a', '<f4'), ('b', '<i4')]", "[('a', '<f4', (2, 3)), ('b', '<i4')]",
                            "[('a', [('c', '<f4')]), ('b', '|b1')]", "[(('title', 'a'), '<f4'), ('b', '<i4')]"}) {
    EXPECT_EQ(error(descr).kind, base::ErrorKind::unsupported) << descr;
    EXPECT_THAT(error(descr).message(),
                testing::AllOf(HasSubstr("a structured array with 2 fields"), HasSubstr("Save each field")));
  }
  EXPECT_THAT(error("[('a', '<f4', (3,))]").message(), HasSubstr("with 1 field"));
  for (const char* descr : {"[('a', '<f4'), ('b', '<i4')", "[('a', '<f4'), b]", "[(((((((", "[('a']", "[", "[]"}) {
    EXPECT_EQ(error(descr).kind, base::ErrorKind::invalid_input) << descr;
  }
}

TEST(NpyTest, SizesAreCheckedBeforeMemoryIsTaken) {
  for (const char* shape : {"(1,)", "(4611686018427387904,)", "(4611686018427387904, 4)", "(9223372036854775807, 3)",
                            "(-1,)", "(99999999999999999999,)"}) {
    EXPECT_FALSE(parse_npy(Buffer::own(with_shape(shape)))) << shape;
  }
  EXPECT_FALSE(parse_npy(Buffer::own(with_shape("(1000000000,)", "'<U0'"))));
  EXPECT_FALSE(parse_npy(Buffer::own(with_shape("(1,)", "'<U9223372036854775807'"))));
  EXPECT_TRUE(parse_npy(Buffer::own(with_shape("(0, 9223372036854775807)"))));
}

TEST(NpyTest, EveryShorterFileIsAnError) {
  const std::string file = *format_npy(Tensor::of<float>(ElementType::float32, {3}, {1, 2, 3}));
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_FALSE(parse_npy(Buffer::own(file.substr(0, length)))) << length;
  }
}

TEST(NpyTest, RejectsInvalidHeaders) {
  for (const char* shape : {"", "(", "(1", "(1 2)", "[1]", "(a,)", "(1,), 'shape': (1,)", "(1,), 'x': 1", "1"}) {
    EXPECT_FALSE(parse_npy(Buffer::own(with_shape(shape) + "12345678"))) << shape;
  }
  for (const char* descr : {"'<f3'", "'<'", "''", "'<f4x'", "'<i16'", "[('a', '<f4'), ('b', '<f4')]",
                            "[('int4', '<f4')]", "[('nothing', '<f4')]", "'<V4'", "[]", "{}"}) {
    EXPECT_FALSE(parse_npy(Buffer::own(with_shape("(1,)", descr) + "12345678"))) << descr;
  }
  EXPECT_TRUE(parse_npy(Buffer::own(with_shape("(1L, 1)") + "1234")));  // NumPy on Python 2
}

TEST(NpyHeaderTest, TheHeaderOfALongShapeIsPaddedTo64Bytes) {
  for (std::size_t rank = 0; rank < 64; ++rank) {
    const NpyHeader header{.descr = "<f4", .field = {}, .fortran_order = false, .shape = Shape(rank, 1)};
    const std::string text = format_npy_header(header);
    EXPECT_EQ(text.size() % 64, 0U);
    const auto parsed = parse_npy_header(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->shape, header.shape);
    EXPECT_EQ(parsed->data_offset, text.size());
  }
}

}  // namespace
}  // namespace assay::tensor
