"""The environments: Gymnasium's own check, episodes, and the follower as a policy."""

import gymnasium
import numpy as np
import pytest
import raceline
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import raceline.gym

NAME = "raceline/Track-v0"


@pytest.fixture(scope="module")
def line():
    return raceline.optimize(raceline.generate("kart", seed=7), vehicle="kart", method="min-curvature")


def many(line, count, **keywords):
    return gymnasium.make_vec(NAME, num_envs=count, vectorization_mode="vector_entry_point", track=line, **keywords)


@pytest.mark.filterwarnings("ignore:.*Box.*bound is -?infinity")
def test_the_checker_of_gymnasium_accepts_it(line):
    check_env(gymnasium.make(NAME, track=line).unwrapped)
    check_env(gymnasium.make(NAME, track=line, render_mode="rgb_array").unwrapped)


def test_a_picture_shows_the_road_and_the_vehicle_on_it(line):
    world = gymnasium.make(NAME, track=line, render_mode="rgb_array", preview=20.0, random_start=False)
    world.reset(options={"s": 30.0, "offset": 0.0, "heading": 0.0, "speed": 5.0})
    picture = world.render()
    assert picture.shape == (400, 400, 3) and picture.dtype == np.uint8
    # The vehicle stands at three quarters of the height; one pixel is 20 / 300 m.
    assert tuple(picture[300, 200]) == (109, 179, 255)
    nearest = int(np.argmin(np.abs(line.s - 30.0)))
    road = np.abs(picture[300].astype(int) - (72, 76, 82)).max(axis=1) < 12
    metres = 20.0 / 300.0
    for side, room in ((-1, line.left[nearest]), (1, line.right[nearest])):
        edge = round(200 + side * room / metres)
        # Beside the vehicle there is road up to the edge, and none beyond.
        assert road[edge - 4 * side] and not road[edge + 4 * side :: side].any()
    before = picture.copy()
    world.step(np.array([1.0, 1.0], dtype=np.float32))
    assert (world.render() != before).any() and (picture == before).all()
    still = gymnasium.make(NAME, track=line)
    assert still.render_mode is None and still.unwrapped.render() is None
    assert still.metadata["render_fps"] == 20
    with pytest.raises(raceline.OptionsError, match="render_mode is 'human'"):
        raceline.gym.TrackEnv(line, render_mode="human")


def test_a_straight_push_gains_metres_and_leaves_the_road_at_the_first_bend(line):
    world = gymnasium.make(NAME, track=line, random_start=False)
    seen, info = world.reset(seed=3)
    assert world.observation_space.contains(seen) and info["s"] == pytest.approx(0.0, abs=1e-6)
    gained, ended = 0.0, False
    while not ended:
        seen, reward, ended, cut, info = world.step(np.array([0.0, 1.0], dtype=np.float32))
        gained += reward
        assert not cut
    assert 5.0 < gained < 0.5 * line.length
    assert info["room"] < 0.0 and seen[0] > 0.1


def test_a_seed_and_its_actions_give_the_same_episode(line):
    def episode():
        world = gymnasium.make(NAME, track=line)
        rows = [world.reset(seed=11)[0]]
        rows += [world.step(np.array([0.1, 0.5], dtype=np.float32))[0] for _ in range(20)]
        return np.stack(rows)

    assert np.array_equal(episode(), episode())


def test_many_drive_as_one_does_in_any_number_of_threads(line):
    count, frames = 40, 30
    actions = np.random.default_rng(5).uniform(-0.3, 0.3, (frames, count, 2)).astype(np.float32)
    rows = []
    for threads in (1, 2, 3):
        worlds = many(line, count, threads=threads)
        worlds.reset(seed=2)
        rows.append(np.stack([np.concatenate([seen, rewards[:, None]], 1) for seen, rewards, *_ in map(worlds.step, actions)]))
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])
    alone = gymnasium.make(NAME, track=line)
    alone.reset(options={"s": 12.0, "offset": 0.5, "heading": 0.02, "speed": 6.0})
    together = many(line, 3)
    together.reset(options={"s": 12.0, "offset": 0.5, "heading": 0.02, "speed": 6.0})
    for action in actions[:, 0]:
        one, reward, *_ = alone.step(action)
        all_of_them, rewards, *_ = together.step(np.stack([action] * 3))
        assert np.array_equal(all_of_them[1], one) and rewards[2] == reward


def test_an_episode_that_ended_begins_anew_at_the_next_step(line):
    worlds = many(line, 2, max_seconds=0.25)
    assert worlds.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    worlds.reset(seed=4)
    still = np.zeros((2, 2), dtype=np.float32)
    cuts = [worlds.step(still)[3].tolist() for _ in range(12)]
    # Five frames of 0.05 s; the sixth begins anew.
    assert [cut[0] for cut in cuts] == [False] * 4 + [True] + [False] * 5 + [True, False]
    _, rewards, ended, _, infos = worlds.step(still)
    assert not ended.any() and infos["_s"].all() and rewards.shape == (2,)


def test_the_observation_sees_the_edges_of_the_road(line):
    world = gymnasium.make(NAME, track=line, preview=20.0, preview_points=4)
    seen, _ = world.reset(options={"s": 30.0, "offset": 0.0, "heading": 0.0, "speed": 5.0})
    assert seen.shape == (7 + 5 * 4,)
    nearest = int(np.argmin(np.abs(line.s - 30.0)))
    assert seen[5] * 20.0 == pytest.approx(line.left[nearest], abs=0.3)
    assert seen[6] * 20.0 == pytest.approx(line.right[nearest], abs=0.3)
    places = seen[7:23].reshape(4, 4) * 20.0
    # The left edge lies to the left of the right one, by the width of the road; farther places farther ahead.
    widths = np.hypot(places[:, 0] - places[:, 2], places[:, 1] - places[:, 3])
    assert (widths > 0.8 * (seen[5] + seen[6]) * 20.0).all() and (np.diff(places[:, 0]) > 0.0).all()


def test_the_follower_drives_a_lap_near_the_time_of_its_line(line):
    world = gymnasium.make(NAME, track=line, frame_rate=60.0, random_start=False, laps=2)
    policy = raceline.gym.FollowerPolicy(world)
    world.reset(seed=1)
    frames, ended = 0, False
    while not ended:
        _, _, ended, cut, info = world.step(policy())
        assert not cut and info["room"] > -0.05
        frames += 1
    assert info["gained"] >= 2.0 * line.length - 1.0
    # Two laps from rest.
    assert 2.0 * line.lap_time < frames / 60.0 < 2.2 * line.lap_time + 3.0


def test_what_is_wrong_is_named(line):
    with pytest.raises(raceline.OptionsError, match="seed: a line has its options already"):
        raceline.gym.TrackEnv(line, seed=3)
    with pytest.raises(raceline.InputError, match="preview_m"):
        raceline.gym.TrackEnv(line, preview=0.0)
    with pytest.raises(raceline.OptionsError, match="'speed_mps'"):
        raceline.gym.TrackEnv(line).reset(options={"speed_mps": 3.0})
    with pytest.raises(raceline.InputError, match=r"shape \(3, 2\)"):
        raceline.gym.TrackVectorEnv(3, line).step(np.zeros((2, 2)))
    with pytest.raises(raceline.OptionsError, match="count is 0"):
        raceline.gym.TrackVectorEnv(0, line)
