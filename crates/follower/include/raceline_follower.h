/* raceline_follower: drives game vehicles along a path, with one call per frame and vehicle.
 *
 * World: x to the right, y up in the plane, z to the sky, right-handed, metres. Headings are
 * radians counter-clockwise from +x in the x-y plane. Curvature and steering angles are positive
 * to the left. All numbers are SI. A game whose y axis points to the sky must convert
 * coordinates.
 *
 * Calls return RLF_OK or the reason of the failure; rlf_last_error() then returns a message.
 * Null and misaligned pointers are rejected. The caller must pass valid handles and memory of
 * the stated sizes. A path may be shared by any number of followers and threads; a follower, and
 * a set of options, belong to one thread at a time. rlf_follower_step() neither allocates nor
 * blocks.
 */
#ifndef RACELINE_FOLLOWER_H
#define RACELINE_FOLLOWER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What rlf_abi_version() returns for this header. */
#define RLF_ABI_VERSION 1u

typedef int32_t rlf_status;
enum {
    RLF_OK = 0,
    RLF_POINTER = 1,  /* a pointer is null or misaligned */
    RLF_VALUE = 2,    /* a number, an option or a text can't be used */
    RLF_PATH = 3,     /* the waypoints make no path */
    RLF_JSON = 4,     /* the bytes are no racing-line file */
    RLF_INTERNAL = 5  /* a defect of the library */
};

/* State of the stuck manager. */
enum rlf_state {
    RLF_DRIVING = 0,
    RLF_REVERSING = 1,
    RLF_TURNING_OUT = 2,
    RLF_ASKING_FOR_PLACEMENT = 3
};

/* Cause of a transition of the stuck manager. */
enum rlf_cause {
    RLF_NO_EVENT = 0,
    RLF_NO_PROGRESS = 1,
    RLF_ATTEMPTS_USED_UP = 2,
    RLF_REVERSED = 3,
    RLF_BLOCKED_BEHIND = 4,
    RLF_TURNED_OUT = 5,
    RLF_UNDER_WAY = 6,
    RLF_PLACED_BACK = 7,
    RLF_NOT_PLACED = 8,
    RLF_PATH_CHANGED = 9
};

/* How a vehicle turns and brakes. The steering angle of the other two demands the yaw rate that
 * wheels at that angle give: |v| tan(angle) / wheelbase_m. */
enum rlf_kind {
    RLF_WHEELS = 0,
    RLF_SKID_STEER = 1, /* tracks: turned by a yaw moment, at most with max_yaw_rate_radps */
    RLF_HOVER = 2       /* a fan along the heading; little grip sideways */
};

typedef struct rlf_path rlf_path;
typedef struct rlf_options rlf_options;
typedef struct rlf_follower rlf_follower;
typedef struct rlf_learning rlf_learning;

typedef struct rlf_waypoint {
    double position_m[3];
    double left_m;          /* width of the corridor to the left; INFINITY without a limit */
    double right_m;
    double speed_mps;       /* of the speed profile; NAN without one */
    double curvature_radpm; /* NAN where it isn't known: it is found from the waypoints */
} rlf_waypoint;

typedef struct rlf_vehicle_state {
    double position_m[3];   /* the reference point; see rear_axle_m */
    double heading_rad;
    double speed_mps;       /* along the heading, negative in reverse */
    double velocity_mps[3]; /* of the reference point; NAN where it isn't known */
    double yaw_rate_radps;  /* NAN where it isn't known */
} rlf_vehicle_state;

typedef struct rlf_vehicle_geometry {
    double wheelbase_m;
    double max_steering_rad;
    double length_m;
    double width_m;
    double rear_axle_m;        /* how far the rear axle lies behind the reference point */
    double grip_g;             /* lateral acceleration that it can hold, in g; INFINITY where it isn't known */
    double max_yaw_rate_radps; /* yaw rate that it can reach; INFINITY where it isn't known */
} rlf_vehicle_geometry;

