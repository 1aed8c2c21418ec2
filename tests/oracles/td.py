"""TD(λ) of whole games in float64, ply by ply from its formula, written to check faster implementations against."""

import numpy as np


def value(weights, features):
    """The linear sum of logistic hidden units."""
    return float(weights["output"] @ (1 / (1 + np.exp(-weights["hidden"] @ features))))


def desired(seen, outcome, alpha, lambda_, gamma):
    """From the last position back."""
    found = [float(outcome)]
    for t in reversed(range(len(seen) - 1)):
        change = gamma * seen[t + 1] - seen[t]
        found.insert(0, lambda_ * found[0] + alpha * (1 - lambda_) * change)
    return found


def stepped(weights, episodes, alpha, lambda_, gamma, delta=1e-6):
    """(weights after one update by all episodes together, total error before): slopes of V by central differences."""
    change = {name: np.zeros_like(w) for name, w in weights.items()}
    total = 0.0
    for features, outcome in episodes:
        wanted = desired([value(weights, x) for x in features], outcome, alpha, lambda_, gamma)
        for x, target in zip(features, wanted, strict=True):
            error = target - value(weights, x)
            total += error**2
            for name, w in weights.items():
                for index in np.ndindex(w.shape):
                    sides = []
                    for sign in (1, -1):
                        moved = {key: array.copy() for key, array in weights.items()}
                        moved[name][index] += sign * delta
                        sides.append(value(moved, x))
                    change[name][index] += alpha * error * (sides[0] - sides[1]) / (2 * delta)
    return {name: w + change[name] for name, w in weights.items()}, total
