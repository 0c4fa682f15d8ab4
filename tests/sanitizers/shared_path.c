/* Drives several vehicles along one path, each with a follower and a thread of its own, among each other.
 *
 *     shared_path LINE.json THREADS STEPS
 *
 * Prints the metres that were driven. Exit code 1 if a call fails or a command is no command.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "raceline_follower.h"

#define FRAME_S (1.0 / 60.0)
#define MAX_THREADS 64

static const raceline_path *path;
static raceline_vehicle vehicle = RACELINE_VEHICLE_INIT;
static long steps;
static double driven_m[MAX_THREADS];

static void require(raceline_status status, const char *what) {
    if (status != RACELINE_OK) {
        fprintf(stderr, "%s: %s\n", what, raceline_last_error());
        exit(1);
    }
}

/* A car that rolls without slip. Every third thread has a planner and traffic, every second the limits of the
 * file's vehicle; each fails a call now and then, so that the messages of the threads meet. */
static void *drive(void *argument) {
    size_t number = (size_t)argument;
    raceline_follower_options options = RACELINE_FOLLOWER_OPTIONS_INIT;
    options.preset = number % 2 ? RACELINE_PRESET_LIMIT : RACELINE_PRESET_RACING;
    options.path = path;
    options.vehicle = &vehicle;
    raceline_follower *follower = NULL;
    require(raceline_follower_new(&options, &follower), "raceline_follower_new");
    if (number % 3 == 0) {
        require(raceline_follower_set_planner(follower, path, NULL), "raceline_follower_set_planner");
    }
    raceline_path_sample at = RACELINE_PATH_SAMPLE_INIT;
    double length_m = raceline_path_length_m(path);
    require(raceline_path_sample_at(path, length_m * (double)number / MAX_THREADS, &at), "raceline_path_sample_at");
    raceline_state state = RACELINE_STATE_INIT;
    state.position_m[0] = at.position_m[0];
    state.position_m[1] = at.position_m[1];
    state.heading_rad = at.heading_rad;
    state.speed_mps = 8;
    raceline_neighbour others[3] = {RACELINE_NEIGHBOUR_INIT, RACELINE_NEIGHBOUR_INIT, RACELINE_NEIGHBOUR_INIT};
    raceline_body obstacle = RACELINE_BODY_INIT;
    raceline_pick_up coin = RACELINE_PICK_UP_INIT;
    raceline_scene scene = RACELINE_SCENE_INIT;
    scene.neighbours = others;
    scene.obstacles = &obstacle;
    scene.pick_ups = &coin;
    for (long step = 0; step < steps; step++) {
        raceline_command command = RACELINE_COMMAND_INIT;
        raceline_path_sample ahead = RACELINE_PATH_SAMPLE_INIT;
        int among = number % 3 == 0 && step % 100 < 30;
        if (among) {
            for (int k = 0; k < 3; k++) {
                require(raceline_path_sample_at(path, at.s_m + 15.0 * (k + 1), &ahead), "raceline_path_sample_at");
                others[k].position_m[0] = ahead.position_m[0];
                others[k].position_m[1] = ahead.position_m[1] + (k - 1);
                others[k].heading_rad = ahead.heading_rad;
            }
            obstacle.position_m[0] = ahead.position_m[0] + 3;
            obstacle.position_m[1] = ahead.position_m[1];
            coin.position_m[0] = ahead.position_m[0];
            coin.position_m[1] = ahead.position_m[1];
        }
        scene.neighbour_count = among ? 3 : 0;
        scene.obstacle_count = scene.pick_up_count = among ? 1 : 0;
        state.velocity_mps[0] = state.speed_mps * cos(state.heading_rad);
        state.velocity_mps[1] = state.speed_mps * sin(state.heading_rad);
        state.velocity_mps[2] = 0;
        require(raceline_follower_step(follower, path, &state, &scene, FRAME_S, &command), "raceline_follower_step");
        if (!(fabs(command.pedal) <= 1) || !isfinite(command.steering_rad)) {
            fprintf(stderr, "step %ld: pedal %g, steering %g\n", step, command.pedal, command.steering_rad);
            exit(1);
        }
        if (step % 1000 == 999 && raceline_path_sample_at(NULL, 0, &ahead) != RACELINE_POINTER) {
            fprintf(stderr, "a null path was accepted\n");
            exit(1);
        }
        double distance_m = state.speed_mps * FRAME_S;
        state.yaw_rate_radps = state.speed_mps * tan(command.steering_rad) / vehicle.wheelbase_m;
        state.position_m[0] += distance_m * cos(state.heading_rad);
        state.position_m[1] += distance_m * sin(state.heading_rad);
        state.heading_rad += state.yaw_rate_radps * FRAME_S;
        double thrust = command.reverse ? -command.pedal : command.pedal;
        state.speed_mps += (thrust > 0 ? 6.0 : 12.0) * thrust * FRAME_S;
        state.speed_mps = fmax(command.reverse ? -5.0 : 0.0, fmin(state.speed_mps, command.target_speed_mps + 1.0));
        if (command.place_back) {
            state.position_m[0] = command.place_position_m[0];
            state.position_m[1] = command.place_position_m[1];
            state.heading_rad = command.place_heading_rad;
            state.speed_mps = 0;
        }
        at.s_m = command.s_m;
        driven_m[number] += fabs(distance_m);
    }
    raceline_follower_free(follower);
    return NULL;
}

int main(int count, char **argument) {
    if (count != 4 || atoi(argument[2]) < 1 || atoi(argument[2]) > MAX_THREADS) {
        fprintf(stderr, "usage: shared_path LINE.json THREADS STEPS\n");
        return 2;
    }
    FILE *file = fopen(argument[1], "rb");
    static unsigned char bytes[1 << 22];
    size_t size = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    if (file == NULL || fclose(file)) {
        perror(argument[1]);
        return 1;
    }
    raceline_path *loaded = NULL;
    require(raceline_path_from_json(bytes, size, &loaded, NULL, &vehicle), argument[1]);
    path = loaded;
    steps = atol(argument[3]);
    int threads = atoi(argument[2]);
    pthread_t running[MAX_THREADS];
    for (size_t number = 0; number < (size_t)threads; number++) {
        if (pthread_create(&running[number], NULL, drive, (void *)number)) {
            perror("pthread_create");
            return 1;
        }
    }
    double all_m = 0;
    for (int number = 0; number < threads; number++) {
        pthread_join(running[number], NULL);
        all_m += driven_m[number];
    }
    raceline_path_free(loaded);
    printf("%d vehicles, %ld steps each, %.0f m\n", threads, steps, all_m);
    return 0;
}
