/* Prints the commands for recorded states: recorded LINE.json STATES.csv */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "raceline_follower.h"

#define COLUMNS 12

static void check(raceline_status status) {
    if (status != RACELINE_OK) {
        fprintf(stderr, "%s\n", raceline_last_error());
        exit(1);
    }
}

int main(int arguments, char **argument) {
    static unsigned char bytes[1 << 24];
    static char row[4096];
    FILE *file = arguments == 3 ? fopen(argument[1], "rb") : NULL;
    FILE *states = arguments == 3 ? fopen(argument[2], "r") : NULL;
    if (file == NULL || states == NULL) {
        fprintf(stderr, "usage: recorded LINE.json STATES.csv\n");
        return 2;
    }
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);

    raceline_path *path;
    raceline_vehicle vehicle = RACELINE_VEHICLE_INIT;
    check(raceline_path_from_json(bytes, count, &path, NULL, &vehicle));
    raceline_follower_options options = RACELINE_FOLLOWER_OPTIONS_INIT;
    options.preset = RACELINE_PRESET_LIMIT;
    options.path = path;
    options.vehicle = &vehicle;
    raceline_follower *follower;
    check(raceline_follower_new(&options, &follower));

    if (fgets(row, sizeof row, states) == NULL) return 1;
    while (fgets(row, sizeof row, states) != NULL) {
        double numbers[COLUMNS];
        char *next = row;
        for (int i = 0; i < COLUMNS; i++) {
            numbers[i] = strtod(next, &next);
            if (*next == ',') next++;
        }
        raceline_state state = RACELINE_STATE_INIT;
        state.position_m[0] = numbers[0];
        state.position_m[1] = numbers[1];
        state.heading_rad = numbers[2];
        state.speed_mps = numbers[3];
        state.velocity_mps[0] = numbers[4];
        state.velocity_mps[1] = numbers[5];
        state.velocity_mps[2] = 0.0;
        state.yaw_rate_radps = numbers[6];
        raceline_neighbour other = RACELINE_NEIGHBOUR_INIT;
        other.position_m[0] = numbers[7];
        other.position_m[1] = numbers[8];
        other.heading_rad = numbers[9];
        other.velocity_mps[0] = numbers[10];
        other.velocity_mps[1] = numbers[11];
        raceline_scene scene = RACELINE_SCENE_INIT;
        scene.neighbours = &other;
        scene.neighbour_count = isnan(numbers[7]) ? 0 : 1;
        raceline_command command = RACELINE_COMMAND_INIT;
        check(raceline_follower_step(follower, path, &state, &scene, 1.0 / 60.0, &command));
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", command.pedal, command.steering_rad, command.target_speed_mps,
               command.s_m, command.cross_track_error_m, command.shift_m);
    }
    fclose(states);
    raceline_follower_free(follower);
    raceline_path_free(path);
    return 0;
}
