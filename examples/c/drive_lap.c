/* Drives laps of a racing line through the C interface, with a small car that rolls without slip.
 *
 *     drive_lap LINE.json
 *
 * Prints the time of a flying lap, how far the car was from the line at most, and whether it kept to the road. Exit code 1 if it didn't get round.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "raceline_follower.h"

#define FRAME_S (1.0 / 60.0)
#define PI 3.14159265358979323846

/* A car for the example: a bicycle that rolls without slip, its reference point midway between the axles. */
typedef struct car {
    double x_m, y_m, heading_rad, speed_mps;
} car;

/* What its pedal does, m/s2. */
static const double FULL_THROTTLE_MPS2 = 6.0;
static const double FULL_BRAKE_MPS2 = 12.0;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, rlf_last_error());
    exit(1);
}

static unsigned char *read_file(const char *name, size_t *count) {
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0, used = 0, got;
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    do {
        if (used == room) {
            room = room == 0 ? 65536 : 2 * room;
            bytes = realloc(bytes, room);
            if (bytes == NULL) {
                perror(name);
                exit(1);
            }
        }
        got = fread(bytes + used, 1, room - used, file);
        used += got;
    } while (got > 0);
    fclose(file);
    *count = used;
    return bytes;
}

static void move_car(car *c, const rlf_command *command, const rlf_vehicle_geometry *vehicle) {
    double gear = command->reverse ? -1.0 : 1.0;
    double slip = atan(tan(command->steering_rad) * vehicle->rear_axle_m / vehicle->wheelbase_m);
    double before = c->speed_mps;
    if (command->pedal >= 0.0) {
        c->speed_mps += gear * command->pedal * FULL_THROTTLE_MPS2 * FRAME_S;
    } else {
        double slower = fabs(before) + command->pedal * FULL_BRAKE_MPS2 * FRAME_S;
        c->speed_mps = copysign(slower > 0.0 ? slower : 0.0, before);
    }
    double way = 0.5 * (before + c->speed_mps) * FRAME_S;
    double turn = way * cos(slip) * tan(command->steering_rad) / vehicle->wheelbase_m;
    c->x_m += way * cos(c->heading_rad + 0.5 * turn + slip);
    c->y_m += way * sin(c->heading_rad + 0.5 * turn + slip);
    c->heading_rad = remainder(c->heading_rad + turn, 2.0 * PI);
}

int main(int arguments, char **argument) {
    if (arguments != 2) {
        fprintf(stderr, "usage: %s LINE.json\n", argument[0]);
        return 2;
    }
    if (rlf_abi_version() != RLF_ABI_VERSION) {
        fprintf(stderr, "the library's interface is version %u, this program's %u\n", rlf_abi_version(), RLF_ABI_VERSION);
        return 1;
    }

    /* Once: the line, the options, the follower. */
    size_t count = 0;
    unsigned char *bytes = read_file(argument[1], &count);
    rlf_path *path = NULL;
    rlf_line_info info;
    if (rlf_path_from_json(bytes, count, &path, &info) != RLF_OK) {
        fail(argument[1]);
    }
    free(bytes);
    rlf_options *options = NULL;
    if (rlf_options_new(1, &options) != RLF_OK || rlf_options_set(options, "target_speed.profile_scale", 0.98) != RLF_OK ||
        rlf_options_set(options, "speed_control.full_throttle_mps2", FULL_THROTTLE_MPS2) != RLF_OK ||
        rlf_options_set(options, "speed_control.full_brake_mps2", FULL_BRAKE_MPS2) != RLF_OK) {
        fail("options");
    }
    rlf_vehicle_geometry vehicle = info.vehicle;
    rlf_follower *follower = NULL;
    if (rlf_follower_new(options, &vehicle, &follower) != RLF_OK) {
        fail("follower");
    }
    rlf_options_free(options);

    /* On the first point, at rest. */
    rlf_waypoint start;
    car c = {0};
    if (rlf_path_sample(path, 0.0, &start, &c.heading_rad) != RLF_OK) {
        fail("path");
    }
    c.x_m = start.position_m[0];
    c.y_m = start.position_m[1];

    double length = rlf_path_length_m(path), driven = 0.0, last_s = 0.0, time = 0.0, lap_began = 0.0, worst = 0.0;
    double patience_s = 5.0 * info.lap_time_s + 60.0;
    int lap = 0, left_road = 0;
    while (lap < 2 && time < patience_s) {
        rlf_vehicle_state state = {
            {c.x_m, c.y_m, 0.0},
            c.heading_rad,
            c.speed_mps,
            /* This car turns at once and never slides; of one that does, the follower wants to know these. */
            {NAN, NAN, NAN},
            NAN,
        };
        rlf_command command;

        /* Once a frame. */
        if (rlf_follower_step(follower, path, &state, FRAME_S, &command) != RLF_OK) {
            fail("step");
        }
        move_car(&c, &command, &vehicle);
        time += FRAME_S;

        driven += remainder(command.s_m - last_s, length);
        last_s = command.s_m;
        if (lap == 1) {
            worst = fmax(worst, fabs(command.cross_track_error_m));
            left_road |= !command.inside_corridor;
        }
        if (driven >= (lap + 1) * length) {
            if (lap == 1) {
                printf("lap %.2f s, profile %.2f s, at most %.2f m from the line, %s\n", time - lap_began, info.lap_time_s,
                       worst, left_road ? "left the road" : "kept to the road");
            }
            lap_began = time;
            lap += 1;
        }
    }
    rlf_follower_free(follower);
    rlf_path_free(path);
    if (lap < 2) {
        fprintf(stderr, "it didn't get round\n");
        return 1;
    }
    return 0;
}
