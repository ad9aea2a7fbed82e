// A journal is distinguished from other people's files by its application_id, and from a damaged one by SQLite's own
// checks. Only a file that certainly was a journal is ever moved out of the way.
//
// Durability is SQLite's write-ahead log with synchronous = FULL: a commit is in the synced log when it returns. The
// log's frames carry checksums, so a truncated log counts up to its last intact frame; the file itself is written at
// checkpoints. The log can't repair a file that lost its tail or pages. In that case its rows are read one by one, as
// far as the table can be followed, and copied to a new file.
#include "reduce/verdicts/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "reduce/verdicts/journal_row.h"

namespace assay::reduce {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using sqlite::Database;

namespace {

constexpr std::uint32_t kApplicationId = 0x41737379;  // "Assy"
constexpr int kVersion = 1;
constexpr const char* kSchema =
    "CREATE TABLE verdicts (identity BLOB NOT NULL, candidate BLOB NOT NULL, kind BLOB NOT NULL, text BLOB NOT NULL, "
    "output BLOB NOT NULL, seconds REAL NOT NULL, checksum BLOB NOT NULL, PRIMARY KEY (identity, candidate))";

constexpr const char* kCannotOpen = "cannot open the journal of verdicts";
constexpr const char* kNameAnother = "Name another file for the journal, or remove this one if you don't need it";

enum class State { empty, whole, damaged, foreign, of_another_version };

sqlite::Result<State> look(Database& database) {
  const auto pages = database.integer("PRAGMA page_count");
  if (!pages) return tl::unexpected(pages.error());
  if (*pages == 0) return State::empty;
  const auto id = database.integer("PRAGMA application_id");
  if (!id) return tl::unexpected(id.error());
  if (*id != kApplicationId) return State::foreign;
  const auto version = database.integer("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  if (*version != kVersion) return State::of_another_version;
  const auto schema = database.text("SELECT group_concat(sql) FROM sqlite_schema");
  if (!schema) return tl::unexpected(schema.error());
  if (*schema != kSchema) return State::damaged;
  const auto check = database.text("PRAGMA integrity_check(1)");
  if (!check) return tl::unexpected(check.error());
  return *check == "ok" ? State::whole : State::damaged;
}

// Returns whether a file that SQLite can't read was a journal once. A file that was truncated inside its header, or
// whose first block never reached the disk, can't have held anything of the user's.
bool was_journal(const fs::path& path) {
  std::array<char, 100> header = {};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t count = ::read(fd, header.data(), header.size());
  ::close(fd);
  if (count <= 0) return false;
  const std::string_view bytes(header.data(), static_cast<std::size_t>(count));
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr std::size_t kIdAt = 68;
  if (std::ranges::all_of(bytes, [](char c) { return c == '\0'; })) return true;
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size())) return false;
  return bytes.size() < kIdAt + 4 || bytes.substr(kIdAt, 4) == "Assy";
}

base::Status refuse_other_things(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status) || fs::is_regular_file(status)) return {};
  return fail(
      ErrorKind::invalid_input,
      fmt::format("{}: {}", kCannotOpen, fs::is_directory(status) ? "it is a folder" : "it isn't a regular file"),
      path.string(), "Name another file for the journal");
}

sqlite::Result<void> create(Database& database) {
  return database.execute(fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {}; {}; COMMIT",
                                      kApplicationId, kVersion, kSchema));
}

// Reads from both ends of the table, since SQLite can't skip a broken page.
std::size_t copy_whole_rows(Database& from, Database& to) {
  auto insert = to.prepare(kJournalInsert);
  if (!insert) return 0;
  std::size_t copied = 0;
  for (const char* order : {"", " DESC"}) {
    auto rows =
        from.prepare(fmt::format("SELECT {} FROM verdicts NOT INDEXED ORDER BY rowid{}", kJournalColumns, order));
    if (!rows) return copied;
    for (auto more = rows->step(); more && *more; more = rows->step()) {
      const auto row = read_row(*rows);
      if (row && write_row(*insert, *row)) ++copied;
    }
  }
  return copied;
}

// Creates a new journal with the intact rows of a damaged one. Returns only errors of writing; unreadable rows are
// dropped.
base::Status copy_rows(const fs::path& damaged, const fs::path& repaired) {
  const auto error_of = [&](const sqlite::Failure& failure) {
    return fail(failure.error("cannot repair the journal of verdicts", damaged));
  };
  for (const char* suffix : {"", "-wal", "-journal"}) {
    std::error_code ignored;
    fs::remove(repaired.string() + suffix, ignored);
  }
  auto to = Database::open(repaired);
  if (!to) return error_of(to.error());
  if (auto made = create(*to); !made) return error_of(made.error());
  auto from = Database::open(damaged);
  if (!from) return error_of(from.error());
  from->read_what_is_left();
  if (auto begun = to->execute("BEGIN"); !begun) return error_of(begun.error());
  copy_whole_rows(*from, *to);
  if (auto ended = to->execute("COMMIT"); !ended) return error_of(ended.error());
  return {};
}