typedef struct rlf_command {
    double pedal;        /* -1, all brakes, to 1, all throttle */
    double steering_rad; /* of the front wheels */
    double target_speed_mps;
    double target_point_m[3];
    double nearest_point_m[3];
    double s_m;                 /* place along the path */
    double cross_track_error_m; /* positive on the left of the path */
    double place_position_m[3]; /* where the game may place the vehicle; 0 unless place_back */
    double place_heading_rad;
    int32_t state;          /* enum rlf_state */
    int32_t event_from;     /* enum rlf_state before this frame's transition; equals state where there was none */
    int32_t event_cause;    /* enum rlf_cause; RLF_NO_EVENT where there was none */
    uint32_t event_attempt; /* which attempt, from 1; 0 where there was no transition */
    uint8_t reverse;        /* 1: the reverse gear is to be in, throttle drives backwards */
    uint8_t boost;          /* 1: a boost is worth lighting */
    uint8_t arrived;        /* 1: at the end of an open path */
    uint8_t inside_corridor;
    uint8_t place_back;     /* 1: the vehicle asks to be placed back */
    uint8_t reserved[3];
} rlf_command;

/* Another vehicle. */
typedef struct rlf_neighbour {
    double position_m[3]; /* the middle of its body */
    double velocity_mps[3];
    double heading_rad;
    double length_m;
    double width_m;
} rlf_neighbour;

typedef struct rlf_line_info {
    double lap_time_s;            /* by the file's speed profile */
    rlf_vehicle_geometry vehicle; /* the file's vehicle, reference point midway between the axles; the default one without */
    uint8_t has_vehicle;
    uint8_t reserved[7];
} rlf_line_info;

/* The version of the library that is linked; compare it with RLF_ABI_VERSION. */
uint32_t rlf_abi_version(void);

/* Message of the last failed call on this thread: UTF-8, empty before the first. Valid until the
 * next failed call on this thread. */
const char *rlf_last_error(void);

/* A path through count waypoints, closed unless closed is 0. *path is NULL unless RLF_OK is
 * returned. Free it with rlf_path_free(). */
rlf_status rlf_path_new(const rlf_waypoint *waypoints, size_t count, int32_t closed, rlf_path **path);

/* The minimum-curvature line inside the corridor of path, as a new path with waypoints spacing_m
 * apart. share (0 to 1) is the fraction used of the width that is left on either side after
 * subtracting clearance_m. Free both paths. */
rlf_status rlf_path_minimum_curvature(const rlf_path *path, double share, double clearance_m, double spacing_m, rlf_path **line);

/* The path in a racing-line file of count bytes. It lies in the plane, at height 0; rlf_path_height_m
 * gives the heights of the file. info may be NULL. */
rlf_status rlf_path_from_json(const uint8_t *bytes, size_t count, rlf_path **path, rlf_line_info *info);

/* Metres; NAN for NULL. */
double rlf_path_length_m(const rlf_path *path);

/* Height of the road at arc length s_m, metres: that of the file, else that of the waypoints. It is
 * also that of the target, of the nearest point and of a placement in a command. NAN for NULL. */
double rlf_path_height_m(const rlf_path *path, double s_m);

/* The path at arc length s_m, which wraps around on a closed path. speed_mps is INFINITY where
 * there is no profile. */
rlf_status rlf_path_sample(const rlf_path *path, double s_m, rlf_waypoint *waypoint, double *heading_rad);

/* NULL has no effect. */
void rlf_path_free(rlf_path *path);

/* Options: with racing 0 the published fixed figures for a game's vehicles (up to 10 m/s), else
 * those for fast cars on a racing line with a speed profile. Free them with rlf_options_free();
 * a follower copies them. */
rlf_status rlf_options_new(int32_t racing, rlf_options **options);

/* Options for the vehicle of a racing-line file at its limit: those of racing with the limits of the
 * file's vehicle, which the path of rlf_path_from_json() carries, and the lengths of vehicle.
 * RLF_VALUE for a path without a vehicle. */
rlf_status rlf_options_for_path(const rlf_path *path, const rlf_vehicle_geometry *vehicle, rlf_options **options);

/* Sets one option by its name, such as "target_speed.max_speed_mps" or "steering.yaw_damping_s";
 * docs/follower.md lists them. Switches are 0 or 1; target_speed.mode 0 (curves), 1 (profile) or
 * 2 (the lower of both); target_speed.span 0 (points), 1 (middles) or 2 (headings). Ranges are
 * checked by rlf_follower_new(). */
rlf_status rlf_options_set(rlf_options *options, const char *key, double value);

void rlf_options_free(rlf_options *options);

/* Writes a vehicle of usual size. */
rlf_status rlf_vehicle_default(rlf_vehicle_geometry *vehicle);

/* A follower for one vehicle. *follower is NULL unless RLF_OK is returned. Free it with
 * rlf_follower_free(). */
