/* Drives laps of a racing line through the C interface, with a small car that rolls without slip, or with one that slides.
 *
 *     drive_lap [--sliding] LINE.json
 *
 * Prints the time of a flying lap, how far the car was from the line at most, and whether it kept to the road. Exit code 1 if it didn't get round.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raceline_follower.h"

#define FRAME_S (1.0 / 60.0)
#define PI 3.14159265358979323846

/* A car for the example: a bicycle, its reference point midway between the axles. */
typedef struct car {
    double x_m, y_m, heading_rad, speed_mps;
    /* Of the car that slides: velocity to the left, yaw rate, angle of the front wheels. */
    double leftward_mps, yaw_rate_radps, steering_rad;
} car;

/* What its pedal does, m/s2. */
static const double FULL_THROTTLE_MPS2 = 6.0;
static const double FULL_BRAKE_MPS2 = 12.0;

/* The tyres of the car that slides, and how fast its wheels turn. */
static const double GRIP_MPS2 = 13.0;
static const double PEAK_SLIP_RAD = 0.1;
static const double STEERING_RATE_RADPS = 1.0;
#define STEPS 16

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, raceline_last_error());
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

static void move_car(car *c, const raceline_command *command, const raceline_vehicle *vehicle) {
    double gear = command->reverse ? -1.0 : 1.0;
    double slip = atan(tan(command->steering_rad) * vehicle->rear_axle_m / vehicle->wheelbase_m);
    double before = c->speed_mps;
    if (command->pedal >= 0.0) {
        c->speed_mps += gear * command->pedal * FULL_THROTTLE_MPS2 * FRAME_S;
    } else {
        double slower = fabs(before) + command->pedal * FULL_BRAKE_MPS2 * FRAME_S;
        c->speed_mps = copysign(slower > 0.0 ? slower : 0.0, before);
    }
    double distance = 0.5 * (before + c->speed_mps) * FRAME_S;
    double turn = distance * cos(slip) * tan(command->steering_rad) / vehicle->wheelbase_m;
    c->x_m += distance * cos(c->heading_rad + 0.5 * turn + slip);
    c->y_m += distance * sin(c->heading_rad + 0.5 * turn + slip);
    c->heading_rad = remainder(c->heading_rad + turn, 2.0 * PI);
}

/* Lateral acceleration that a tyre gives at a slip angle, Fiala's brush; what drive or brakes take is gone. */
static double tyre(double slip_rad, double pedal_mps2) {
    double used = fmin(fabs(pedal_mps2) / GRIP_MPS2, 0.99);
    double z = fmin(fabs(tan(slip_rad)) / tan(PEAK_SLIP_RAD), 1.0);
    return copysign(GRIP_MPS2 * sqrt(1.0 - used * used) * (1.0 - pow(1.0 - z, 3.0)), slip_rad);
}

/* Forwards only: a car that slides and gets stuck is not for this example. */
static void slide_car(car *c, const raceline_command *command, const raceline_vehicle *vehicle) {
    double b = vehicle->rear_axle_m, a = vehicle->wheelbase_m - b, h = FRAME_S / STEPS;
    double pedal = command->pedal * (command->pedal > 0.0 ? FULL_THROTTLE_MPS2 : FULL_BRAKE_MPS2);
    for (int step = 0; step < STEPS; step++) {
        double turn = fmax(fmin(command->steering_rad - c->steering_rad, STEERING_RATE_RADPS * h), -STEERING_RATE_RADPS * h);
        double u = c->speed_mps, v = c->leftward_mps, r = c->yaw_rate_radps;
        c->steering_rad += turn;
        c->speed_mps = fmax(u + (pedal + v * r) * h, 0.0);
        if (u > 3.0) {
            double front = tyre(c->steering_rad - atan2(v + a * r, u), pedal), rear = tyre(-atan2(v - b * r, u), pedal);
            c->leftward_mps += ((front * b + rear * a) / (a + b) - u * r) * h;
            /* Mass times a b is a usual yaw inertia. */
            c->yaw_rate_radps += (front - rear) / (a + b) * h;
        } else {
            c->yaw_rate_radps = u * tan(c->steering_rad) / (a + b);
            c->leftward_mps = b * c->yaw_rate_radps;
        }
        c->x_m += (u * cos(c->heading_rad) - v * sin(c->heading_rad)) * h;
        c->y_m += (u * sin(c->heading_rad) + v * cos(c->heading_rad)) * h;
        c->heading_rad = remainder(c->heading_rad + r * h, 2.0 * PI);
    }
}

