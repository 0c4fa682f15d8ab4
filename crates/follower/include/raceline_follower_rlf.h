/* raceline_follower, the interface before version 1: for programs that use it and cannot be changed.
 * New programs use raceline_follower.h, which can do all this and more. These functions stay as they
 * are, and nothing is added to them. Units, frames and rules are those of raceline_follower.h. */
#ifndef RACELINE_FOLLOWER_RLF_H
#define RACELINE_FOLLOWER_RLF_H

#include "raceline_follower.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RLF_ABI_VERSION 1u

typedef raceline_status rlf_status;
typedef raceline_path rlf_path;
typedef raceline_follower rlf_follower;
typedef struct rlf_options rlf_options;

typedef struct rlf_vehicle_state {
    double position_m[3];
    double heading_rad;
    double speed_mps;
    double velocity_mps[3]; /* NAN where it isn't known */
    double yaw_rate_radps;  /* NAN where it isn't known */
} rlf_vehicle_state;

typedef struct rlf_vehicle_geometry {
    double wheelbase_m;
    double max_steering_rad;
    double length_m;
    double width_m;
    double rear_axle_m;
    double grip_g;             /* INFINITY where it isn't known */
    double max_yaw_rate_radps; /* INFINITY where it isn't known */
} rlf_vehicle_geometry;

typedef struct rlf_command {
    double pedal;
    double steering_rad;
    double target_speed_mps;
    double target_point_m[3];
    double nearest_point_m[3];
    double s_m;
    double cross_track_error_m;
    double place_position_m[3];
    double place_heading_rad;
    int32_t state;
    int32_t event_from;
    int32_t event_cause;
    uint32_t event_attempt;
    uint8_t reverse;
    uint8_t boost;
    uint8_t arrived;
    uint8_t inside_corridor;
    uint8_t place_back;
    uint8_t reserved[3];
} rlf_command;

typedef struct rlf_line_info {
    double lap_time_s;
    rlf_vehicle_geometry vehicle; /* the default one without */
    uint8_t has_vehicle;
    uint8_t reserved[7];
} rlf_line_info;

uint32_t rlf_abi_version(void);
const char *rlf_last_error(void);
rlf_status rlf_path_from_json(const uint8_t *bytes, size_t count, rlf_path **path, rlf_line_info *info);
void rlf_path_free(rlf_path *path);
/* With racing 0 RACELINE_PRESET_GAME, else RACELINE_PRESET_RACING. */
rlf_status rlf_options_new(int32_t racing, rlf_options **options);
rlf_status rlf_options_set(rlf_options *options, const char *key, double value);
void rlf_options_free(rlf_options *options);
/* On wheels. */
rlf_status rlf_follower_new(const rlf_options *options, const rlf_vehicle_geometry *vehicle, rlf_follower **follower);
rlf_status rlf_follower_step(rlf_follower *follower, const rlf_path *path, const rlf_vehicle_state *state, double dt_s,
                             rlf_command *command);
void rlf_follower_free(rlf_follower *follower);

#ifdef __cplusplus
}
#endif

#endif
