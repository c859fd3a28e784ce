// What some caches do beyond the usual: hashed set indices, write-allocate evasion, prefetching, physical pages.
// Mistakes go to the reader of the cache; the rest of `cache` must have been read.
#pragma once

#include "machine/read.hpp"

namespace mansard {

/// `hash: [0x40, 0x1080]`: one mask of address bits for each bit of the set's number.
void read_hash(Reader& reader, CacheLevel& cache);
/// `evasion: 0.4`, or by number of cores in use `evasion: {1: 0, 8: 0.4}`.
void read_evasion(Reader& reader, CacheLevel& cache);
/// `prefetch: {adjacent: true, streams: 16, distance: 4}`.
void read_prefetch(Reader& reader, CacheLevel& cache, Diagnostics& wrong);
/// `pages: contiguous`, `pages: 4 KiB`, `pages: {size: 2 MiB, seed: 7}`.
Pages read_pages(const YamlNode* node, Diagnostics& wrong);

}  // namespace mansard
