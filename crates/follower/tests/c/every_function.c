/* Calls every function of the C interface, and stops at the first that does not do what the header states.
 *
 *     every_function LINE.json NETWORK.json
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raceline_follower.h"

#define REQUIRE(condition)                                                                              \
    do {                                                                                                \
        if (!(condition)) {                                                                             \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, raceline_last_error());          \
            exit(1);                                                                                    \
        }                                                                                               \
    } while (0)
#define OK(call) REQUIRE((call) == RACELINE_OK)

static unsigned char bytes[1 << 22];

static size_t read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    REQUIRE(file != NULL);
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return count;
}

static raceline_state at_sample(const raceline_path_sample *place, double speed_mps) {
    raceline_state state = RACELINE_STATE_INIT;
    memcpy(state.position_m, place->position_m, sizeof state.position_m);
    state.heading_rad = place->heading_rad;
    state.speed_mps = speed_mps;
    state.velocity_mps[0] = speed_mps * cos(place->heading_rad);
    state.velocity_mps[1] = speed_mps * sin(place->heading_rad);
    state.velocity_mps[2] = 0;
    state.yaw_rate_radps = speed_mps * place->curvature_radpm;
    return state;
}

static void paths(void) {
    raceline_waypoint corner = RACELINE_WAYPOINT_INIT;
    raceline_waypoint square[4] = {corner, corner, corner, corner};
    for (int k = 0; k < 4; k++) {
        square[k].position_m[0] = k == 1 || k == 2 ? 50 : 0;
        square[k].position_m[1] = k >= 2 ? 50 : 0;
        square[k].left_m = square[k].right_m = 3;
    }
    raceline_path *path = NULL, *line = NULL;
    OK(raceline_path_new(square, 4, 1, &path));
    REQUIRE(raceline_path_length_m(path) == 200);
    OK(raceline_path_minimum_curvature(path, NULL, &line));
    REQUIRE(raceline_path_length_m(line) < 195);
    raceline_path_free(line);
    raceline_corridor_options narrow = RACELINE_CORRIDOR_OPTIONS_INIT;
    narrow.fraction = 1.5;
    REQUIRE(raceline_path_minimum_curvature(path, &narrow, &line) == RACELINE_VALUE && line == NULL);
    raceline_path_free(path);
}

static void driving(const raceline_path *path, const raceline_vehicle *vehicle) {
    /* A game's preset with a vehicle on tracks, and the limit's with a planner. */
    raceline_follower *follower = NULL, *planning = NULL;
    raceline_vehicle tracked = RACELINE_VEHICLE_INIT;
    tracked.kind = RACELINE_SKID_STEER;
    tracked.max_yaw_rate_radps = 1.5;
    raceline_follower_options options = RACELINE_FOLLOWER_OPTIONS_INIT;
    options.vehicle = &tracked;
    OK(raceline_follower_new(&options, &follower));
    raceline_planner_options planner = RACELINE_PLANNER_OPTIONS_INIT;
    planner.gap_m = 0.4;
    options.preset = RACELINE_PRESET_LIMIT;
    options.path = path;
    options.vehicle = vehicle;
    OK(raceline_follower_new(&options, &planning));
    OK(raceline_follower_set_planner(planning, path, &planner));
    raceline_option unknown = {"stuck.tries", 1};
    options.options = &unknown;
    options.option_count = 1;
    raceline_follower *none = planning;
    REQUIRE(raceline_follower_new(&options, &none) == RACELINE_VALUE && none == NULL);
    REQUIRE(strstr(raceline_last_error(), "stuck.tries") != NULL);

    raceline_path_sample place = RACELINE_PATH_SAMPLE_INIT, ahead = RACELINE_PATH_SAMPLE_INIT;
    OK(raceline_path_sample_at(path, 30, &place));
    OK(raceline_path_sample_at(path, 55, &ahead));
    raceline_state state = at_sample(&place, 8);
    raceline_command command = RACELINE_COMMAND_INIT;
    OK(raceline_follower_step(follower, path, &state, NULL, 0.016, &command));
    REQUIRE(command.struct_size == sizeof command && fabs(command.s_m - 30) < 0.1 && !command.avoiding);

    /* Something of everything. */
    raceline_neighbour other = RACELINE_NEIGHBOUR_INIT;
    memcpy(other.position_m, ahead.position_m, sizeof other.position_m);
    other.heading_rad = ahead.heading_rad;
    raceline_body obstacle = RACELINE_BODY_INIT;
    obstacle.position_m[0] = ahead.position_m[0];
    obstacle.position_m[1] = ahead.position_m[1];
    raceline_pick_up coin = RACELINE_PICK_UP_INIT;
    memcpy(coin.position_m, ahead.position_m, sizeof coin.position_m);
    raceline_scene scene = RACELINE_SCENE_INIT;
    scene.neighbours = &other;
    scene.neighbour_count = 1;
    scene.obstacles = &obstacle;
    scene.obstacle_count = 1;
    scene.pick_ups = &coin;
    scene.pick_up_count = 1;
    for (int frame = 0; frame < 5; frame++) {
        OK(raceline_follower_step(follower, path, &state, &scene, 0.016, &command));
        REQUIRE(command.avoiding && !command.reverse);
        OK(raceline_follower_step(planning, path, &state, &scene, 0.016, &command));
        REQUIRE(command.avoiding && isfinite(command.shift_m));
    }
    OK(raceline_follower_reset(follower));
    scene.reverse = 1;
    state.heading_rad += 3.141592653589793;
    state.speed_mps = -state.speed_mps;
    OK(raceline_follower_step(follower, path, &state, &scene, 0.016, &command));
    REQUIRE(command.reverse);
    raceline_follower_free(follower);
    raceline_follower_free(planning);
}

