"""The stencils of the INSPECT collection (RRZE-HPC, github.com/RRZE-HPC/INSPECT) as C: 3-D, double, M = N = P.

A stencil is (radius, weights, shape, coefficients), as in inspect_ivybridge.csv: *star* has the points on the axes, *box*
all (2r+1)^3. Points with the same weight are added first: *homogeneous* one weight; *isotropic* one a distance (star) or
a number of axes along which the point differs from the centre (box); *point-symmetric* one a pair of opposite points;
*heterogeneous* one a point. *Constant* weights are scalars, *variable* ones arrays W[n] read at [k][j][i].
"""
import itertools


def points(radius, shape):
    """(k, j, i) in the order in which the measured code adds them: the centre; a box by i, then j, then k; a star outwards, along
    i, k and j."""
    everything = list(itertools.product(range(-radius, radius + 1), repeat=3))
    if shape == "box":
        return sorted(everything, key=lambda p: (any(p), p[2], p[1], p[0]))
    axes = [next((axis for axis, c in enumerate(p) if c), 2) for p in everything]
    star = [(p, (2, 0, 1).index(axis)) for p, axis in zip(everything, axes) if sum(c != 0 for c in p) <= 1]
    return [p for p, axis in sorted(star, key=lambda at: (max(map(abs, at[0])), at[1], sum(at[0])))]


def weight_of(weights, shape, point):
    """Points for which this is equal share one weight."""
    if weights == "homogeneous":
        return 0
    if weights == "isotropic":
        return sum(c != 0 for c in point) if shape == "box" else max(map(abs, point))
    if weights == "point-symmetric":
        return max(point, tuple(-c for c in point))
    return point


def subscript(variable, offset):
    return f"[{variable}{offset:+d}]" if offset else f"[{variable}]"


def element(point):
    return "a" + "".join(subscript(v, c) for v, c in zip("kji", point))


def groups_of(radius, weights, shape):
    """The points, by weight."""
    groups = {}
    for point in points(radius, shape):
        groups.setdefault(weight_of(weights, shape, point), []).append(point)
    return list(groups.values())


def arrays_of(stencil):
    """How many cubes of N^3 elements a stencil touches: a, b and its variable weights."""
    radius, weights, shape, coefficients = stencil
    return 2 + (len(groups_of(radius, weights, shape)) if coefficients == "variable" else 0)


def workload(radius, weights, shape, coefficients):
    """The text of a workload file with one parameter, N."""
    groups = groups_of(radius, weights, shape)
    variable = coefficients == "variable"
    terms = []
    for n, group in enumerate(groups):
        weight = f"W[{n}][k][j][i]" if variable else f"c{n}"
        terms.append(f"{weight} * (" + " + ".join(map(element, group)) + ")")
    declared = f"W[{len(groups)}][N][N][N]" if variable else ", ".join(f"c{n}" for n in range(len(groups)))
    r, sum_of_terms = radius, "\n          + ".join(terms)
    return f"""name: 3D r{r} {weights} {shape} {coefficients}
parameters: {{N: 100}}
code: |
  double a[N][N][N], b[N][N][N], {declared};
  for (int k = {r}; k < N - {r}; ++k)
    for (int j = {r}; j < N - {r}; ++j)
      for (int i = {r}; i < N - {r}; ++i)
        b[k][j][i] = {sum_of_terms};
"""


def name_of(stencil):
    return "r{0}-{1}-{2}-{3}".format(*stencil)


def write_workloads(all_stencils, folder):
    """One file a stencil; returns their paths by stencil."""
    folder.mkdir(exist_ok=True)
    files = {stencil: folder / f"{name_of(stencil)}.yaml" for stencil in all_stencils}
    for stencil, file in files.items():
        file.write_text(workload(*stencil))
    return files