int main(int arguments, char **argument) {
    int slides = arguments == 3 && strcmp(argument[1], "--sliding") == 0;
    const char *file = argument[arguments - 1];
    if (arguments != 2 + slides) {
        fprintf(stderr, "usage: %s [--sliding] LINE.json\n", argument[0]);
        return 2;
    }
    if (raceline_follower_version() != RACELINE_FOLLOWER_VERSION) {
        fprintf(stderr, "the library's interface is version %u, this program's %u\n", raceline_follower_version(),
                RACELINE_FOLLOWER_VERSION);
        return 1;
    }

    /* Once: the line, the options, the follower. */
    size_t count = 0;
    unsigned char *bytes = read_file(file, &count);
    raceline_path *path = NULL;
    raceline_line_info info = RACELINE_LINE_INFO_INIT;
    raceline_vehicle vehicle = RACELINE_VEHICLE_INIT;
    if (raceline_path_from_json(bytes, count, &path, &info, &vehicle) != RACELINE_OK) {
        fail(file);
    }
    free(bytes);
    const raceline_option chosen[] = {
        /* A car that slides, without anti-lock brakes or traction control, needs some reserve. */
        {"target_speed.profile_scale", slides ? 0.95 : 0.98},
        {"speed_control.full_throttle_mps2", FULL_THROTTLE_MPS2},
        {"speed_control.full_brake_mps2", FULL_BRAKE_MPS2},
    };
    raceline_follower_options options = RACELINE_FOLLOWER_OPTIONS_INIT;
    options.preset = RACELINE_PRESET_LIMIT;
    options.path = path;
    options.vehicle = &vehicle;
    options.options = chosen;
    options.option_count = sizeof chosen / sizeof chosen[0];
    raceline_follower *follower = NULL;
    if (raceline_follower_new(&options, &follower) != RACELINE_OK) {
        fail("follower");
    }

    /* On the first point, at rest. */
    raceline_path_sample start = RACELINE_PATH_SAMPLE_INIT;
    if (raceline_path_sample_at(path, 0.0, &start) != RACELINE_OK) {
        fail("path");
    }
    car c = {0};
    c.heading_rad = start.heading_rad;
    c.x_m = start.position_m[0];
    c.y_m = start.position_m[1];

    double length = raceline_path_length_m(path), driven = 0.0, last_s = 0.0, time = 0.0, lap_began = 0.0, worst = 0.0;
    double patience_s = 5.0 * info.lap_time_s + 60.0;
    int lap = 0, left_road = 0;
    while (lap < 2 && time < patience_s) {
        raceline_state state = RACELINE_STATE_INIT;
        state.position_m[0] = c.x_m;
        state.position_m[1] = c.y_m;
        state.heading_rad = c.heading_rad;
        state.speed_mps = c.speed_mps;
        /* A car that rolls turns at once and never slides; of one that does, the follower wants to know these. */
        if (slides) {
            double cosine = cos(c.heading_rad), sine = sin(c.heading_rad);
            state.velocity_mps[0] = c.speed_mps * cosine - c.leftward_mps * sine;
            state.velocity_mps[1] = c.speed_mps * sine + c.leftward_mps * cosine;
            state.velocity_mps[2] = 0.0;
            state.yaw_rate_radps = c.yaw_rate_radps;
        }
        raceline_command command = RACELINE_COMMAND_INIT;

        /* Once a frame. Other vehicles, obstacles and pick-ups would be in a raceline_scene in place of NULL. */
        if (raceline_follower_step(follower, path, &state, NULL, FRAME_S, &command) != RACELINE_OK) {
            fail("step");
        }
        (slides ? slide_car : move_car)(&c, &command, &vehicle);
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
    raceline_follower_free(follower);
    raceline_path_free(path);
    if (lap < 2) {
        fprintf(stderr, "it didn't get round\n");
        return 1;
    }
    return 0;
}