static void learning(raceline_path *path, const raceline_vehicle *vehicle) {
    raceline_learning *learning = NULL;
    raceline_learning_options options = RACELINE_LEARNING_OPTIONS_INIT;
    options.faults_reported = 1;
    OK(raceline_learning_new(path, vehicle, &options, &learning));
    raceline_path_sample place = RACELINE_PATH_SAMPLE_INIT;
    OK(raceline_path_sample_at(path, 30, &place));
    raceline_state state = at_sample(&place, 8);
    raceline_command command = RACELINE_COMMAND_INIT;
    raceline_lap lap = RACELINE_LAP_INIT;
    OK(raceline_learning_observe(learning, path, &state, &command, 0.016, &lap));
    REQUIRE(!lap.ended);
    OK(raceline_learning_fault(learning));
    OK(raceline_learning_interrupt(learning));
    OK(raceline_learning_settle(learning));
    OK(raceline_learning_apply(learning, path));
    size_t count = 0;
    OK(raceline_learning_remember(learning, NULL, 0, &count));
    REQUIRE(count > 0 && count < sizeof bytes);
    OK(raceline_learning_remember(learning, bytes, sizeof bytes, &count));
    OK(raceline_learning_recall(learning, bytes, count));
    REQUIRE(raceline_learning_recall(learning, bytes, 3) == RACELINE_JSON);
    raceline_learning_free(learning);
}

static void neural(const raceline_path *path, const raceline_vehicle *vehicle, const char *file) {
    raceline_network *network = NULL;
    raceline_neural_driver *driver = NULL;
    OK(raceline_network_from_json(bytes, read_file(file), &network));
    raceline_neural_driver_options options = RACELINE_NEURAL_DRIVER_OPTIONS_INIT;
    REQUIRE(raceline_neural_driver_new(&options, &driver) == RACELINE_POINTER);
    options.network = network;
    options.vehicle = vehicle;
    OK(raceline_neural_driver_new(&options, &driver));
    raceline_network_free(network);
    raceline_path_sample place = RACELINE_PATH_SAMPLE_INIT;
    OK(raceline_path_sample_at(path, 30, &place));
    raceline_state state = at_sample(&place, 8);
    raceline_command command = RACELINE_COMMAND_INIT;
    OK(raceline_neural_driver_step(driver, path, &state, NULL, 0.016, &command));
    REQUIRE(command.target_speed_mps > 0 && command.steering_rad != 0);
    OK(raceline_neural_driver_reset(driver));
    raceline_neural_driver_free(driver);
}

