"""Whole processes: against the compiled loop, every shipped workload at its default size, and the memory they take."""
import pathlib
import shutil
import subprocess

import cases
import measure

LOOP = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define N 512
int main(void) {
  double (*a)[N][N] = malloc(sizeof(double) * N * N * N), (*b)[N][N] = malloc(sizeof(double) * N * N * N);
  if (!a || !b) return 1;
  double* flat[2] = {&a[0][0][0], &b[0][0][0]};
  for (size_t i = 0; i < (size_t)N * N * N; ++i) flat[0][i] = (double)i, flat[1][i] = 0;  /* pages are there now */
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int k = 1; k < N - 1; ++k)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i)
        b[k][j][i] = 0.5 * a[k][j][i] + 0.25 * (a[k][j][i-1] + a[k][j][i+1] + a[k][j-1][i] + a[k][j+1][i]
                   + a[k-1][j][i] + a[k+1][j][i]);
  clock_gettime(CLOCK_MONOTONIC, &to);
  printf("%g %g\n", (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec), b[7][8][9]);
  return 0;
}
"""


class CompiledLoop:
    name = "whole process, 7-point 512 warm, against the loop"

    def run(self, mansard, folder):
        compiler = shutil.which("cc")
        if not compiler:
            print(f"{self.name:50} no cc here")
            return
        source, program = folder / "loop.c", folder / "loop"
        source.write_text(LOOP)
        subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)
        loop = min(float(subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()[0])
                   for _ in range(mansard.times))
        seconds, busy, _ = mansard.process(["run", *cases.seven_point(512), "-m", cases.MACHINE])
        measure.row(self.name, seconds, loop, "compiled loop", loop / seconds, ">= 1",
                    f"one sweep on one core; {busy:.2f} s on a processor")


class Memory:
    name = "memory of 7-point 2000"

    def run(self, mansard, folder):
        del folder
        for start in (["--cold"], []):
            words = ["run", *cases.seven_point(2000), "-m", cases.MACHINE, *start]
            seconds, _, memory = mansard.process(words, times=1)
            print(f"{self.name + (', cold' if start else ', warm'):50} {seconds:9.4f} s, {memory:.0f} MB (wanted: <= 200)")


class Shipped:
    name = "every shipped workload at its default size"

    def run(self, mansard, folder):
        del folder
        root = pathlib.Path(__file__).parents[2]
        took = []
        for workload in sorted(path.stem for path in (root / "workloads").glob("*.yaml")):
            seconds, busy, _ = mansard.process(["run", workload, "-m", cases.MACHINE], times=1)
            took.append((seconds, busy, workload))
        took.sort(reverse=True)
        fast = sum(seconds <= 0.1 for seconds, _, _ in took)
        print(f"{self.name:50} {took[0][0]:9.4f} s at most (wanted: <= 1), {fast} of {len(took)} within 0.1 s; the slowest:")
        for seconds, busy, workload in took[:5]:
            print(f"    {workload:46} {seconds:9.4f} s, {busy:.4f} s on a processor")


CASES = [CompiledLoop(), Memory(), Shipped()]
