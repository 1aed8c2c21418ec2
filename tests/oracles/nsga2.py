"""NSGA-II's sorting and crowding distance in plain Python, from the pseudocode of Deb et al. (2002), section III."""

import math


def dominates(p, q):
    """All objectives are maximised."""
    return all(a >= b for a, b in zip(p, q, strict=True)) and any(a > b for a, b in zip(p, q, strict=True))


def fast_non_dominated_sort(points):
    """Lists of indices, the first front first."""
    dominated = [[j for j, q in enumerate(points) if dominates(p, q)] for p in points]  # S_p
    count = [sum(dominates(q, p) for q in points) for p in points]  # n_p
    front, sorted_fronts = [i for i, n in enumerate(count) if n == 0], []
    while front:
        sorted_fronts.append(front)
        following = []
        for p in front:
            for q in dominated[p]:
                count[q] -= 1
                if count[q] == 0:
                    following.append(q)
        front = following
    return sorted_fronts


def crowding_distance_assignment(points):
    """One distance for each point of a front. An objective in which all are equal is left out; the paper divides by the
    range, which is 0 then.
    """
    distance = [0.0] * len(points)
    for m in range(len(points[0])):
        order = sorted(range(len(points)), key=lambda i: points[i][m])
        span = points[order[-1]][m] - points[order[0]][m]
        if span == 0:
            continue
        distance[order[0]] = distance[order[-1]] = math.inf
        for k in range(1, len(order) - 1):
            distance[order[k]] += (points[order[k + 1]][m] - points[order[k - 1]][m]) / span
    return distance


def select(points, mu):
    """The set of mu indices that survive: whole fronts, then the least crowded of the first that does not fit."""
    chosen = []
    for front in fast_non_dominated_sort(points):
        distance = dict(zip(front, crowding_distance_assignment([points[i] for i in front]), strict=True))
        chosen += sorted(sorted(front), key=lambda i: -distance[i])[: mu - len(chosen)]
    return chosen