static void decisions(void) {
    static const char text[] =
        "inputs = [\"gap\", \"go\"]\noutputs = [\"attack\", \"pace\"]\nroot = \"m\"\n"
        "[machines.m]\ninitial = \"wait\"\ntransitions = [{ from = \"wait\", to = \"race\", when = \"go\" }]\n"
        "[machines.m.states.wait]\nactivity = [\"pace = 0.5\"]\n"
        "[machines.m.states.race]\ntree = { sequence = [{ condition = \"gap < 20\" }, { action = \"attack\" }] }\n";
    const uint8_t *file = (const uint8_t *)text;
    raceline_tactics *tactics = NULL;
    raceline_runner *runner = NULL;
    REQUIRE(raceline_tactics_from_toml(file, 20, &tactics) == RACELINE_JSON && tactics == NULL);
    OK(raceline_tactics_from_toml(file, sizeof text - 1, &tactics));
    uint32_t gap = 9, go = 9, attack = 9, pace = 9, race = 9;
    OK(raceline_tactics_input(tactics, "gap", &gap));
    OK(raceline_tactics_input(tactics, "go", &go));
    OK(raceline_tactics_output(tactics, "attack", &attack));
    OK(raceline_tactics_output(tactics, "pace", &pace));
    OK(raceline_tactics_state(tactics, "m.race", &race));
    REQUIRE(gap == 0 && go == 1 && attack == 0 && pace == 1);
    REQUIRE(raceline_tactics_input(tactics, "pace", &gap) == RACELINE_VALUE);
    OK(raceline_runner_new(tactics, &runner));
    raceline_tactics_free(tactics);
    double inputs[2] = {12, 0}, outputs[2] = {9, 9};
    int32_t result = 9, is_active = 9;
    OK(raceline_runner_step(runner, inputs, 2, 0.016, outputs, 2, &result));
    REQUIRE(outputs[pace] == 0.5 && outputs[attack] == 0 && result == RACELINE_RUNNING);
    OK(raceline_runner_set_tracing(runner, 1));
    inputs[go] = 1;
    OK(raceline_runner_step(runner, inputs, 2, 0.016, outputs, 2, &result));
    OK(raceline_runner_is_active(runner, race, &is_active));
    REQUIRE(outputs[attack] == 1 && outputs[pace] == 0 && is_active == 1);
    size_t count = 0;
    OK(raceline_runner_trace(runner, bytes, sizeof bytes - 1, &count));
    bytes[count] = 0;
    REQUIRE(strstr((const char *)bytes, "condition gap < 20: success, because gap is 12\n") != NULL);
    REQUIRE(raceline_runner_step(runner, inputs, 1, 0.016, outputs, 2, &result) == RACELINE_VALUE);
    REQUIRE(raceline_runner_step(runner, inputs, 2, 0.016, outputs, 1, &result) == RACELINE_VALUE);
    REQUIRE(raceline_runner_step(runner, inputs, 2, -1, outputs, 2, &result) == RACELINE_VALUE);
    REQUIRE(raceline_runner_is_active(runner, 99, &is_active) == RACELINE_VALUE);
    OK(raceline_runner_reset(runner));
    OK(raceline_runner_is_active(runner, race, &is_active));
    REQUIRE(is_active == 0);
    raceline_runner_free(runner);
}

