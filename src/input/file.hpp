// Whole files as text, with a limit that is checked before memory is used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace mansard {

constexpr std::uint64_t largest_text_file = 64ULL << 20;

/// The content of `file`. InputError (position: the file) if it cannot be read or is longer than `limit` bytes.
std::string read_text(const std::filesystem::path& file, std::uint64_t limit = largest_text_file);

}  // namespace mansard
