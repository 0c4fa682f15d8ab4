"""`raceline.compat.tph` beside closed forms, and beside trajectory-planning-helpers where it is installed."""

import pathlib

import numpy as np
import pytest
from raceline.compat import tph

try:
    import trajectory_planning_helpers as original
except ImportError as reason:
    original, why = None, f"trajectory-planning-helpers can't be imported: {reason}"
else:
    why = ""
beside_the_original = pytest.mark.skipif(original is None, reason=why)

ROOT = pathlib.Path(__file__).parents[3]
GGV = np.array([[0.0, 8.0, 9.0], [60.0, 10.0, 12.0], [100.0, 10.0, 12.0]])
MACHINES = np.array([[0.0, 6.0], [50.0, 4.0], [100.0, 1.0]])


def bean(count=180, right=5.0, left=6.0):
    """A closed road with bends to both sides, counter-clockwise; normals point to the right."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radius = 100 + 25 * np.cos(3 * angle)
    points = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    along = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    along /= np.hypot(*along.T)[:, None]
    normals = np.column_stack((along[:, 1], -along[:, 0]))
    return np.column_stack((points, np.full(count, right), np.full(count, left))), normals


def line_of(track, normals, shift):
    return track[:, :2] + shift[:, None] * normals


def steps_of(points):
    return np.hypot(*(np.roll(points, -1, axis=0) - points).T)


def test_the_shortest_path_of_a_ring_is_its_inner_edge():
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    normals = np.column_stack((np.cos(angle), np.sin(angle)))
    track = np.column_stack((50 * normals, np.full(90, 4.0), np.full(90, 3.0)))
    np.testing.assert_allclose(tph.opt_shortest_path(track, normals, 2.0), -2.0, atol=1e-3)


def test_the_minimum_curvature_of_a_ring_is_its_outer_edge():
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    normals = np.column_stack((np.cos(angle), np.sin(angle)))
    track = np.column_stack((50 * normals, np.full(90, 4.0), np.full(90, 3.0)))
    shift, error = tph.opt_min_curv(track, normals, None, 1.0, 2.0)
    np.testing.assert_allclose(shift, 3.0, atol=0.05)
    assert error < 1e-3
    with pytest.warns(UserWarning, match="above"):
        tph.opt_min_curv(track, normals, None, 0.01, 2.0)


def test_an_open_line_keeps_its_ends_and_their_headings():
    y = np.linspace(0, 200, 81)
    track = np.column_stack((10 * np.sin(y / 30), y, np.full(81, 4.0), np.full(81, 4.0)))
    normals = np.column_stack((np.ones(81), np.zeros(81)))
    shift, _ = tph.opt_min_curv(track, normals, None, 1.0, 2.0, closed=False, psi_s=-0.32, psi_e=0.0)
    assert shift[0] == pytest.approx(0, abs=1e-6) and shift[-1] == pytest.approx(0, abs=1e-6)
    points = line_of(track, normals, shift)
    heading = np.arctan2(-(points[1] - points[0])[0], (points[1] - points[0])[1])
    assert heading == pytest.approx(-0.32, abs=0.06)


def test_the_names_of_the_original_lead_here_too():
    for name in tph.__all__:
        function = getattr(tph, name)
        assert getattr(function, name) is function


def test_speeds_on_a_circle_and_on_a_straight():
    circle = tph.calc_vel_profile(MACHINES, np.full(100, 1 / 40), np.full(100, 2.5), True, 0.0, 1000.0, loc_gg=np.full((100, 2), 9.0), v_max=80)
    np.testing.assert_allclose(circle, (9.0 * 40) ** 0.5, rtol=1e-3)
    straight = tph.calc_vel_profile(np.array([[0.0, 4.0], [99.0, 4.0]]), np.zeros(101), np.ones(100), False, 0.0, 1000.0,
                                    loc_gg=np.full((101, 2), 9.0), v_max=80, v_start=5.0, v_end=10.0)
    s = np.arange(101)
    np.testing.assert_allclose(straight, np.minimum((25 + 8 * s) ** 0.5, (100 + 18 * (100 - s)) ** 0.5), rtol=1e-9)
    with pytest.raises(ValueError, match="either ggv or loc_gg"):
        tph.calc_vel_profile(MACHINES, np.zeros(3), np.ones(3), True, 0.0, 1.0)


def with_drag():
    track, normals = bean()
    points = line_of(track, normals, np.zeros(len(track)))
    return points, steps_of(points)


@beside_the_original
def test_the_shortest_path_is_theirs():
    track, normals = bean()
    ours, theirs = tph.opt_shortest_path(track, normals, 2.0), original.opt_shortest_path.opt_shortest_path(track, normals, 2.0)
    lengths = [steps_of(line_of(track, normals, shift)).sum() for shift in (ours, theirs)]
    print("length", lengths, "largest difference of the shifts", np.abs(ours - theirs).max())
    np.testing.assert_allclose(ours, theirs, atol=0.02)


@beside_the_original
@pytest.mark.parametrize("width, apart", [((5.0, 6.0), 3.0), ((1.4, 1.5), 0.2)])
def test_the_minimum_curvature_is_at_most_theirs(width, apart):
    # On a narrow road the linearisation about its middle is good, and both find one line.
    track, normals = bean(180, *width)
    closed = np.vstack((track[:, :2], track[0, :2]))
    matrix = original.calc_splines.calc_splines(path=closed)[2]
    ours, _ = tph.opt_min_curv(track, normals, matrix, 0.2, 2.0)
    theirs, _ = original.opt_min_curv.opt_min_curv(track, normals, matrix, 0.2, 2.0)

    def energy(shift):
        points = line_of(track, normals, shift)
        return (tph._curvatures(points, True)[0] ** 2 * steps_of(points)).sum()

    print("squared curvature", energy(ours), energy(theirs), "shifts", np.abs(ours - theirs).max())
    assert energy(ours) <= energy(theirs) * (1 + 1e-6)
    assert np.abs(ours - theirs).max() < apart


@beside_the_original
@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_the_speeds_are_theirs(exponent):
    points, steps = with_drag()
    kappa = tph._curvatures(points, True)[0]
    arguments = dict(ax_max_machines=MACHINES, kappa=kappa, el_lengths=steps, closed=True, drag_coeff=0.8, m_veh=1000.0, ggv=GGV, dyn_model_exp=exponent)
    ours, theirs = tph.calc_vel_profile(**arguments), original.calc_vel_profile.calc_vel_profile(**arguments)
    laps = [(steps / (0.5 * (speed + np.roll(speed, -1)))).sum() for speed in (ours, theirs)]
    print("laps", laps, "largest difference of the speeds", np.abs(ours / theirs - 1).max())
    assert laps[0] == pytest.approx(laps[1], rel=0.002)
    np.testing.assert_allclose(ours, theirs, rtol=0.02)


def lap_by(module, track):
    """Lap time of a track as TUM's main_globaltraj finds it, with the functions of a module."""
    closed = np.vstack((track[:, :2], track[0, :2]))
    _, _, spline_matrix, normals = module.calc_splines.calc_splines(path=closed)
    assert not module.check_normals_crossing.check_normals_crossing(track=track, normvec_normalized=normals, horizon=10)
    alpha = module.opt_min_curv.opt_min_curv(
        reftrack=track, normvectors=normals, A=spline_matrix, kappa_bound=0.12, w_veh=3.4, print_debug=False, plot_debug=False
    )[0]
    line, _, coeffs_x, coeffs_y, indices, t_values, _, _, steps = module.create_raceline.create_raceline(
        refline=track[:, :2], normvectors=normals, alpha=alpha, stepsize_interp=2.0
    )
    _, kappa = module.calc_head_curv_an.calc_head_curv_an(
        coeffs_x=coeffs_x, coeffs_y=coeffs_y, ind_spls=indices, t_spls=t_values
    )
    speeds = module.calc_vel_profile.calc_vel_profile(
        ggv=GGV, ax_max_machines=MACHINES, v_max=70.0, kappa=kappa, el_lengths=steps, closed=True, filt_window=None,
        dyn_model_exp=1.0, drag_coeff=0.75, m_veh=1200.0,
    )
    accelerations = module.calc_ax_profile.calc_ax_profile(
        vx_profile=np.append(speeds, speeds[0]), el_lengths=steps, eq_length_output=False
    )
    assert len(line) == len(kappa)
    return module.calc_t_profile.calc_t_profile(vx_profile=speeds, ax_profile=accelerations, el_lengths=steps)[-1]


@beside_the_original
def test_a_program_for_the_original_runs_with_the_one_import_changed():
    track, _ = bean()
    ours, theirs = lap_by(tph, track), lap_by(original, track)
    print("laps", ours, theirs)
    assert 0.97 * theirs < ours < 1.002 * theirs
    # What this module has not, is theirs.
    assert tph.iqp_handler.iqp_handler is original.iqp_handler.iqp_handler
    with pytest.raises(AttributeError, match="neither here nor in the original"):
        tph.no_such_function


def test_what_only_the_original_has_says_how_to_get_it():
    if original is None:
        with pytest.raises(AttributeError, match="pip install trajectory-planning-helpers|needs"):
            tph.calc_splines
