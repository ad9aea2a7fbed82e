// Damages journals as killed processes, power failures, full disks and flipped bits do. Everything is random, from
// fixed seeds.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"
#include "reduce/verdicts/journal.h"
#include "reduce/verdicts/journal_test_files.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using test::verdict_of;
using testing::HasSubstr;

std::string name_of(int number) {
  return "candidate-" + std::to_string(number);
}

// Returns how many of the first `count` verdicts are found; fails if one differs from what was recorded.
int count_true(Journal& journal, int count) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const auto verdict = journal.find(name_of(i));
    if (!verdict) continue;
    ++found;
    EXPECT_TRUE(test::equal(*verdict, verdict_of(name_of(i)))) << name_of(i);
  }
  return found;
}

// Opens what remains of a journal. It has to open, contain nothing false, and work from then on.
int open_and_use(const fs::path& path, int count) {
  int found = 0;
  {
    auto journal = Journal::open(path, "check");
    EXPECT_TRUE(journal) << journal.error().message();
    if (!journal) return 0;
    found = count_true(*journal, count);
    EXPECT_EQ(journal->size(), static_cast<std::size_t>(found));
    EXPECT_TRUE(journal->record("afterwards", verdict_of("afterwards")));
  }
  auto again = Journal::open(path, "check");
  EXPECT_TRUE(again) << again.error().message();
  if (!again) return found;
  EXPECT_TRUE(again->find("afterwards"));
  EXPECT_EQ(count_true(*again, count), found);
  return found;
}

class JournalDamage : public testing::Test {
 protected:
  static constexpr int kVerdicts = 150;
  static constexpr std::size_t kPage = 4096;

  // A journal that was closed, and the two files of one that wasn't: its log holds all verdicts except the first 50.
  void SetUp() override {
    {
      Journal journal = Journal::open(original, "check").value();
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(journal.record(name_of(i), verdict_of(name_of(i))));
    }
    Journal journal = Journal::open(original, "check").value();
    for (int i = 50; i < kVerdicts; ++i) ASSERT_TRUE(journal.record(name_of(i), verdict_of(name_of(i))));
    killed = base::read_file(original).value();
    log_of_killed = base::read_file(original.string() + "-wal").value();
    journal = Journal::open(folder.path() / "unused", "check").value();
    closed = base::read_file(original).value();
  }

  // Creates a folder with these files for one try.
  fs::path put(std::string_view file, std::string_view wal = {}) {
    tries = std::make_unique<base::TempDir>(base::TempDir::create(folder.path()).value());
    const fs::path path = tries->path() / "j";
    write(path, file);
    if (!wal.empty()) write(path.string() + "-wal", wal);
    return path;
  }

  static void write(const fs::path& path, std::string_view bytes) {
    const int fd = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    ASSERT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(fd);
  }

  const base::TempDir folder = base::TempDir::create().value();
  const fs::path original = folder.path() / "original";
  std::unique_ptr<base::TempDir> tries;
  std::string closed;
  std::string killed;
  std::string log_of_killed;
};

TEST_F(JournalDamage, IsNotSeenInAJournalThatWasOnlyNotClosed) {
  ASSERT_GT(log_of_killed.size(), 100'000u);
  EXPECT_EQ(open_and_use(put(killed, log_of_killed), kVerdicts), kVerdicts);
  EXPECT_EQ(open_and_use(put(closed), kVerdicts), kVerdicts);
}

TEST_F(JournalDamage, AFileCutOffAnywhereIsRefusedAndLeftAsItIs) {
  std::mt19937 random(1);
  ASSERT_GT(closed.size(), 30 * kPage);
  // SQLite takes a file of one byte for an empty one, and reads the missing bytes of a last page as zeros.
  std::vector<std::size_t> sizes = {2, 15, 16, 50, 99, 100, 101, kPage - 1, kPage, kPage + 1, closed.size() - kPage};
  for (int i = 0; i < 60; ++i) sizes.push_back(2 + random() % (closed.size() - kPage - 2));
  for (std::size_t page = 1; page < closed.size() / kPage; ++page) sizes.push_back(page * kPage);
  for (const std::size_t size : sizes) {
    SCOPED_TRACE(size);
    const fs::path path = put(closed.substr(0, size));
    const auto journal = Journal::open(path, "check");
    ASSERT_FALSE(journal);
    EXPECT_EQ(journal.error().kind, base::ErrorKind::invalid_input);
    EXPECT_THAT(journal.error().message(), HasSubstr("is damaged"));
    EXPECT_THAT(journal.error().message(), HasSubstr("remove this one"));
    EXPECT_EQ(base::read_file(path).value(), closed.substr(0, size));
  }
}

TEST_F(JournalDamage, ALogThatWasCutOffHoldsWhatCameBefore) {
  std::mt19937 random(2);
  int before = 0;
  for (std::size_t size = 1; size < log_of_killed.size(); size += 1 + random() % (log_of_killed.size() / 40)) {
    SCOPED_TRACE(size);
    const int found = open_and_use(put(killed, std::string_view(log_of_killed).substr(0, size)), kVerdicts);
    EXPECT_GE(found, std::max(before, 50));
    before = found;
  }
  EXPECT_GT(before, 120);
}

TEST_F(JournalDamage, ATornLogHoldsWhatCameBefore) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    std::string torn = log_of_killed;
    const std::size_t at = random() % (torn.size() / 512) * 512;  // a sector that never reached the disk
    std::fill_n(torn.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(512, torn.size() - at), '\0');
    EXPECT_GE(open_and_use(put(killed, torn), kVerdicts), 50);
  }
}

