// Finding machine and workload files: a path, or the name of a shipped file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mansard {

/// Folders that hold machines/ and workloads/: beside the program (build tree or install prefix), then `fallback`
/// (MANSARD_DATA, read by main; empty if unset).
std::vector<std::filesystem::path> data_folders(const std::filesystem::path& program, const std::string& fallback);

enum class DataKind { machine, workload };

/// `word` itself if such a file exists, else the shipped file of that stem. InputError with a suggestion otherwise.
std::filesystem::path find_data(DataKind kind, const std::string& word,
                                const std::vector<std::filesystem::path>& folders);

/// All shipped files of a kind, by stem.
std::vector<std::filesystem::path> list_data(DataKind kind, const std::vector<std::filesystem::path>& folders);

}  // namespace mansard
