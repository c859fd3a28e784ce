#include "app/data.hpp"

#include <algorithm>
#include <system_error>

#include "input/diagnostic.hpp"

namespace mansard {
namespace fs = std::filesystem;
namespace {

const char* folder_of(DataKind kind) { return kind == DataKind::machine ? "machines" : "workloads"; }
const char* word_for(DataKind kind) { return kind == DataKind::machine ? "machine" : "workload"; }

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "machines", ignored) && fs::is_directory(folder / "workloads", ignored);
}

}  // namespace

std::vector<fs::path> data_folders(const fs::path& program, const std::string& fallback) {
  std::vector<fs::path> folders;
  // build/release/src/app/mansard in the build tree, PREFIX/bin/mansard when installed.
  constexpr int most_levels = 6;
  fs::path folder = program.parent_path();
  for (int level = 0; level < most_levels; ++level, folder = folder.parent_path()) {
    for (const fs::path& candidate : {folder, folder / "share" / "mansard"}) {
      if (folders.empty() && holds_data(candidate)) folders.push_back(candidate);
    }
  }
  if (!fallback.empty()) folders.emplace_back(fallback);
  return folders;
}

std::vector<fs::path> list_data(DataKind kind, const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    for (fs::recursive_directory_iterator entry(folder / folder_of(kind), ignored), end; entry != end;
         entry.increment(ignored)) {
      const fs::path& file = entry->path();
      const bool seen = std::ranges::any_of(files, [&](const fs::path& other) { return other.stem() == file.stem(); });
      if (file.extension() == ".yaml" && !seen) files.push_back(file);
    }
  }
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.stem().string(); });
  return files;
}

fs::path find_data(DataKind kind, const std::string& word, const std::vector<fs::path>& folders) {
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored)) return word;
  if (fs::exists(word, ignored)) throw InputError({word}, "is not a file");
  std::vector<std::string> names;
  for (const fs::path& file : list_data(kind, folders)) {
    if (file.stem() == word) return file;
    names.push_back(file.stem().string());
  }
  const std::string what = word_for(kind);
  const std::string hint = suggest(word, names);
  std::string where = names.empty() ? "no shipped " + what + "s were found; set MANSARD_DATA to their folder"
                                    : "list them with 'mansard " + what + "s'";
  throw InputError({word}, "no such file, and no shipped " + what + " of that name; " + where, hint);
}

}  // namespace mansard
