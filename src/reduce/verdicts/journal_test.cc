#include "reduce/verdicts/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "reduce/verdicts/journal_test_files.h"
#include "reduce/verdicts/resume_journal.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using test::verdict_of;
using testing::HasSubstr;

// Opens the journal and closes it again.
base::Error error_of(const fs::path& path) {
  const auto journal = Journal::open(path, "check");
  EXPECT_FALSE(journal);
  return journal ? base::Error{} : journal.error();
}

class JournalTest : public testing::Test {
 protected:
  Journal open(const std::string& identity = "check") {
    auto journal = Journal::open(path, identity);
    EXPECT_TRUE(journal) << journal.error().message();
    return std::move(*journal);
  }

  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "x.onnx.journal";
};

TEST_F(JournalTest, FindsWhatWasRecorded) {
  const Verdict verdict{.kind = Verdict::Kind::fails,
                        .text = "signal 11 (Segmentation fault)",
                        .output = std::string("two\nlines, a NUL: \0 and \xFF", 25),
                        .seconds = 0.125};
  {
    Journal journal = open();
    EXPECT_EQ(journal.size(), 0u);
    EXPECT_FALSE(journal.find("a"));
    ASSERT_TRUE(journal.record("a", verdict));
    EXPECT_TRUE(journal.find("a"));
    EXPECT_EQ(journal.size(), 1u);
  }
  Journal journal = open();
  const auto found = journal.find("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, verdict.kind);
  EXPECT_EQ(found->text, verdict.text);
  EXPECT_EQ(found->output, verdict.output);
  EXPECT_EQ(found->seconds, verdict.seconds);
  EXPECT_EQ(found->source, Verdict::Source::journal);
  EXPECT_FALSE(journal.find("b"));
  EXPECT_EQ(journal.size(), 1u);
}

TEST_F(JournalTest, KeepsEachKindOfVerdict) {
  const std::vector<Verdict::Kind> kinds = {Verdict::Kind::passes, Verdict::Kind::fails, Verdict::Kind::unresolved};
  {
    Journal journal = open();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      ASSERT_TRUE(journal.record(std::to_string(i), {.kind = kinds[i], .text = {}}));
    }
  }
  Journal journal = open();
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(journal.find(std::to_string(i))->kind, kinds[i]);
}

TEST_F(JournalTest, KeepsWhyAVerdictIsUnresolved) {
  using Cause = Verdict::Cause;
  const std::vector<Cause> causes = {Cause::unknown, Cause::rule,          Cause::limit,       Cause::check,
                                     Cause::engine,  Cause::saved_outputs, Cause::other_error, Cause::other_ending};
  {
    Journal journal = open();
    for (std::size_t i = 0; i < causes.size(); ++i) {
      Verdict verdict;
      set_aside(verdict, causes[i], "why");
      ASSERT_TRUE(journal.record(std::to_string(i), verdict));
    }
  }
  Journal journal = open();
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const auto found = journal.find(std::to_string(i));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Verdict::Kind::unresolved);
    EXPECT_EQ(found->cause, causes[i]);
  }
}

TEST_F(JournalTest, ALaterVerdictTakesTheEarliersPlace) {
  Journal journal = open();
  ASSERT_TRUE(journal.record("a", {.kind = Verdict::Kind::fails, .text = "first"}));
  ASSERT_TRUE(journal.record("a", {.kind = Verdict::Kind::passes, .text = "second"}));
  EXPECT_EQ(journal.find("a")->text, "second");
  EXPECT_EQ(journal.size(), 1u);
}

TEST_F(JournalTest, HidesTheVerdictsOfOtherIdentitiesAndKeepsThem) {
  {
    Journal journal = open("one check");
    ASSERT_TRUE(journal.record("a", verdict_of("a")));
  }
  {
    Journal journal = open("another check");
    EXPECT_FALSE(journal.find("a"));
    EXPECT_EQ(journal.size(), 0u);
    ASSERT_TRUE(journal.record("a", {.kind = Verdict::Kind::passes, .text = "other"}));
  }
  EXPECT_EQ(open("one check").find("a")->text, verdict_of("a").text);
  EXPECT_EQ(open("another check").find("a")->text, "other");
}