static void tuning(void) {
    static const char text[] = "{\"format\": \"raceline-tuner\", \"version\": 1, \"options\": {\"method\": "
                               "\"bayesian\"}, \"parameters\": [{\"name\": \"a\", \"min\": 0, \"max\": 1, \"start\": "
                               "0.9}, {\"name\": \"b\", \"min\": 1, \"max\": 8, \"integer\": true}]}";
    static uint8_t bytes[4096];
    const uint8_t *file = (const uint8_t *)text;
    raceline_tuner *tuner = NULL, *again = NULL;
    REQUIRE(raceline_tuner_from_json(file, 20, &tuner) == RACELINE_JSON && tuner == NULL);
    OK(raceline_tuner_from_json(file, sizeof text - 1, &tuner));
    uint64_t trial = 9, other = 9;
    double values[2] = {9, 9}, others[2] = {8, 8}, score = -1, deviation = -1;
    size_t count = 0;
    REQUIRE(raceline_tuner_best(tuner, values, 2, &score, &deviation) == RACELINE_VALUE);
    REQUIRE(raceline_tuner_ask(tuner, &trial, values, 1) == RACELINE_VALUE);
    for (uint64_t i = 0; i < 12; i++) {
        OK(raceline_tuner_ask(tuner, &trial, values, 2));
        REQUIRE(trial == i && values[0] >= 0 && values[0] <= 1 && values[1] >= 1 && values[1] <= 8);
        if (i == 0) {
            REQUIRE(fabs(values[0] - 0.9) < 1e-12);
        }
        if (i == 3) {
            OK(raceline_tuner_tell_failed(tuner, trial));
        } else {
            OK(raceline_tuner_tell(tuner, trial, fabs(values[0] - 0.4) + values[1]));
        }
    }
    REQUIRE(raceline_tuner_tell(tuner, 0, 1) == RACELINE_VALUE);
    REQUIRE(raceline_tuner_tell(tuner, 99, 1) == RACELINE_VALUE);
    OK(raceline_tuner_best(tuner, values, 2, &score, &deviation));
    REQUIRE(score < 4 && deviation >= 0);
    OK(raceline_tuner_report(tuner, bytes, sizeof bytes - 1, &count));
    bytes[count] = 0;
    REQUIRE(strstr((const char *)bytes, "12 trials, 1 failed") != NULL);
    OK(raceline_tuner_save(tuner, bytes, sizeof bytes, &count));
    OK(raceline_tuner_from_json(bytes, count, &again));
    OK(raceline_tuner_ask(tuner, &trial, values, 2));
    OK(raceline_tuner_ask(again, &other, others, 2));
    REQUIRE(trial == other && values[0] == others[0] && values[1] == others[1]);
    raceline_tuner_free(tuner);
    raceline_tuner_free(again);
}

