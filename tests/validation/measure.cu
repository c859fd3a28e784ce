// Times the kernels that scripts/measure-gpu compares with predictions. Prints "name,seconds" lines: the median of several
// launches after one that warms up, by events.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "measure: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void copy(const double* a, double* b, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) b[i] = a[i];
}

__global__ void scale(const double* a, double* b, double s, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) b[i] = s * a[i];
}

__global__ void init(double* b, double s, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) b[i] = s;
}

/// The extents with halo and coefficients of workloads/star-3d-25pt.yaml; x is the fastest.
struct Star {
  int nx, ny, nz;
  double c[5];
};

__global__ void __launch_bounds__(1024, 1) star25(const double* __restrict__ a, double* __restrict__ b, Star s) {
  const int i = 4 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = 4 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int k = 4 + static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (i >= s.nx - 4 || j >= s.ny - 4 || k >= s.nz - 4) return;
  const long row = s.nx, plane = long{s.nx} * s.ny;
  const long at = k * plane + j * row + i;
  double sum = s.c[0] * a[at];
#pragma unroll
  for (int r = 1; r <= 4; ++r) {
    sum += s.c[r] * (a[at - r] + a[at + r] + a[at - r * row] + a[at + r * row] + a[at - r * plane] + a[at + r * plane]);
  }
  b[at] = sum;
}

template <class Launch>
void time(const char* name, const Launch& launch) {
  constexpr int repeats = 11;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  std::vector<float> milliseconds;
  for (int n = 0; n <= repeats; ++n) {
    check(cudaEventRecord(begin), "event");
    launch();
    check(cudaEventRecord(end), "event");
    check(cudaGetLastError(), name);
    check(cudaEventSynchronize(end), name);
    float taken = 0;
    check(cudaEventElapsedTime(&taken, begin, end), "event");
    if (n > 0) milliseconds.push_back(taken);
  }
  check(cudaEventDestroy(begin), "event");
  check(cudaEventDestroy(end), "event");
  std::nth_element(milliseconds.begin(), milliseconds.begin() + repeats / 2, milliseconds.end());
  std::printf("%s,%.9g\n", name, milliseconds[repeats / 2] * 1e-3);
}

}  // namespace

int main() {
  constexpr std::size_t n = 128000000;     // elements of a stream in memory: 1 GB each
  constexpr std::size_t resident = 98304;  // two vectors of 768 KiB: in every L2, and in no L1
  const Star star{640, 512, 512, {0.1, 0.2, 0.3, 0.2, 0.1}};
  double *a = nullptr, *b = nullptr;
  check(cudaMalloc(&a, n * sizeof(double)), "memory");
  check(cudaMalloc(&b, n * sizeof(double)), "memory");
  check(cudaMemset(a, 0, n * sizeof(double)), "memory");
  check(cudaMemset(b, 0, n * sizeof(double)), "memory");

  const auto blocks = [](std::size_t elements) { return static_cast<unsigned>((elements + 255) / 256); };
  std::printf("name,seconds\n");
  time("copy", [&] { copy<<<blocks(n), 256>>>(a, b, n); });
  time("scale", [&] { scale<<<blocks(n), 256>>>(a, b, 2.0, n); });
  time("init", [&] { init<<<blocks(n), 256>>>(b, 2.0, n); });
  // A launch takes longer than the data: many launches between two events, divided by measured_gpu.py.
  time("copy in L2 x 100", [&] {
    for (int m = 0; m < 100; ++m) copy<<<blocks(resident), 256>>>(a, b, resident);
  });
  for (const dim3 block : {dim3(32, 4, 8), dim3(16, 8, 8), dim3(64, 4, 4)}) {
    char name[64];
    std::snprintf(name, sizeof name, "star %ux%ux%u", block.x, block.y, block.z);
    const auto along = [](int extent, unsigned threads) { return (static_cast<unsigned>(extent) - 8 + threads - 1) / threads; };
    const dim3 grid(along(star.nx, block.x), along(star.ny, block.y), along(star.nz, block.z));
    time(name, [&] { star25<<<grid, block>>>(a, b, star); });
  }
  check(cudaFree(a), "memory");
  check(cudaFree(b), "memory");
  return 0;
}