TEST_F(JournalTest, SaysIfNoneOfItsVerdictsCanBeReused) {
  ASSERT_TRUE(open("one check").record("a", verdict_of("a")));
  base::test::TestLog log(base::Level::info);
  {
    Journal journal = resume_journal({.path = path, .identity = "another check"}, log).value();
    EXPECT_THAT(log.messages(), testing::ElementsAre(HasSubstr("Reusing none of the verdicts in " + path.string())));
    ASSERT_TRUE(journal.record("b", verdict_of("b")));
  }
  ASSERT_TRUE(resume_journal({.path = path, .identity = "another check"}, log));
  EXPECT_THAT(log.messages().back(), HasSubstr("Reusing 1 verdict from"));
  ASSERT_TRUE(Journal::remove(path));
  ASSERT_TRUE(resume_journal({.path = path, .identity = "another check"}, log));
  EXPECT_THAT(log.messages(), testing::SizeIs(2));
}

// A user who sets a limit because a check hangs keeps what ended before it.
TEST_F(JournalTest, HidesOnlyTheVerdictsThatDependOnAnotherTimeLimit) {
  const auto with_limit = [&](std::optional<double> limit_s) { return Journal::open(path, "check", limit_s).value(); };
  {
    Journal journal = with_limit({});
    ASSERT_TRUE(journal.record("fast", {.kind = Verdict::Kind::fails, .text = "exit status 1", .seconds = 1}));
    ASSERT_TRUE(journal.record("slow", {.kind = Verdict::Kind::passes, .text = "exit status 0", .seconds = 60}));
  }
  {
    Journal journal = with_limit(5);
    EXPECT_EQ(journal.size(), 1u);
    EXPECT_EQ(journal.find("fast")->text, "exit status 1");
    EXPECT_FALSE(journal.find("slow"));
    ASSERT_TRUE(journal.record("slow", {.kind = Verdict::Kind::fails, .text = "did not end", .seconds = 5.1}));
    EXPECT_EQ(journal.find("slow")->text, "did not end");
    EXPECT_EQ(journal.size(), 2u);
  }
  EXPECT_EQ(with_limit(5).find("slow")->text, "did not end");
  EXPECT_FALSE(with_limit(10).find("slow")) << "it may end within 10 s";
  EXPECT_FALSE(with_limit(2).find("slow"));
  EXPECT_EQ(with_limit({}).find("slow")->text, "exit status 0");
  EXPECT_EQ(with_limit({}).size(), 2u);
  EXPECT_TRUE(with_limit(5).forget().value()) << "that of the slow check without a limit remains";
  EXPECT_FALSE(with_limit({}).find("fast"));
  EXPECT_TRUE(with_limit({}).find("slow"));
}

TEST_F(JournalTest, ForgetsOnlyTheVerdictsOfItsIdentity) {
  {
    Journal journal = open("one check");
    ASSERT_TRUE(journal.record("a", verdict_of("a")));
  }
  {
    Journal journal = open("another check");
    ASSERT_TRUE(journal.record("a", verdict_of("a")));
    EXPECT_TRUE(journal.forget().value()) << "those of the first check remain";
    EXPECT_EQ(journal.size(), 0u);
    EXPECT_FALSE(journal.find("a"));
  }
  Journal journal = open("one check");
  EXPECT_TRUE(journal.find("a"));
  EXPECT_FALSE(journal.forget().value());
}