static void agents(const raceline_path *path) {
    raceline_agent agent = RACELINE_AGENT_INIT;
    agent.velocity_mps[0] = 4;
    raceline_body body = RACELINE_BODY_INIT;
    raceline_body bodies[2] = {body, body};
    bodies[0].position_m[0] = 6;
    bodies[1].position_m[1] = 2;
    bodies[1].velocity_mps[1] = -3;
    const double target[2] = {10, 5};
    double a[2], wanted[3][2], weights[3] = {1, 0.5, 0.2};
    OK(raceline_seek(&agent, target, wanted[0]));
    REQUIRE(wanted[0][1] > 0);
    OK(raceline_flee(&agent, target, a));
    REQUIRE(a[1] < 0);
    OK(raceline_arrival(&agent, target, 5, a));
    OK(raceline_pursuit(&agent, &bodies[1], 5, a));
    OK(raceline_evasion(&agent, &bodies[1], 5, a));
    double time = -1;
    OK(raceline_interception_time_s(target, 5, &bodies[1], &time));
    REQUIRE(time > 0);
    OK(raceline_avoid_obstacles(&agent, bodies, 2, NULL, wanted[1]));
    REQUIRE(wanted[1][0] != 0 || wanted[1][1] != 0);
    raceline_avoidance_options avoidance = RACELINE_AVOIDANCE_OPTIONS_INIT;
    OK(raceline_avoid_bodies(&agent, bodies, 2, &avoidance, a));
    raceline_neighbourhood near = RACELINE_NEIGHBOURHOOD_INIT;
    OK(raceline_separation(&agent, bodies, 2, &near, wanted[2]));
    OK(raceline_cohesion(&agent, bodies, 2, &near, a));
    OK(raceline_alignment(&agent, bodies, 2, NULL, a));
    const double beside[2] = {-1, 2}, walls[1][2][2] = {{{-50, -1}, {50, -1}}};
    OK(raceline_offset_pursuit(&agent, &bodies[0], beside, 5, a));
    raceline_wall_options wall = RACELINE_WALL_OPTIONS_INIT;
    OK(raceline_follow_wall(&agent, (const double(*)[2][2])walls, 1, &wall, a));
    REQUIRE(a[1] > 0);
    raceline_leader_options leader = RACELINE_LEADER_OPTIONS_INIT;
    OK(raceline_follow_leader(&agent, &bodies[0], &bodies[1], 1, &leader, a));
    raceline_path_following_options following = RACELINE_PATH_FOLLOWING_OPTIONS_INIT;
    double place = 0;
    OK(raceline_follow_path(&agent, path, &place, &following, a));
    const float cells[4][2] = {{1, 0}, {1, 0}, {1, 1}, {1, 1}};
    raceline_flow_field field = RACELINE_FLOW_FIELD_INIT;
    field.columns = 2;
    field.cell_m = 5;
    field.velocities_mps = cells;
    field.cell_count = 4;
    OK(raceline_follow_flow_field(&agent, &field, 0.5, a));
    field.columns = 3;
    REQUIRE(raceline_follow_flow_field(&agent, &field, 0.5, a) == RACELINE_VALUE);
    raceline_wander_options walk = RACELINE_WANDER_OPTIONS_INIT;
    raceline_wander *wander = NULL;
    OK(raceline_wander_new(&walk, &wander));
    OK(raceline_wander_step(wander, &agent, 0.016, a));
    raceline_wander_free(wander);
    OK(raceline_blend_weighted(&agent, weights, (const double(*)[2])wanted, 3, a));
    OK(raceline_blend_by_priority(&agent, (const double(*)[2])wanted, 3, a));
    OK(raceline_agent_advance(&agent, a, 0.016));
    REQUIRE(agent.position_m[0] > 0 && agent.max_speed_mps == 10);
    raceline_state state = RACELINE_STATE_INIT;
    double pedal, steering;
    OK(raceline_car_controls(a, &state, NULL, 5, 8, &pedal, &steering));
    REQUIRE(fabs(pedal) <= 1 && isfinite(steering));
}

static void grid_planner(void) {
    raceline_grid_planner *planner = NULL;
    REQUIRE(raceline_grid_planner_new(3, 2, NULL, 0, 6, &planner) == RACELINE_VALUE && planner == NULL);
    REQUIRE(raceline_grid_planner_new(1u << 13, 1u << 13, NULL, 0, 1, &planner) == RACELINE_VALUE);
    REQUIRE(raceline_grid_planner_new(0, 2, NULL, 0, 0, &planner) == RACELINE_VALUE);
    OK(raceline_grid_planner_new(3, 2, NULL, 0, 2, &planner));
    uint32_t cells[6];
    size_t count = 0, expanded = 0;
    uint64_t cost = 0;
    OK(raceline_grid_planner_path(planner, cells, 6, &count, &cost, &expanded));
    REQUIRE(count == 3 && cells[1] == 1 && cost == 2000 && expanded > 0);
    /* The cell in the middle of the upper row is seen to be blocked. */
    uint32_t changed[2] = {1, 9};
    uint8_t is_blocked[2] = {1, 1};
    REQUIRE(raceline_grid_planner_update(planner, changed, is_blocked, 2) == RACELINE_VALUE);
    OK(raceline_grid_planner_update(planner, changed, is_blocked, 1));
    cells[0] = 77;
    OK(raceline_grid_planner_path(planner, cells, 4, &count, NULL, NULL));
    REQUIRE(count == 5 && cells[0] == 77);
    OK(raceline_grid_planner_path(planner, cells, 6, &count, &cost, NULL));
    REQUIRE(count == 5 && cells[1] == 3 && cells[3] == 5 && cost == 4000);
    OK(raceline_grid_planner_move_to(planner, 3));
    REQUIRE(raceline_grid_planner_move_to(planner, 6) == RACELINE_VALUE);
    OK(raceline_grid_planner_path(planner, cells, 6, &count, &cost, NULL));
    REQUIRE(count == 4 && cells[0] == 3 && cost == 3000);
    /* The lower row as well: no path. */
    changed[0] = 4;
    OK(raceline_grid_planner_update(planner, changed, is_blocked, 1));
    OK(raceline_grid_planner_path(planner, NULL, 0, &count, &cost, NULL));
    REQUIRE(count == 0 && cost == 0);
    raceline_grid_planner_free(planner);
    raceline_grid_planner_free(NULL);
    uint8_t wall[6] = {0, 1, 0, 0, 1, 0};
    OK(raceline_grid_planner_new(3, 2, wall, 0, 2, &planner));
    OK(raceline_grid_planner_path(planner, cells, 6, &count, &cost, NULL));
    REQUIRE(count == 0);
    raceline_grid_planner_free(planner);
}

