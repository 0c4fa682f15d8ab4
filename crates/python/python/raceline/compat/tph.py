"""Functions of TUM's trajectory-planning-helpers, computed by raceline.

    from raceline.compat import tph        # in place of: import trajectory_planning_helpers as tph

The signatures, units and signs are theirs: normal vectors point to the right, and a lateral shift is
positive to the right. There each function lies in a module of its own name, so
`tph.opt_min_curv.opt_min_curv(...)` works here too. Each function documents how it differs. What is not
listed here, as `tph.calc_splines` or `tph.iqp_handler`, is the original's, where it is installed: a program
that calls both runs with the one import changed.
"""

import importlib
import warnings

import numpy as np

from .._raceline import solve_sections

__all__ = ["calc_vel_profile", "opt_min_curv", "opt_shortest_path"]

# Speeds that change by less than this fraction have converged.
_SETTLED = 1e-4
_MOST_ROUNDS = 100


def opt_shortest_path(reftrack, normvectors, w_veh, print_debug=False):
    """The line with the minimum sum of squared distances between its points on a closed track.

    Returns the lateral shift of each point, metres.
    """
    alpha, _ = _solved(reftrack, normvectors, w_veh, closed=True, shortest=True)
    return alpha


def opt_min_curv(
    reftrack,
    normvectors,
    A=None,
    kappa_bound=np.inf,
    w_veh=0.0,
    print_debug=False,
    plot_debug=False,
    closed=True,
    psi_s=None,
    psi_e=None,
    fix_s=False,
    fix_e=False,
):
    """The line of minimum squared curvature.

    Returns the lateral shift of each point, metres, and the largest error of curvature, 1/m.

    The original linearises the curvature about the reference line and is meant to be called again on
    its result. This one repeats that by itself until the line has settled, so that its curvature is
    lower, and a second call changes little. It works with the curvature through three points, not with
    splines: `A` is not used. The error is the largest difference between both curvatures of the line.
    `kappa_bound` is checked on the result, with a warning. `psi_s` and `psi_e` are headings in the
    sense of the original, 0 along +y, at the ends of an open track. Both ends stay on the reference
    line, so `fix_s` and `fix_e` change nothing.
    """
    reftrack, normvectors = np.asarray(reftrack, float), np.asarray(normvectors, float)
    ends = None if closed else (psi_s, psi_e)
    alpha, settled = _solved(reftrack, normvectors, w_veh, closed=closed, shortest=False, ends=ends)
    if not settled:
        warnings.warn("opt_min_curv: the line has not settled", stacklevel=2)
    points = reftrack[:, :2] + alpha[:, None] * normvectors
    three_points, differences = _curvatures(points, closed)
    if np.abs(three_points).max() > kappa_bound:
        largest = np.abs(three_points).max()
        warnings.warn(f"opt_min_curv: the curvature reaches {largest:.4f} 1/m, above {kappa_bound:.4f}", stacklevel=2)
    return alpha, float(np.abs(three_points - differences).max())


def calc_vel_profile(
    ax_max_machines,
    kappa,
    el_lengths,
    closed,
    drag_coeff,
    m_veh,
    ggv=None,
    loc_gg=None,
    v_max=None,
    dyn_model_exp=1.0,
    mu=None,
    v_start=None,
    v_end=None,
    filt_window=None,
):
    """The highest speeds along a path within the limits of tyres, machines and drag, m/s.

    A forward and a backward pass over the points, repeated until the speeds settle. Tyres give
    (a_x / a_x,max)^e + (a_y / a_y,max)^e <= 1 with the exponent e.
    """
    if (ggv is None) == (loc_gg is None):
        raise ValueError("calc_vel_profile: give either ggv or loc_gg")
    if loc_gg is not None and mu is not None:
        raise ValueError("calc_vel_profile: mu goes with ggv: loc_gg has the friction in it")
    if loc_gg is not None and v_max is None:
        raise ValueError("calc_vel_profile: loc_gg needs v_max")
    kappa, steps = np.abs(np.asarray(kappa, float)), np.asarray(el_lengths, float)
    machines = np.asarray(ax_max_machines, float)
    count = kappa.size
    if steps.size != (count if closed else count - 1):
        wanted = "one per point" if closed else "one less than points"
        raise ValueError(f"calc_vel_profile: {steps.size} el_lengths for {count} points: give {wanted}")
    if not closed and v_start is None:
        raise ValueError("calc_vel_profile: an open path needs v_start")
    friction = np.ones(count) if mu is None else np.asarray(mu, float)
    if ggv is not None:
        ggv = np.asarray(ggv, float)
        covered = min(ggv[-1, 0], machines[-1, 0])
        v_max = covered if v_max is None else v_max
        if v_max > covered:
            raise ValueError(f"calc_vel_profile: v_max {v_max} m/s is above the {covered} m/s that ggv and machines cover")

        def limits(speed, i):
            return friction[i] * np.interp(speed, ggv[:, 0], ggv[:, 1]), friction[i] * np.interp(speed, ggv[:, 0], ggv[:, 2])
    else:
        loc_gg = np.asarray(loc_gg, float)

        def limits(speed, i):
            return loc_gg[i, 0], loc_gg[i, 1]

    speeds = _cornering_speeds(kappa, limits, v_max)
    if not closed:
        speeds[0] = min(speeds[0], max(v_start, 0.0))
        if v_end is not None:
            speeds[-1] = min(speeds[-1], max(v_end, 0.0))

    def along(speed, i, braking):
        """Acceleration, or deceleration, that is left at a point with this speed."""
        longitudinal, lateral = limits(speed, i)
        used = min(speed * speed * kappa[i] / lateral, 1.0)
        tyres = longitudinal * (1.0 - used**dyn_model_exp) ** (1.0 / dyn_model_exp)
        drag = drag_coeff * speed * speed / m_veh
        if braking:
            return tyres + drag
        return min(tyres, np.interp(speed, machines[:, 0], machines[:, 1])) - drag

    forward = [(i, (i + 1) % count, steps[i]) for i in range(steps.size)]
    backward = [(b, a, step) for a, b, step in reversed(forward)]
    for _ in range(_MOST_ROUNDS if closed else 1):
        before = speeds.copy()
        for passes, braking in ((forward, False), (backward, True)):
            for a, b, step in passes:
                reached = max(speeds[a] ** 2 + 2.0 * along(speeds[a], a, braking) * step, 0.0) ** 0.5
                if braking and reached < speeds[b]:
                    # Where braking begins less may be left, because the speed is higher there.
                    begun = max(speeds[a] ** 2 + 2.0 * along(reached, b, braking) * step, 0.0) ** 0.5
                    reached = min(reached, begun)
                speeds[b] = min(speeds[b], reached)
        if np.allclose(before, speeds, rtol=_SETTLED, atol=0.0):
            break
    return speeds if filt_window is None else _averaged(speeds, filt_window, closed)