TEST_F(JournalTest, KeepsBothEndsOfALongOutputAndNoSecondsThatAreNone) {
  Journal journal = open();
  ASSERT_TRUE(journal.record("a", {.kind = Verdict::Kind::fails,
                                   .text = {},
                                   .output = 'a' + std::string(1 << 20, 'x') + "end",
                                   .seconds = std::nan("")}));
  const auto found = journal.find("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->output.size(), kKeptOutput);
  EXPECT_TRUE(found->output.starts_with("ax"));
  EXPECT_TRUE(found->output.ends_with("xend"));
  EXPECT_EQ(found->seconds, 0);
}

TEST_F(JournalTest, LeavesFilesAloneThatAreNoJournals) {
  for (const std::string_view content : {"a model, say", "SQLite format 4 and more", "\x08\x07pytorch"}) {
    ASSERT_TRUE(base::write_file(path, content));
    const base::Error error = error_of(path);
    EXPECT_EQ(error.kind, base::ErrorKind::invalid_input);
    EXPECT_THAT(error.message(), HasSubstr("not a journal"));
    EXPECT_EQ(error.where, path.string());
    EXPECT_EQ(base::read_file(path).value(), content);
    EXPECT_EQ(test::entries(folder.path()), 1u);
  }
}

TEST_F(JournalTest, LeavesDatabasesOfOthersAloneDamagedOrNot) {
  test::make_database(path, "CREATE TABLE accounts (name); INSERT INTO accounts VALUES ('mine')");
  const std::string content = base::read_file(path).value();
  EXPECT_THAT(error_of(path).message(), HasSubstr("not a journal"));
  EXPECT_EQ(base::read_file(path).value(), content);
  fs::resize_file(path, content.size() / 2 + 100);
  EXPECT_THAT(error_of(path).message(), HasSubstr("not a journal"));
  EXPECT_EQ(base::read_file(path).value(), content.substr(0, content.size() / 2 + 100));
  EXPECT_EQ(test::entries(folder.path()), 1u);
}

TEST_F(JournalTest, RefusesTheJournalOfAnotherVersion) {
  open();
  test::make_database(path, "PRAGMA user_version = 99");
  const base::Error error = error_of(path);
  EXPECT_EQ(error.kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(error.message(), HasSubstr("another version"));
}

TEST_F(JournalTest, RefusesAFolderAndADevice) {
  EXPECT_EQ(error_of(folder.path()).kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(error_of(folder.path()).message(), HasSubstr("it is a folder"));
  EXPECT_THAT(error_of("/dev/null").message(), HasSubstr("a regular file"));
}

TEST_F(JournalTest, MakesItsFolderAndTakesAnyNameForAFile) {
  for (const char* name : {"new/folder/x.journal", "file:x?mode=memory", ":memory:", "with space and 'quote'"}) {
    const fs::path other = folder.path() / name;
    Journal journal = Journal::open(other, "check").value();
    ASSERT_TRUE(journal.record("a", verdict_of("a")));
    EXPECT_TRUE(fs::exists(other)) << name;
  }
}

TEST_F(JournalTest, IsRefusedIfItCannotBeWritten) {
  open();
  fs::permissions(path, fs::perms::owner_read);
  if (::geteuid() != 0) {
    const base::Error error = error_of(path);
    EXPECT_EQ(error.kind, base::ErrorKind::io);
    EXPECT_THAT(error.message(), HasSubstr("permissions"));
    return;
  }
  // root may write everything, so another user tries.
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(path, fs::perms::owner_read | fs::perms::others_read);
  const std::string said = test::in_child([&](int out) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) return;
    const auto journal = Journal::open(path, "check");
    const std::string text = journal ? "opened" : journal.error().message();
    (void)!::write(out, text.data(), text.size());
  });
  EXPECT_THAT(said, HasSubstr("permissions"));
}

TEST_F(JournalTest, LocksOutOtherProcesses) {
  Journal journal = open();
  ASSERT_TRUE(journal.record("a", verdict_of("a")));
  const std::string said = test::in_child([&](int out) {
    const auto other = Journal::open(path, "check");
    const std::string text = other ? "opened" : other.error().message();
    (void)!::write(out, text.data(), text.size());
  });
  EXPECT_THAT(said, HasSubstr("another process is using it"));
  EXPECT_THAT(said, HasSubstr(path.string()));
  ASSERT_TRUE(journal.record("b", verdict_of("b")));
  EXPECT_EQ(journal.size(), 2u);
}

TEST_F(JournalTest, LeavesOneFileAndRemoveTakesItAway) {
  {
    Journal journal = open();
    ASSERT_TRUE(journal.record("a", verdict_of("a")));
  }
  EXPECT_EQ(test::entries(folder.path()), 1u);
  ASSERT_TRUE(Journal::remove(path));
  EXPECT_EQ(test::entries(folder.path()), 0u);
  EXPECT_TRUE(Journal::remove(path)) << "nothing there is fine too";
}

}  // namespace
}  // namespace assay::reduce
