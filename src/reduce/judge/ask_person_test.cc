#include "reduce/judge/ask_person.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <string_view>
#include <thread>

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

TEST_F(AskPerson, EndsWhenAskedToStop) {
  std::thread other([this] { stop_.request(); });
  const auto answer = Person(ends_[0], out_).ask("it", stop_);
  other.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::reduce