def _solved(reftrack, normvectors, w_veh, closed, shortest, ends=None):
    reftrack, normvectors = np.asarray(reftrack, float), np.asarray(normvectors, float)
    if reftrack.ndim != 2 or reftrack.shape[1] != 4 or normvectors.shape != (len(reftrack), 2):
        raise ValueError("reftrack needs the columns x, y, w_tr_right, w_tr_left, and normvectors one row for each of its rows")
    width_right, width_left = reftrack[:, 2], reftrack[:, 3]
    right = reftrack[:, :2] + width_right[:, None] * normvectors
    left = reftrack[:, :2] - width_left[:, None] * normvectors
    width = width_right + width_left
    low, high = 0.5 * w_veh / width, 1.0 - 0.5 * w_veh / width
    # A road that is too narrow leaves its middle, as far as there is one.
    narrow = low > high
    low[narrow] = high[narrow] = 0.5
    before = 0
    if ends is not None:
        middle = width_right / width
        low[[0, -1]] = high[[0, -1]] = middle[[0, -1]]
        # A point before the start and one behind the end give the headings.
        for at, psi, direction in ((0, ends[0], -1.0), (-1, ends[1], 1.0)):
            if psi is None:
                continue
            inner = 1 if at == 0 else -2
            step = np.hypot(*(reftrack[at, :2] - reftrack[inner, :2]))
            place = reftrack[at, :2] + direction * step * np.array([-np.sin(psi), np.cos(psi)])
            across = 1e-3 * np.array([np.cos(psi), np.sin(psi)])
            where = 0 if at == 0 else len(right)
            right, left = np.insert(right, where, place + across, axis=0), np.insert(left, where, place - across, axis=0)
            low, high = np.insert(low, where, 0.5), np.insert(high, where, 0.5)
            before += at == 0
    fractions, settled = solve_sections(
        np.ascontiguousarray(right), np.ascontiguousarray(left), low, high, closed, shortest
    )
    fractions = fractions[before : before + len(reftrack)]
    return width_right - fractions * width, settled


def _curvatures(points, closed):
    """Curvature through three points, and by central differences."""
    if closed:
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    else:
        padded = np.vstack((2 * points[0] - points[1], points, 2 * points[-1] - points[-2]))
        before, after = padded[:-2], padded[2:]
    a, b, c = points - before, after - points, after - before
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    la, lb, lc = (np.hypot(side[:, 0], side[:, 1]) for side in (a, b, c))
    first, second = 0.5 * c, b - a
    differences = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / np.hypot(first[:, 0], first[:, 1]) ** 3
    return 2.0 * cross / (la * lb * lc), differences


def _cornering_speeds(kappa, limits, v_max):
    """The highest speed at each point by the lateral limit there, which depends on that speed."""
    speeds = np.full(kappa.size, float(v_max))
    for i, curvature in enumerate(kappa):
        if curvature == 0.0:
            continue
        for _ in range(_MOST_ROUNDS):
            next_speed = min((limits(speeds[i], i)[1] / curvature) ** 0.5, v_max)
            settled = abs(next_speed - speeds[i]) <= _SETTLED * next_speed
            speeds[i] = next_speed
            if settled:
                break
    return speeds


def _averaged(values, window, closed):
    """The mean over an odd number of points; the ends of an open path stay as they are."""
    if window % 2 == 0:
        raise ValueError("calc_vel_profile: filt_window must be odd")
    reach = window // 2
    kernel = np.ones(window) / window
    if closed:
        return np.convolve(np.concatenate((values[-reach:], values, values[:reach])), kernel, mode="valid") if reach else values
    result = values.copy()
    if reach and values.size > 2 * reach:
        result[reach:-reach] = np.convolve(values, kernel, mode="valid")
    return result


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    original = f"trajectory_planning_helpers.{name}"
    try:
        return importlib.import_module(original)
    except ModuleNotFoundError as error:
        if error.name == "trajectory_planning_helpers":
            advice = "is the original's: pip install trajectory-planning-helpers"
        elif error.name == original:
            advice = "exists neither here nor in the original"
        else:
            advice = f"is the original's, which needs {error.name}"
        raise AttributeError(f"raceline.compat.tph: {name} {advice}") from error


# In the original, each function lies in a module of the same name.
for _function in (calc_vel_profile, opt_min_curv, opt_shortest_path):
    setattr(_function, _function.__name__, _function)
