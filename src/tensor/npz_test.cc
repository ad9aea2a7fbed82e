#include "tensor/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

using testing::HasSubstr;

TEST(NpzTest, ReadsStoredArchivesInTheirOrder) {
  const auto arrays = read_npz(test::tensor_fixture("stored.npz"));
  ASSERT_TRUE(arrays) << arrays.error().message();
  EXPECT_THAT(arrays->names(), testing::ElementsAre("x", "y", "a/b:c"));
  EXPECT_TRUE(identical(*arrays->find("x"), test::read_fixture("c_order.npy")));
  EXPECT_EQ(arrays->find("a/b:c")->type(), ElementType::boolean);
}

TEST(NpzTest, ReadsDeflatedArchives) {
  const auto arrays = read_npz(test::tensor_fixture("deflated.npz"));
  ASSERT_TRUE(arrays) << arrays.error().message();
  EXPECT_TRUE(identical(*arrays->find("x"), test::read_fixture("c_order.npy")));
  EXPECT_EQ(arrays->find("y")->shape(), (Shape{10000}));
}

TEST(NpzTest, DamagedArchivesAreErrors) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "bad.npz";
  std::string bytes = *base::read_file(test::tensor_fixture("deflated.npz"));
  const auto message = [&](std::string_view content) {
    EXPECT_TRUE(base::write_file(path, content));
    const auto arrays = read_npz(path);
    return arrays ? "no error" : arrays.error().message();
  };
  EXPECT_THAT(message(""), HasSubstr("bad.npz"));
  EXPECT_THAT(message("some text"), HasSubstr(".npz archive"));
  EXPECT_THAT(message(std::string_view(bytes).substr(0, bytes.size() - 30)), HasSubstr(".npz archive"));
  bytes[100] = static_cast<char>(bytes[100] ^ 0x40);  // inside the data of the first entry
  EXPECT_THAT(message(bytes), HasSubstr("x.npy"));
}

TEST(NpzTest, SizesThatDoNotFitIntoTheFileAreRefused) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  std::string bytes = *base::read_file(test::tensor_fixture("deflated.npz"));
  const std::size_t entry = bytes.find("PK\x01\x02");  // in the directory: at 20 the compressed size, at 24 the size
  ASSERT_NE(entry, std::string::npos);
  bytes.replace(entry + 20, 8, "\xff\xff\xff\x7f\xff\xff\xff\x7f");
  ASSERT_TRUE(base::write_file(folder->path() / "bad.npz", bytes));
  const auto arrays = read_npz(folder->path() / "bad.npz");
  ASSERT_FALSE(arrays);
  EXPECT_THAT(arrays.error().what, HasSubstr("impossible size"));
}

TEST(NpzTest, ErrorsNameAnEntryThatIsNotAnArray) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  // A stored zip of one entry "t" with the content "hi": made by Python's zipfile, as bytes.
  std::string zip("PK\x03\x04\x14\0\0\0\0\0\0\0!\0\xac*\x93\xd8\x02\0\0\0\x02\0\0\0\x01\0\0\0thi", 33);
  zip += std::string(
      "PK\x01\x02\x14\x03\x14\0\0\0\0\0\0\0!\0\xac*"
      "\x93\xd8\x02\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x80\x01\0\0\0\0t",
      47);
  zip += std::string("PK\x05\x06\0\0\0\0\x01\0\x01\0/\0\0\0!\0\0\0\0\0", 22);
  ASSERT_TRUE(base::write_file(folder->path() / "t.npz", zip));
  const auto arrays = read_npz(folder->path() / "t.npz");
  ASSERT_FALSE(arrays);
  EXPECT_THAT(arrays.error().message(), testing::AllOf(HasSubstr("entry 't'"), HasSubstr("not an .npy array")));
}

TEST(NpzTest, WrittenArchivesAreReadBackInTheirOrder) {
  const auto folder = base::TempDir::create();
  NamedTensors arrays;
  arrays.set("z/y:0", Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, 3, 4}));
  arrays.set("a", Tensor::make_strings({2}, {"one", "three"}).value());
  arrays.set("b", Tensor::of<std::uint16_t>(ElementType::bfloat16, {}, {0x3f80}));
  const auto path = folder->path() / "w.npz";
  ASSERT_TRUE(write_npz(path, arrays));
  const auto again = read_npz(path);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_THAT(again->names(), testing::ElementsAre("z/y:0", "a", "b"));
  for (const auto& [name, tensor] : arrays) EXPECT_TRUE(identical(*again->find(name), tensor)) << name;
  const std::string bytes = *base::read_file(path);
  ASSERT_TRUE(write_npz(path, arrays));
  EXPECT_EQ(*base::read_file(path), bytes) << "the same arrays give the same file";
}

TEST(NpzTest, WritingNeedsTheArchiveAndOneArrayInMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps memory that was freed";
#endif
  const auto folder = base::TempDir::create();
  NamedTensors arrays;
  constexpr std::int64_t kArray = 8 << 20;  // bytes
  const Tensor array = Tensor::make(ElementType::uint8, {kArray}, Buffer::own(std::string(kArray, 'x'))).value();
  for (const char* name : {"a", "b", "c", "d"}) arrays.set(name, array);
  rusage before = {};
  getrusage(RUSAGE_SELF, &before);
  ASSERT_TRUE(write_npz(folder->path() / "w.npz", arrays));
  rusage after = {};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 6 * kArray / 1024) << "KiB";
  EXPECT_EQ(read_npz(folder->path() / "w.npz").value().find("d")->bytes().back(), std::byte{'x'});
}

TEST(NpzTest, CanBeEmpty) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(write_npz(folder->path() / "e.npz", {}));
  const auto again = read_npz(folder->path() / "e.npz");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(again->empty());
}

TEST(NpzTest, AnArrayThatTheFormatCannotHoldIsNamed) {
  const auto folder = base::TempDir::create();
  NamedTensors arrays;
  arrays.set("s", Tensor::make_strings({1}, {std::string("a\0", 2)}).value());
  const auto status = write_npz(folder->path() / "s.npz", arrays);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::unsupported);
  EXPECT_THAT(status.error().message(), HasSubstr("'s'"));
}

}  // namespace
}  // namespace assay::tensor