TEST_F(JournalDamage, LostSectorsAndFlippedBitsAreAnErrorOrHarmless) {
  std::mt19937 random(4);
  int refused = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    std::string damaged = closed;
    const std::size_t at = round % 4 == 0 ? random() % kPage : random() % damaged.size();
    if (round % 2 == 0) {
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    } else {
      const std::size_t sector = at / 512 * 512;
      std::generate_n(damaged.begin() + static_cast<std::ptrdiff_t>(sector), 512,
                      [&] { return round % 3 == 0 ? '\0' : static_cast<char>(random()); });
    }
    const fs::path path = put(damaged);
    auto journal = Journal::open(path, "check");
    if (!journal) {
      ++refused;
      EXPECT_EQ(journal.error().kind, base::ErrorKind::invalid_input) << journal.error().message();
      EXPECT_EQ(base::read_file(path).value(), damaged);
      continue;
    }
    ASSERT_TRUE(journal->record("afterwards", verdict_of("afterwards")));
    EXPECT_TRUE(journal->find("afterwards"));
  }
  EXPECT_GT(refused, 40);
}

// Records from `first` on, and writes a byte for each successful record(), until it is killed.
[[noreturn]] void record_for_ever(const fs::path& path, int first, int out) {
  auto journal = Journal::open(path, "check");
  if (!journal) ::_exit(1);
  for (int i = first;; ++i) {
    if (!journal->record(name_of(i), verdict_of(name_of(i)))) ::_exit(2);
    if (::write(out, "x", 1) != 1) ::_exit(3);
  }
}

TEST(JournalKills, WhatWasRecordedIsFoundAfterAnyKill) {
  const char* wanted = std::getenv("ASSAY_TEST_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 40;
  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "j";
  std::mt19937 random(5);
  int recorded = 0;
  for (int round = 0; round < kills; ++round) {
    std::array<int, 2> pipe = {};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(pipe[0]);
      record_for_ever(path, recorded, pipe[1]);
    }
    ::close(pipe[1]);
    // Kills it at any moment: while opening, in a commit, in a checkpoint.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << ": exit status " << WEXITSTATUS(status);
    std::array<char, 4096> buffer = {};
    for (ssize_t count = 0; (count = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
      recorded += static_cast<int>(count);
    }
    ::close(pipe[0]);
    if (round % 5 != 4 && round + 1 < kills) continue;  // usually the next child is the first to see what remains
    auto journal = Journal::open(path, "check");
    ASSERT_TRUE(journal) << journal.error().message();
    ASSERT_EQ(count_true(*journal, recorded), recorded) << "round " << round;
    ASSERT_LE(journal->size(), static_cast<std::size_t>(recorded) + 1) << "and the one that was in flight";
  }
  std::cout << recorded << " verdicts, " << kills << " kills\n";
}

// Records until it fails. That has to be an error that says so, and everything that was recorded has to be found.
void fill_up(const fs::path& path, const std::string& expected) {
  int recorded = 0;
  {
    Journal journal = Journal::open(path, "check").value();
    base::Status status;
    for (; recorded < 100'000; ++recorded) {
      status = journal.record(name_of(recorded), verdict_of(name_of(recorded)));
      if (!status) break;
    }
    ASSERT_FALSE(status) << "never full";
    EXPECT_EQ(status.error().kind, base::ErrorKind::io);
    EXPECT_EQ(status.error().where, path.string());
    EXPECT_THAT(status.error().message(), HasSubstr(expected));
    EXPECT_FALSE(journal.record(name_of(recorded), verdict_of(name_of(recorded)))) << "nor a second time";
    EXPECT_EQ(count_true(journal, recorded + 1), recorded);
    EXPECT_EQ(journal.size(), static_cast<std::size_t>(recorded));
  }
  auto journal = Journal::open(path, "check");
  ASSERT_TRUE(journal) << journal.error().message();
  EXPECT_EQ(count_true(*journal, recorded + 1), recorded);
}

TEST(JournalFull, ALimitOnFilesIsAnErrorAndLosesNothing) {
  const base::TempDir folder = base::TempDir::create().value();
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t limit : {rlim_t{200'000}, rlim_t{1'000'000}}) {
    const rlimit small = {limit, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    fill_up(folder.path() / std::to_string(limit), "cannot write the journal of verdicts");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  }
  std::signal(SIGXFSZ, handler);
}

TEST(JournalFull, AFullDiskIsAnErrorAndLosesNothing) {
  const base::TempDir folder = base::TempDir::create().value();
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "a small file system cannot be mounted here (root only)";
  }
  fill_up(folder.path() / "j", "Free some space");
  EXPECT_EQ(::umount(folder.path().c_str()), 0);
}

}  // namespace
}  // namespace assay::reduce