static void anytime_search(void) {
    raceline_anytime_search *search = NULL;
    REQUIRE(raceline_anytime_search_new(3, 2, NULL, 0, 6, 3, 0.5, &search) == RACELINE_VALUE && search == NULL);
    REQUIRE(raceline_anytime_search_new(1u << 13, 1u << 13, NULL, 0, 1, 3, 0.5, &search) == RACELINE_VALUE);
    REQUIRE(raceline_anytime_search_new(3, 2, NULL, 0, 2, 0.5, 0.5, &search) == RACELINE_VALUE);
    REQUIRE(strstr(raceline_last_error(), "factor") != NULL);
    /* Walls from above and from below in turn, which a greedy search follows into their dead ends. */
    static uint8_t blocked[60 * 40];
    for (int cell = 0; cell < 60 * 40; cell++) {
        int column = cell % 60, row = cell / 60;
        blocked[cell] = column % 10 == 9 && (column / 10 % 2 == 0 ? row < 36 : row > 3);
    }
    OK(raceline_anytime_search_new(60, 40, blocked, 0, 59, 3, 0.5, &search));
    static uint32_t cells[60 * 40];
    size_t count = 9, expanded = 0;
    uint64_t cost = 9;
    OK(raceline_anytime_search_path(search, cells, 60 * 40, &count, &cost));
    REQUIRE(count == 0 && cost == 0);
    double factor = 0, first_factor;
    uint64_t first_cost;
    OK(raceline_anytime_search_improve(search, &first_factor, &expanded));
    OK(raceline_anytime_search_path(search, NULL, 0, &count, &first_cost));
    REQUIRE(first_factor > 1 && first_factor <= 3 && expanded > 0 && count > 59 && first_cost > 59000);
    do {
        OK(raceline_anytime_search_improve(search, &factor, NULL));
    } while (factor > 1);
    OK(raceline_anytime_search_path(search, cells, 60 * 40, &count, &cost));
    REQUIRE(factor == 1 && cells[0] == 0 && cells[count - 1] == 59);
    REQUIRE(cost <= first_cost && (double)first_cost <= first_factor * (double)cost);
    /* The same cost as that of the planner which repairs. */
    raceline_grid_planner *planner = NULL;
    uint64_t minimum = 0;
    OK(raceline_grid_planner_new(60, 40, blocked, 0, 59, &planner));
    OK(raceline_grid_planner_path(planner, NULL, 0, &count, &minimum, NULL));
    REQUIRE(minimum == cost);
    raceline_grid_planner_free(planner);
    OK(raceline_anytime_search_improve(search, &factor, &expanded));
    REQUIRE(factor == 1 && expanded == 0);
    REQUIRE(raceline_anytime_search_improve(search, NULL, NULL) == RACELINE_POINTER);
    raceline_anytime_search_free(search);
    raceline_anytime_search_free(NULL);
    uint8_t wall[6] = {0, 1, 0, 0, 1, 0};
    OK(raceline_anytime_search_new(3, 2, wall, 0, 2, 3, 0.5, &search));
    OK(raceline_anytime_search_improve(search, &factor, &expanded));
    OK(raceline_anytime_search_path(search, cells, 6, &count, &cost));
    REQUIRE(factor == 0 && expanded == 2 && count == 0 && cost == 0);
    raceline_anytime_search_free(search);
}

