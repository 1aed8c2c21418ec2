"""Networks cell by cell in float64, from their equations, written to check faster implementations against."""

import numpy as np

FLIPS = np.s_[:, :], np.s_[::-1, :], np.s_[:, ::-1], np.s_[::-1, ::-1]
CORNERS = [(top, left) for top in (True, False) for left in (True, False)]


def float64(weights):
    return {name: np.asarray(value, np.float64) for name, value in weights.items()}


def mdrnn(weights, planes, border="recurrent"):
    """From equation (1) and the facts about the border."""
    w = float64(weights)
    _, rows, columns = planes.shape
    total = np.zeros((rows, columns))
    for flip in FLIPS:
        seen = np.stack([np.asarray(plane, np.float64)[flip] for plane in planes])
        u = np.zeros((rows, columns, len(w["border"])))
        for i in range(rows):
            for j in range(columns):
                net = w["input"] @ seen[:, i, j]
                for inside, at in ((i > 0, (i - 1, j)), (j > 0, (i, j - 1))):
                    if inside:
                        net = net + w["hidden"] @ u[at]
                    else:
                        net = net + (w["hidden"] @ w["border"] if border == "recurrent" else w["border"])
                u[i, j] = np.tanh(net)
        total += (u @ w["output"])[flip]
    return total.reshape(-1)


def way(rows, columns, corner):
    """The points in the order in which the swipe from `corner` passes them, each with the two before it."""
    down, right = (1 if end else -1 for end in corner)
    for i in range(rows)[::down]:
        for j in range(columns)[::right]:
            yield (i, j), ((i - down, j), (i, j - right))


def mdlstm(weights, planes):
    """From the equations of the module."""
    w, x = float64(weights), np.asarray(planes, np.float64)
    _, rows, columns = x.shape
    sigmoid = lambda net: 1 / (1 + np.exp(-net))  # noqa: E731
    total = np.zeros((rows, columns))
    for corner in CORNERS:
        u, c = {}, {}
        for point, before in way(rows, columns, corner):
            outputs = [u.get(neighbour, w["border"]) for neighbour in before]

            def net(gate, output, seen=x[:, *point]):
                at = "iogf".index(gate)
                return w["input"][at] @ seen + w["hidden"][at] @ output + w["bias"][at]

            i, o, g = (net(gate, sum(outputs)) for gate in "iog")
            c[point] = sigmoid(i) * np.tanh(g)
            for neighbour, output in zip(before, outputs, strict=True):
                c[point] = c[point] + sigmoid(net("f", output)) * c.get(neighbour, 0)
            u[point] = sigmoid(o) * np.tanh(c[point])
            total[point] += w["output"] @ u[point]
    return total.reshape(-1)


def stacked(weights, planes):
    """From the equations of the module."""
    w, x = float64(weights), np.asarray(planes, np.float64)
    _, rows, columns = x.shape
    points = list(np.ndindex(rows, columns))
    seen = {corner: {point: x[:, *point] for point in points} for corner in CORNERS}
    for layer, border in enumerate(w["border"]):
        looks = w["units"][layer - 1] if layer else w["input"]
        u = {corner: {} for corner in CORNERS}
        for corner in CORNERS:
            for point, (above, beside) in way(rows, columns, corner):
                passed = u[corner].get(above, border) + u[corner].get(beside, border)
                u[corner][point] = np.tanh(looks @ seen[corner][point] + w["hidden"][layer] @ passed)
        seen = {
            (top, left): {
                p: np.concatenate([u[top, left][p], u[not top, not left][p], u[not top, left][p] + u[top, not left][p]])
                for p in points
            }
            for top, left in CORNERS
        }
    return np.array([sum(w["output"] @ u[corner][p] for corner in CORNERS) for p in points])
