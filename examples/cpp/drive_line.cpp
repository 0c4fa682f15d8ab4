// Drives a lap of a racing line with a car that rolls without slip, and prints its time.
//
//     drive_line LINE.json
#include <cmath>
#include <cstdio>
#include <exception>

#include "raceline.hpp"

namespace {

constexpr double FRAME_S = 1.0 / 60.0;
// What the pedal of this car does, m/s2.
constexpr double FULL_THROTTLE_MPS2 = 6.0;
constexpr double FULL_BRAKE_MPS2 = 12.0;
// Slower than the file's profile, because this car's pedal is not that of the file's vehicle.
constexpr double PROFILE_SCALE = 0.9;
constexpr double PATIENCE = 5.0;

void move_car(raceline::State &car, const raceline::Command &command, const raceline::Vehicle &vehicle) {
    const double slip = std::atan(std::tan(command.steering_rad) * vehicle.rear_axle_m / vehicle.wheelbase_m);
    const double full = command.pedal > 0.0 ? FULL_THROTTLE_MPS2 : FULL_BRAKE_MPS2;
    const double before = car.speed_mps;
    car.speed_mps = std::fmax(before + command.pedal * full * FRAME_S, 0.0);
    const double distance = 0.5 * (before + car.speed_mps) * FRAME_S;
    const double turn = distance * std::cos(slip) * std::tan(command.steering_rad) / vehicle.wheelbase_m;
    const double course = car.heading_rad + 0.5 * turn + slip;
    car.position_m[0] += distance * std::cos(course);
    car.position_m[1] += distance * std::sin(course);
    // Velocity and yaw rate stay unknown: they are for a car that slides. This one turns at once as it is steered, which
    // the control of slides would answer with swings.
    car.heading_rad += turn;
}

int drive(const char *file) {
    const raceline::Path path = raceline::Path::from_file(file);
    raceline::Follower follower(RACELINE_PRESET_RACING, path.vehicle(), {{"target_speed.profile_scale", PROFILE_SCALE}});
    const raceline::PathSample start = path.at(0.0);
    raceline::State car;
    car.position_m[0] = start.position_m[0];
    car.position_m[1] = start.position_m[1];
    car.heading_rad = start.heading_rad;
    double seconds = 0.0, farthest_m = 0.0, before_m = 0.0, lap_began_s = -1.0;
    while (seconds < PATIENCE * path.lap_time_s() + 60.0) {
        const raceline::Command command = follower.step(path, car, {}, FRAME_S);
        if (command.s_m < before_m - 0.5 * path.length_m()) {
            if (lap_began_s >= 0.0) {
                std::printf("lap %.2f s of %.2f s by the profile, at most %.2f m from the line\n", seconds - lap_began_s,
                            path.lap_time_s(), farthest_m);
                return 0;
            }
            lap_began_s = seconds;
        }
        before_m = command.s_m;
        if (lap_began_s >= 0.0) farthest_m = std::fmax(farthest_m, std::fabs(command.cross_track_error_m));
        move_car(car, command, path.vehicle());
        seconds += FRAME_S;
    }
    std::fputs("the car did not get round\n", stderr);
    return 1;
}

}  // namespace

int main(int arguments, char **argument) {
    if (arguments != 2) {
        std::fprintf(stderr, "usage: %s LINE.json\n", argument[0]);
        return 2;
    }
    if (raceline::version() != RACELINE_FOLLOWER_VERSION) {
        std::fputs("the library is not of the version of its header\n", stderr);
        return 2;
    }
    try {
        return drive(argument[1]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", argument[1], error.what());
        return 1;
    }
}