rlf_status rlf_follower_new(const rlf_options *options, const rlf_vehicle_geometry *vehicle, rlf_follower **follower);

/* The same for a vehicle of a kind, see enum rlf_kind; rlf_follower_new() makes one for RLF_WHEELS. */
rlf_status rlf_follower_new_of_kind(const rlf_options *options, const rlf_vehicle_geometry *vehicle, int32_t kind,
                                    rlf_follower **follower);

/* The command until the next frame; the frame is dt_s after the last. The path may change in any
 * frame. For an unusable state (NAN, absurdly large) the command is to brake. A dt_s that is not
 * positive counts as 0, one above 0.25 s as 0.25 s. */
rlf_status rlf_follower_step(rlf_follower *follower, const rlf_path *path, const rlf_vehicle_state *state, double dt_s,
                             rlf_command *command);

/* The same among other vehicles: passes those that are slower within the corridor, follows where
 * there is no room, keeps clear of those abreast. The first RLF_MAX_NEIGHBOURS are looked at: pass the
 * nearest. With a count of 0, where neighbours may be NULL, as rlf_follower_step(). */
#define RLF_MAX_NEIGHBOURS 16
rlf_status rlf_follower_step_in_traffic(rlf_follower *follower, const rlf_path *path, const rlf_vehicle_state *state,
                                        const rlf_neighbour *neighbours, size_t count, double dt_s, rlf_command *command);

/* 1 where other vehicles changed the last step: it is not to be learned from. */
int32_t rlf_follower_is_avoiding(const rlf_follower *follower);

/* Resets everything except options and vehicle. */
rlf_status rlf_follower_reset(rlf_follower *follower);

void rlf_follower_free(rlf_follower *follower);

/* Learning over laps: factors of the path's speeds by place, between lowest and highest (NAN: 0.85
 * and 1.08), faster where grip was left over, slower where the vehicle slid or ran wide. The path
 * needs a speed at each waypoint. *learning is NULL unless RLF_OK is returned. Free it with
 * rlf_learning_free(). */
rlf_status rlf_learning_new(const rlf_path *path, const rlf_vehicle_geometry *vehicle, double lowest, double highest,
                            rlf_learning **learning);

/* The same for a host that tells of all faults by rlf_learning_fault(): the corridor is no bound then,
 * where the game lets vehicles ride kerbs, and more is tried. NAN: 0.85 and 1.15. */
rlf_status rlf_learning_new_told(const rlf_path *path, const rlf_vehicle_geometry *vehicle, double lowest,
                                 double highest, rlf_learning **learning);

/* A fault that the game counts just happened, as a wall touched or a corner cut: slower here. */
rlf_status rlf_learning_fault(rlf_learning *learning);

/* After each step: its state, command and dt_s. *ended is 1 where a lap ended: the factors have
 * changed, and rlf_learning_apply() is due. *lap_time_s is NAN where the lap has no time, as from
 * standstill; lap_time_s may be NULL. Does not allocate. */
rlf_status rlf_learning_observe(rlf_learning *learning, const rlf_path *path, const rlf_vehicle_state *state,
                                const rlf_command *command, double dt_s, int32_t *ended, double *lap_time_s);

/* Writes the learned speeds into path: the one of rlf_learning_new() or one of the same line. No
 * other thread may use it meanwhile; all its followers drive at these speeds from then on. */
rlf_status rlf_learning_apply(rlf_learning *learning, rlf_path *path);

/* The lap that is being driven does not count, as after traffic. */
rlf_status rlf_learning_interrupt(rlf_learning *learning);

/* Returns to the factors of the fastest lap and stops exploring: for the laps that count. Then
 * rlf_learning_apply(). */
rlf_status rlf_learning_settle(rlf_learning *learning);

/* The factors of the fastest lap as JSON, to keep in a file. *count is the length in bytes; they are
 * written unless it exceeds capacity. bytes may be NULL with a capacity of 0. */
rlf_status rlf_learning_remember(const rlf_learning *learning, uint8_t *bytes, size_t capacity, size_t *count);

/* The same, read: RLF_JSON for bytes that are no such file, RLF_PATH for those of another line. */
rlf_status rlf_learning_recall(rlf_learning *learning, const uint8_t *bytes, size_t count);

void rlf_learning_free(rlf_learning *learning);

#ifdef __cplusplus
}
#endif

#endif