/* The tiles of a map, row by row: a ring of roads. */
static const uint8_t tiles_of_ring[12] = {9, 5, 5, 12, 10, 0, 0, 10, 3, 5, 5, 6};

static void tile_race(void) {
    raceline_tile_driver *driver = NULL;
    uint32_t checkpoints[2] = {3, 8}, off_the_map[1] = {12}, tiles[12], tile = 9;
    REQUIRE(raceline_tile_driver_new(4, 3, NULL, 12, checkpoints, 2, 11, 0, &driver) == RACELINE_VALUE && driver == NULL);
    REQUIRE(raceline_tile_driver_new(4, 3, NULL, 0, off_the_map, 1, 11, 0, &driver) == RACELINE_VALUE);
    REQUIRE(raceline_tile_driver_new(0, 3, NULL, 0, checkpoints, 2, 11, 0, &driver) == RACELINE_VALUE);
    REQUIRE(raceline_tile_driver_new(1u << 12, 1u << 11, NULL, 0, checkpoints, 2, 11, 0, &driver) == RACELINE_VALUE);
    REQUIRE(raceline_tile_driver_new(4, 3, NULL, 0, NULL, 2, 11, 0, &driver) == RACELINE_POINTER);
    REQUIRE(raceline_tile_driver_new(4, 3, NULL, 0, checkpoints, 2, 25, 0, &driver) == RACELINE_VALUE);
    REQUIRE(strstr(raceline_last_error(), "depth") != NULL);
    REQUIRE(raceline_tile_driver_new(4, 3, NULL, 0, checkpoints, 2, 11, -1, &driver) == RACELINE_VALUE);
    /* The map known: to the upper right corner, and back round the ring or as it came, which costs as much. */
    OK(raceline_tile_driver_new(4, 3, tiles_of_ring, 0, checkpoints, 2, 11, 0, &driver));
    size_t count = 0, passed = 9, expanded = 0;
    uint64_t score = 0;
    OK(raceline_tile_driver_route(driver, tiles, 12, &count, &score, &expanded));
    REQUIRE(count == 9 && tiles[0] == 0 && tiles[3] == 3 && tiles[8] == 8 && score == 8000 && expanded > 0);
    tiles[0] = 77;
    OK(raceline_tile_driver_route(driver, tiles, 8, &count, NULL, NULL));
    REQUIRE(count == 9 && tiles[0] == 77);
    REQUIRE(raceline_tile_driver_route(driver, tiles, 12, NULL, NULL, NULL) == RACELINE_POINTER);
    REQUIRE(raceline_tile_driver_advance(driver, NULL, &passed) == RACELINE_POINTER);
    raceline_tile_driver_free(driver);
    /* A turn back costs two tiles and more than the corners of the ring, so that it is driven on. */
    OK(raceline_tile_driver_new(4, 3, tiles_of_ring, 0, checkpoints, 2, 11, 0.25, &driver));
    OK(raceline_tile_driver_route(driver, tiles, 12, &count, &score, NULL));
    REQUIRE(count == 9 && tiles[4] == 7 && score == 8500);
    raceline_tile_driver_free(driver);
    /* The map unknown: the driver sees its neighbours, and passes both checkpoints in their order. */
    OK(raceline_tile_driver_new(4, 3, NULL, 0, checkpoints, 2, 11, 0, &driver));
    uint32_t at = 0;
    passed = 0;
    int ticks = 0;
    for (; passed < 2; ticks++) {
        for (uint32_t seen = 0; seen < 12; seen++) {
            int columns = abs((int)(seen % 4) - (int)(at % 4)), rows = abs((int)(seen / 4) - (int)(at / 4));
            if (columns + rows <= 1) OK(raceline_tile_driver_see(driver, &seen, &tiles_of_ring[seen], 1));
        }
        OK(raceline_tile_driver_advance(driver, &tile, &passed));
        REQUIRE(tile != at && ticks < 20);
        at = tile;
    }
    REQUIRE(at == 8 && ticks == 8);
    /* A finished race stands still. */
    OK(raceline_tile_driver_advance(driver, &tile, NULL));
    REQUIRE(tile == 8);
    OK(raceline_tile_driver_route(driver, tiles, 12, &count, &score, NULL));
    REQUIRE(count == 1 && score == 0);
    raceline_tile_driver_free(driver);
    raceline_tile_driver_free(NULL);
    /* A checkpoint behind closed sides: nothing changes with a wrong tile among those that are seen. */
    OK(raceline_tile_driver_new(2, 1, NULL, 0, checkpoints, 0, 11, 0, &driver));
    OK(raceline_tile_driver_advance(driver, &tile, &passed));
    REQUIRE(tile == 0 && passed == 0);
    raceline_tile_driver_free(driver);
    uint32_t right[2] = {1, 2};
    uint8_t closed[2] = {0, 0};
    OK(raceline_tile_driver_new(2, 1, NULL, 0, right, 1, 11, 0, &driver));
    REQUIRE(raceline_tile_driver_see(driver, right, closed, 2) == RACELINE_VALUE);
    OK(raceline_tile_driver_route(driver, tiles, 12, &count, NULL, NULL));
    REQUIRE(count == 2);
    OK(raceline_tile_driver_see(driver, right, closed, 1));
    OK(raceline_tile_driver_route(driver, tiles, 12, &count, &score, NULL));
    REQUIRE(count == 0 && score == 0);
    OK(raceline_tile_driver_advance(driver, &tile, &passed));
    REQUIRE(tile == 0 && passed == 0);
    raceline_tile_driver_free(driver);
}

