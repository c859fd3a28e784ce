// size = sets x ways x line: any two of size, sets and ways determine the third.
#pragma once

#include "machine/read.hpp"

namespace mansard {

/// Reads `size`, `sets`, `ways`, `line` and `sector` into `cache`; mistakes go to the reader, and the level then keeps
/// a geometry of one line so that reading can go on. Of all three, given in the file and by --set, what --set gives
/// wins: the first of sets, size, ways that it does not give is forgotten ("ways stay, sets follow").
void read_geometry(Reader& reader, const Position& at, CacheLevel& cache);

}  // namespace mansard
