"""TUM's planners, from the package trajectory-planning-helpers, called as its project global_racetrajectory_optimization does and
with the settings of that project's racecar.ini: regularised reference track at 3 m, result interpolated at 2 m."""

import contextlib
import io
import time

import numpy as np
import scipy.spatial.distance
import trajectory_planning_helpers as tph

# Release 0.79 hands arrays of one row or one column to scipy's euclidean(), which scipy has refused since 1.8. Whoever uses the two
# together must flatten them; tph looks the function up in the module at each call, so replacing it there is enough.
scipy.spatial.distance.euclidean = lambda a, b: float(np.linalg.norm(np.ravel(a) - np.ravel(b)))

REGULARISATION = {"k_reg": 3, "s_reg": 10, "stepsize_prep": 1.0, "stepsize_reg": 3.0}
RESULT_STEP_M = 2.0
FEWEST_ITERATIONS = 3
CURVATURE_ERROR_RADPM = 0.01


def solve(circuit, car, planner):
    """The line (n, 2), and the seconds of the optimizer's call alone."""
    room = 2 * car.margin_m
    with contextlib.redirect_stdout(io.StringIO()):
        reference = tph.spline_approximation.spline_approximation(track=circuit, debug=False, **REGULARISATION)
        ring = np.vstack([reference[:, :2], reference[:1, :2]])
        _, _, system, normals = tph.calc_splines.calc_splines(path=ring)
        started = time.perf_counter()
        if planner == "shortest":
            shift = tph.opt_shortest_path.opt_shortest_path(reftrack=reference, normvectors=normals, w_veh=room)
        elif planner == "mincurv":
            shift, _ = tph.opt_min_curv.opt_min_curv(
                reftrack=reference, normvectors=normals, A=system, kappa_bound=car.max_curvature_radpm, w_veh=room
            )
        elif planner == "iqp":
            # Lengths, headings and curvatures of the reference are only handed through to the result, which isn't used.
            unused = np.zeros(len(reference))
            shift, reference, normals, *_ = tph.iqp_handler.iqp_handler(
                reftrack=reference,
                normvectors=normals,
                A=system,
                spline_len=unused,
                psi=unused,
                kappa=unused,
                dkappa=unused,
                kappa_bound=car.max_curvature_radpm,
                w_veh=room,
                print_debug=False,
                plot_debug=False,
                stepsize_interp=REGULARISATION["stepsize_reg"],
                iters_min=FEWEST_ITERATIONS,
                curv_error_allowed=CURVATURE_ERROR_RADPM,
            )
        else:
            raise ValueError(f"no planner {planner}")
        optimizer_s = time.perf_counter() - started
        line = tph.create_raceline.create_raceline(
            refline=reference[:, :2], normvectors=normals, alpha=shift, stepsize_interp=RESULT_STEP_M
        )[0]
    return line, optimizer_s


def velocity_profile(curvature, lengths, car):
    """TUM's speeds (m/s) for a closed line's curvature and the lengths from each point to the next."""
    # An infinite radius divided by itself would make its start never converge, and say so.
    curvature = np.where(np.abs(curvature) < 1e-9, 1e-9, curvature)
    return tph.calc_vel_profile.calc_vel_profile(
        ax_max_machines=car.drive_table(),
        kappa=curvature,
        el_lengths=lengths,
        closed=True,
        drag_coeff=car.drag_kgpm,
        m_veh=car.mass_kg,
        ggv=car.ggv_table(),
        v_max=car.max_speed_mps,
        dyn_model_exp=car.ellipse_exponent,
    )
