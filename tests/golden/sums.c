/* Each core adds up its row of a. With w = 1 neighbouring sums share a cache line, with w = 8 (doubles, 64 B lines) each
   has its own. */
double s[n][w];
double a[n][N];
for (int c = 0; c < n; ++c)
  for (int i = 0; i < N; ++i) s[c][0] += a[c][i];