static void crowds(void) {
    raceline_neighbour_grid *grid = NULL;
    REQUIRE(raceline_neighbour_grid_new(4, 0, &grid) == RACELINE_VALUE && grid == NULL);
    REQUIRE(raceline_neighbour_grid_new((size_t)RACELINE_MAX_AGENTS + 1, 10, &grid) == RACELINE_VALUE);
    raceline_flock flock = RACELINE_FLOCK_INIT;
    OK(raceline_neighbour_grid_new(4, flock.cohesion_radius_m, &grid));
    raceline_body body = RACELINE_BODY_INIT;
    raceline_body bodies[3] = {body, body, body}, found[2] = {body, body};
    bodies[1].position_m[0] = 2;
    bodies[2].position_m[1] = 90;
    OK(raceline_neighbour_grid_rebuild(grid, bodies, 3));
    size_t count = 9;
    OK(raceline_neighbour_grid_others(grid, 0, 10, found, 2, &count));
    REQUIRE(count == 1 && found[0].position_m[0] == 2);
    raceline_agent agent = RACELINE_AGENT_INIT;
    raceline_agent agents[2] = {agent, agent};
    agents[1].position_m[0] = 1;
    double wanted[2][2];
    OK(raceline_flock_accelerations(&flock, grid, agents, 2, wanted));
    OK(raceline_flock_step(NULL, grid, agents, 2, 0.5));
    REQUIRE(wanted[1][0] > 0 && agents[1].velocity_mps[0] == 0.5 * wanted[1][0]);
    raceline_neighbour_grid_free(grid);
}

int main(int count, char **argument) {
    REQUIRE(count == 3 && raceline_follower_version() == RACELINE_FOLLOWER_VERSION);
    REQUIRE(raceline_last_error()[0] == '\0');
    paths();
    raceline_path *path = NULL;
    raceline_line_info info = RACELINE_LINE_INFO_INIT;
    raceline_vehicle vehicle = RACELINE_VEHICLE_INIT;
    OK(raceline_verify(bytes, read_file(argument[1])));
    OK(raceline_path_from_json(bytes, read_file(argument[1]), &path, &info, &vehicle));
    REQUIRE(info.lap_time_s > 10);
    driving(path, &vehicle);
    learning(path, &vehicle);
    neural(path, &vehicle, argument[2]);
    decisions();
    tuning();
    agents(path);
    crowds();
    grid_planner();
    anytime_search();
    tile_race();
    raceline_path_free(path);
    puts("every function was called");
    return 0;
}
