#include "reduce/judge/ask_person.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

// A pipe that contains this text.
class AskPerson : public testing::Test {
 protected:
  AskPerson() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~AskPerson() override {
    close(ends_[0]);
    end_input();
  }
  void type(std::string_view text) const {
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end_input() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }

  std::array<int, 2> ends_ = {-1, -1};
  std::ostringstream out_;
  base::Stop stop_;
};

TEST_F(AskPerson, AsksUntilTheAnswerIsOne) {
  type("maybe\n F \n");
  EXPECT_EQ(Person(ends_[0], out_).ask("'m.onnx'", stop_)->kind, Kind::fails);
  EXPECT_THAT(out_.str(), testing::HasSubstr("'m.onnx'"));
}

TEST_F(AskPerson, TakesOneLineForEachQuestion) {
  type("p\nfail\nPASSED");
  end_input();
  Person person(ends_[0], out_);
  EXPECT_EQ(person.ask("a", stop_)->kind, Kind::passes);
  EXPECT_EQ(person.ask("b", stop_)->kind, Kind::fails);
  EXPECT_EQ(person.ask("c", stop_)->kind, Kind::passes);
  EXPECT_EQ(person.ask("d", stop_).error().kind, base::ErrorKind::invalid_input);
}

// A person who is asked the same question again and again would think that Assay hangs in a loop.
TEST_F(AskPerson, SaysIfItAsksAboutAModelAgain) {
  const base::TempDir folder = base::TempDir::create().value();
  const std::filesystem::path file = folder.path() / "m.onnx";
  Person person(ends_[0], out_);
  const auto ask = [&](std::string_view model) {
    EXPECT_TRUE(base::write_file(file, model));
    out_.str({});
    type("f\n");
    EXPECT_EQ(person.ask_about_model(file, stop_)->kind, Kind::fails);
    return out_.str();
  };
  const auto says_again = testing::HasSubstr("judged before");
  EXPECT_THAT(ask("large"), testing::Not(says_again));
  EXPECT_THAT(ask("small"), testing::Not(says_again));
  EXPECT_THAT(ask("large"), testing::AllOf(says_again, testing::HasSubstr("m.onnx' pass or fail? [p/f]")));
}

TEST_F(AskPerson, EndsWhenAskedToStop) {
  std::thread other([this] { stop_.request(); });
  const auto answer = Person(ends_[0], out_).ask("it", stop_);
  other.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::reduce