// Renames the log before the file: a log next to a new database would be taken for that database's.
base::Expected<fs::path> set_aside(const fs::path& path) {
  std::string name = path.string() + ".damaged";
  std::error_code code;
  for (int number = 2; fs::exists(name, code); ++number) name = fmt::format("{}.damaged-{}", path.string(), number);
  for (const char* suffix : {"-wal", "-journal", ""}) {
    fs::rename(path.string() + suffix, name + suffix, code);
    if (code && code != std::errc::no_such_file_or_directory) {
      return fail(base::system_error("cannot rename the damaged journal of verdicts", path.string(), code.value()));
    }
  }
  return name;
}

fs::path repaired_path(const fs::path& path) {
  return path.string() + ".repaired";
}

// A repair may be interrupted like everything else. Once the new journal is complete, it gets its name, and the next
// run continues from there.
base::Status make_repaired(const fs::path& damaged) {
  const fs::path begun = damaged.string() + ".repairing";
  ASSAY_TRY(copy_rows(damaged, begun));
  std::error_code code;
  fs::rename(begun, repaired_path(damaged), code);
  if (code)
    return fail(base::system_error("cannot rename the repaired journal of verdicts", begun.string(), code.value()));
  return {};
}

base::Status take_repaired(const fs::path& path, base::Log& log) {
  ASSAY_ASSIGN(const fs::path aside, set_aside(path));
  std::error_code code;
  fs::rename(repaired_path(path), path, code);
  if (code)
    return fail(base::system_error("cannot rename the repaired journal of verdicts to", path.string(), code.value()));
  log.warning(
      "The journal of verdicts {} was damaged. Its intact verdicts were copied to a new one; the damaged file is kept "
      "as {}",
      path.string(), aside.string());
  return {};
}

base::Expected<Database> prepare(Database database, const fs::path& path) {
  const auto set = database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (!set) return fail(set.error().error(kCannotOpen, path));
  return database;
}

// Opens or creates the journal, or returns nothing if the file is a damaged journal.
base::Expected<std::optional<Database>> open_whole(const fs::path& path) {
  auto database = Database::open(path);
  if (!database) return fail(database.error().error(kCannotOpen, path));
  if (database->read_only()) {
    return fail(ErrorKind::io, fmt::format("{}: it is read-only", kCannotOpen), path.string(),
                "Check the permissions of the file and of its folder, or name another file");
  }
  database->keep_log();
  auto state = look(*database);
  if (!state && !state.error().damaged()) return fail(state.error().error(kCannotOpen, path));
  if (!state) {
    database->close();  // was_journal() closes the file, which would drop SQLite's locks on it
    state = was_journal(path) ? State::damaged : State::foreign;
  }
  switch (*state) {
    case State::foreign:
      return fail(ErrorKind::invalid_input, "the file is not a journal of verdicts", path.string(), kNameAnother);
    case State::of_another_version:
      return fail(ErrorKind::invalid_input, "the journal of verdicts was made by another version of Assay",
                  path.string(), kNameAnother);
    case State::damaged:
      return std::optional<Database>();
    case State::empty:
      if (auto made = create(*database); !made) return fail(made.error().error(kCannotOpen, path));
      break;
    case State::whole:
      break;
  }
  database->keep_log(false);
  ASSAY_ASSIGN(Database ready, prepare(std::move(*database), path));
  return std::optional<Database>(std::move(ready));
}

}  // namespace

base::Expected<Database> open_journal_file(const fs::path& path, base::Log& log) {
  ASSAY_TRY(refuse_other_things(path));
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  if (fs::exists(repaired_path(path), code)) ASSAY_TRY(take_repaired(path, log));
  ASSAY_ASSIGN(std::optional<Database> database, open_whole(path));
  if (database) return std::move(*database);

  ASSAY_TRY(make_repaired(path));
  ASSAY_TRY(take_repaired(path, log));
  ASSAY_ASSIGN(database, open_whole(path));
  if (database) return std::move(*database);
  return fail(ErrorKind::io, "the new journal of verdicts is damaged, too", path.string(),
              "Check the disk, or name another file for the journal");
}

}  // namespace assay::reduce
