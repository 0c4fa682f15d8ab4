/* raceline_follower: drives game vehicles along a path, with one call per frame and vehicle.
 *
 * World: x to the right, y up in the plane, z to the sky, right-handed, metres. Headings are
 * radians counter-clockwise from +x in the x-y plane. Curvature and steering angles are positive
 * to the left. All numbers are SI. A game whose y axis points to the sky must convert
 * coordinates.
 *
 * Structs begin with their size, so that a later version can have more fields: a program that was
 * compiled with an older header runs with a newer library, and what its structs lack has the
 * defaults. Begin every struct with its RACELINE_..._INIT, which sets the size and the defaults, and
 * change what differs. All entries of an array must have one size. Pointers to structs that begin
 * with "const" may be NULL where their description states it: then all is default.
 *
 * Calls return RACELINE_OK or the reason of the failure; raceline_last_error() then returns a
 * message. Null and misaligned pointers are rejected. The caller must pass valid handles and memory
 * of the stated sizes. A path and a network may be used by any number of followers and threads; a
 * follower belongs to one thread at a time. A step, and a behaviour, neither allocates nor blocks.
 */
#ifndef RACELINE_FOLLOWER_H
#define RACELINE_FOLLOWER_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What raceline_follower_version() returns for this header. */
#define RACELINE_FOLLOWER_VERSION 1u

typedef int32_t raceline_status;
enum {
    RACELINE_OK = 0,
    RACELINE_POINTER = 1,  /* a pointer is null or misaligned */
    RACELINE_VALUE = 2,    /* a number, an option, a text or a struct's size can't be used */
    RACELINE_PATH = 3,     /* the waypoints make no path */
    RACELINE_JSON = 4,     /* the bytes are no file of the expected format */
    RACELINE_INTERNAL = 5, /* a defect of the library */
    RACELINE_UNSOUND = 6   /* the line is not sound */
};

/* The version of the library that is linked; compare it with RACELINE_FOLLOWER_VERSION. */
uint32_t raceline_follower_version(void);

/* Message of the last failed call on this thread: UTF-8, empty before the first. Valid until the
 * next failed call on this thread. */
const char *raceline_last_error(void);

/* ---- Paths ------------------------------------------------------------------------------------ */

typedef struct raceline_path raceline_path;

typedef struct raceline_waypoint {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[3];
    double left_m;          /* width of the corridor to the left; INFINITY without a limit */
    double right_m;
    double speed_mps;       /* of the speed profile; NAN without one */
    double curvature_radpm; /* NAN where it isn't known: it is found from the waypoints */
} raceline_waypoint;
#define RACELINE_WAYPOINT_INIT {sizeof(raceline_waypoint), 0, {0, 0, 0}, INFINITY, INFINITY, NAN, NAN}

/* A place on a path. */
typedef struct raceline_path_sample {
    uint32_t struct_size;
    uint32_t reserved;
    double s_m; /* arc length from the path's start */
    double position_m[3];
    double height_m; /* of the road: that of the file, else that of the waypoints */
    double heading_rad;
    double curvature_radpm;
    double left_m;
    double right_m;
    double speed_mps; /* INFINITY where there is no profile */
    double acceleration_mps2;
} raceline_path_sample;
#define RACELINE_PATH_SAMPLE_INIT {sizeof(raceline_path_sample), 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0}

typedef struct raceline_corridor_options {
    uint32_t struct_size;
    uint32_t reserved;
    double fraction;    /* of the width that is left on either side after clearance_m, 0 to 1 */
    double clearance_m; /* to the corridor's edges */
    double spacing_m;   /* of the new waypoints */
} raceline_corridor_options;
#define RACELINE_CORRIDOR_OPTIONS_INIT {sizeof(raceline_corridor_options), 0, 0.8, 1.2, 2.0}

/* How a vehicle turns and brakes. The steering angle of the other two demands the yaw rate that
 * wheels at that angle give: |v| tan(angle) / wheelbase_m. */
enum raceline_kind {
    RACELINE_WHEELS = 0,
    RACELINE_SKID_STEER = 1, /* tracks: turned by a yaw moment, at most with max_yaw_rate_radps */
    RACELINE_HOVER = 2       /* a fan along the heading; little grip sideways */
};

typedef struct raceline_vehicle {
    uint32_t struct_size;
    int32_t kind; /* enum raceline_kind */
    double wheelbase_m;
    double max_steering_rad;
    double length_m;
    double width_m;
    double rear_axle_m;        /* how far the rear axle lies behind the reference point */
    double grip_g;             /* lateral acceleration that it can hold, in g; INFINITY where it isn't known */
    double max_yaw_rate_radps; /* yaw rate that it can reach; INFINITY where it isn't known */
} raceline_vehicle;
#define RACELINE_VEHICLE_INIT {sizeof(raceline_vehicle), RACELINE_WHEELS, 2.6, 0.6, 4.4, 1.8, 1.3, INFINITY, INFINITY}

typedef struct raceline_line_info {
    uint32_t struct_size;
    uint32_t reserved;
    double lap_time_s; /* by the file's speed profile */
} raceline_line_info;
#define RACELINE_LINE_INFO_INIT {sizeof(raceline_line_info), 0, 0}

/* A path through count waypoints, closed unless closed is 0. *path is NULL unless RACELINE_OK is
 * returned. Free it with raceline_path_free(). */
raceline_status raceline_path_new(const raceline_waypoint *waypoints, size_t count, int32_t closed, raceline_path **path);

/* The minimum-curvature line inside the corridor of path, as a new path. options may be NULL. Free
 * both paths. */
raceline_status raceline_path_minimum_curvature(const raceline_path *path, const raceline_corridor_options *options,
                                                raceline_path **line);

/* The path in a racing-line file of count bytes. It lies in the plane, at height 0;
 * raceline_path_sample_at() gives the heights of the file, and they are those of the target, of the
 * nearest point and of a placement in a command. info may be NULL, and so may vehicle: the file's
 * vehicle with its reference point midway between the axles, or without one the default. */
raceline_status raceline_path_from_json(const uint8_t *bytes, size_t count, raceline_path **path, raceline_line_info *info,
                                        raceline_vehicle *vehicle);

/* Judges the racing-line file in bytes as the program's `raceline verify` does: RACELINE_OK for a line whose
 * positions, times, margins and accelerations are sound for the file's own vehicle; RACELINE_UNSOUND where a
 * rule is violated, with the rule and the place as the message; RACELINE_JSON for bytes that are no such file,
 * RACELINE_VALUE for a vehicle that is not valid. raceline_path_from_json() does not judge. */
raceline_status raceline_verify(const uint8_t *bytes, size_t count);

/* Metres; NAN for NULL. */
double raceline_path_length_m(const raceline_path *path);

/* The path at arc length s_m, which wraps around on a closed path. */
raceline_status raceline_path_sample_at(const raceline_path *path, double s_m, raceline_path_sample *sample);

/* NULL has no effect. So it is for every ..._free(). */
void raceline_path_free(raceline_path *path);

/* ---- The follower ----------------------------------------------------------------------------- */

typedef struct raceline_follower raceline_follower;

/* Where options begin. */
enum raceline_preset {
    RACELINE_PRESET_GAME = 0,   /* a game's vehicles of any kind, up to 11.6 m/s */
    RACELINE_PRESET_RACING = 1, /* fast cars on a racing line with a speed profile */
    RACELINE_PRESET_LIMIT = 2,  /* racing at the limits of the vehicle of a racing-line file, which path carries */
    RACELINE_PRESET_PAPER = 3   /* the published figures of the paper, for comparison, up to 10 m/s */
};

/* An option by its name, such as "target_speed.max_speed_mps"; docs/reference/options.md lists them. Switches
 * are 0 or 1; target_speed.mode is 0 (curves), 1 (profile) or 2 (the lower of both);
 * target_speed.span 0 (points), 1 (middles) or 2 (headings). */
typedef struct raceline_option {
    const char *key;
    double value;
} raceline_option;

typedef struct raceline_follower_options {
    uint32_t struct_size;
    int32_t preset;                  /* enum raceline_preset */
    const raceline_path *path;       /* whose vehicle RACELINE_PRESET_LIMIT takes; NULL for the other presets */
    const raceline_vehicle *vehicle; /* NULL for the default */
    const raceline_option *options;  /* that differ from the preset */
    size_t option_count;
} raceline_follower_options;
#define RACELINE_FOLLOWER_OPTIONS_INIT {sizeof(raceline_follower_options), RACELINE_PRESET_GAME, NULL, NULL, NULL, 0}

/* A follower for one vehicle, which copies all that the options refer to; options may be NULL.
 * *follower is NULL unless RACELINE_OK is returned: RACELINE_VALUE for an unknown option, for one out
 * of its range, and for RACELINE_PRESET_LIMIT without a path that has a vehicle. Free it with
 * raceline_follower_free(). */
raceline_status raceline_follower_new(const raceline_follower_options *options, raceline_follower **follower);

/* NAN is the usual value. */
typedef struct raceline_planner_options {
    uint32_t struct_size;
    uint32_t reserved;
    double gap_m;         /* to the sides of other vehicles where there is room */
    double edge_m;        /* to the edges of the corridor */
    double following_m;   /* behind a vehicle that is followed */
    double following_s;   /* in addition, by speed */
    double braking_mps2;  /* deceleration that is planned with */
    double driving_mps2;  /* acceleration that is planned with */
    double lateral_mps2;  /* lateral acceleration of a curve that costs smoothness_s */
    double horizon_m;     /* largest look ahead */
    double clearance_s;   /* cost of no clearance at all over the whole horizon */
    double smoothness_s;  /* cost of a curve with lateral_mps2 */
    double off_path_s;    /* cost per metre beside the path */
    double change_s;      /* cost per metre between the new and the last goal */
} raceline_planner_options;
#define RACELINE_PLANNER_OPTIONS_INIT {sizeof(raceline_planner_options), 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}

/* Avoids neighbours and obstacles with a local planner from now on: around fixed obstacles and among
 * vehicles that need not drive along the path. options may be NULL. The usual values are those for the
 * vehicle of path where it has one; path may be NULL. */
raceline_status raceline_follower_set_planner(raceline_follower *follower, const raceline_path *path,
                                              const raceline_planner_options *options);

typedef struct raceline_state {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[3];   /* the reference point; see rear_axle_m */
    double heading_rad;
    double speed_mps;       /* along the heading, negative in reverse */
    double velocity_mps[3]; /* of the reference point; NAN where it isn't known */
    double yaw_rate_radps;  /* NAN where it isn't known */
} raceline_state;
#define RACELINE_STATE_INIT {sizeof(raceline_state), 0, {0, 0, 0}, 0, 0, {NAN, NAN, NAN}, NAN}

/* Another vehicle. */
typedef struct raceline_neighbour {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[3]; /* of its middle */
    double velocity_mps[3];
    double heading_rad;
    double length_m;
    double width_m;
} raceline_neighbour;
#define RACELINE_NEIGHBOUR_INIT {sizeof(raceline_neighbour), 0, {0, 0, 0}, {0, 0, 0}, 0, 4.4, 1.8}

/* A circle in the plane: an obstacle, or with a velocity another agent. */
typedef struct raceline_body {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[2];
    double velocity_mps[2];
    double radius_m;
} raceline_body;
#define RACELINE_BODY_INIT {sizeof(raceline_body), 0, {0, 0}, {0, 0}, 0.5}

/* An object to collect. */
typedef struct raceline_pick_up {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[3];
    double radius_m; /* within which it is collected */
} raceline_pick_up;
#define RACELINE_PICK_UP_INIT {sizeof(raceline_pick_up), 0, {0, 0, 0}, 0.5}

/* What surrounds a vehicle in a frame. Of each list the first are looked at: pass the nearest. */
#define RACELINE_MAX_NEIGHBOURS 16
#define RACELINE_MAX_OBSTACLES 16
#define RACELINE_MAX_PICK_UPS 64
typedef struct raceline_scene {
    uint32_t struct_size;
    int32_t reverse; /* 1: the vehicle faces against the path and follows it in reverse gear */
    const raceline_neighbour *neighbours; /* passed, followed, kept clear of; NULL for none */
    size_t neighbour_count;
    const raceline_body *obstacles; /* avoided; their velocities don't count */
    size_t obstacle_count;
    const raceline_pick_up *pick_ups; /* collected where the detour is gentle and free of other vehicles */
    size_t pick_up_count;
} raceline_scene;
#define RACELINE_SCENE_INIT {sizeof(raceline_scene), 0, NULL, 0, NULL, 0, NULL, 0}

/* State of the stuck manager. */
enum raceline_stuck_state {
    RACELINE_DRIVING = 0,
    RACELINE_REVERSING = 1,
    RACELINE_TURNING_OUT = 2,
    RACELINE_ASKING_FOR_PLACEMENT = 3
};

/* Cause of a transition of the stuck manager. */
enum raceline_cause {
    RACELINE_NO_EVENT = 0,
    RACELINE_NO_PROGRESS = 1,
    RACELINE_ATTEMPTS_USED_UP = 2,
    RACELINE_REVERSED = 3,
    RACELINE_BLOCKED_BEHIND = 4,
    RACELINE_TURNED_OUT = 5,
    RACELINE_MOVING_AGAIN = 6,
    RACELINE_PLACED_BACK = 7,
    RACELINE_NOT_PLACED = 8,
    RACELINE_PATH_CHANGED = 9
};

typedef struct raceline_command {
    uint32_t struct_size;
    int32_t state;       /* enum raceline_stuck_state */
    double pedal;        /* -1, all brakes, to 1, all throttle */
    double steering_rad; /* of the front wheels */
    double target_speed_mps;
    double target_point_m[3];
    double nearest_point_m[3];
    double s_m;                 /* place along the path */
    double cross_track_error_m; /* positive on the left of the path */
    double place_position_m[3]; /* where the game may place the vehicle; 0 unless place_back */
    double place_heading_rad;
    double shift_m;         /* distance to the left of the path that is driven to avoid others */
    int32_t event_from;     /* enum raceline_stuck_state before this frame's transition; equals state where there was none */
    int32_t event_cause;    /* enum raceline_cause; RACELINE_NO_EVENT where there was none */
    uint32_t event_attempt; /* which attempt, from 1; 0 where there was no transition */
    uint8_t reverse;        /* 1: the reverse gear is to be in, throttle drives backwards */
    uint8_t boost;          /* 1: a boost is worth lighting */
    uint8_t arrived;        /* 1: at the end of an open path */
    uint8_t inside_corridor;
    uint8_t place_back;     /* 1: the vehicle asks to be placed back */
    uint8_t avoiding;       /* 1: traffic or obstacles changed this step, and nothing is to be learned from it */
    uint8_t lacks_velocity; /* 1: driven without the control at the limit of grip, because velocity_mps is not given */
    uint8_t reserved[5];
    double acceleration_mps2; /* that pedal asks for on a level road, less drag and rolling; NAN: not known */
} raceline_command;
#define RACELINE_COMMAND_INIT \
    {sizeof(raceline_command), 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0}, 0}

/* The command until the next frame; the frame is dt_s after the last. scene may be NULL: nothing is
 * around. The path may change in any frame. For an unusable state (NAN, absurdly large) the command
 * is to brake. A dt_s that is not positive counts as 0, one above 0.25 s as 0.25 s. */
raceline_status raceline_follower_step(raceline_follower *follower, const raceline_path *path, const raceline_state *state,
                                       const raceline_scene *scene, double dt_s, raceline_command *command);

/* Resets everything except options and vehicle. */
raceline_status raceline_follower_reset(raceline_follower *follower);

void raceline_follower_free(raceline_follower *follower);

/* ---- Learning over laps ----------------------------------------------------------------------- */

typedef struct raceline_learning raceline_learning;

/* NAN is the usual value. */
typedef struct raceline_learning_options {
    uint32_t struct_size;
    int32_t faults_reported; /* 1: the game reports all faults; then the corridor is no bound, and more is tried */
    double lowest;           /* smallest factor of a speed: 0.85 */
    double highest;          /* largest: 1.08; with faults_reported 1.15 */
    double step;             /* first step of a factor: 0.02 */
    double spacing_m;        /* between places that have a factor: 10; with faults_reported 15 */
    double wide_m;           /* beside the path that counts as running wide: 0.8 */
    double blame_s;          /* before a fault that factors are lowered for: 1.2 */
} raceline_learning_options;
#define RACELINE_LEARNING_OPTIONS_INIT {sizeof(raceline_learning_options), 0, NAN, NAN, NAN, NAN, NAN, NAN}

typedef struct raceline_lap {
    uint32_t struct_size;
    int32_t ended;    /* 1: a lap ended, and raceline_learning_apply() is due; else the rest does not count */
    double time_s;    /* NAN where it has none, as from standstill */
    int32_t kept;     /* 1: the best so far */
    int32_t clean;    /* 1: neither off the road nor stuck */
    uint32_t raised;  /* factors that were raised for the next lap */
    uint32_t lowered;
} raceline_lap;
#define RACELINE_LAP_INIT {sizeof(raceline_lap), 0, NAN, 0, 0, 0, 0}

/* Learns factors of the path's speeds by place, faster where grip was left over, slower where the
 * vehicle slid or ran wide. The path needs a speed at each waypoint. vehicle and options may be NULL.
 * *learning is NULL unless RACELINE_OK is returned. Free it with raceline_learning_free(). */
raceline_status raceline_learning_new(const raceline_path *path, const raceline_vehicle *vehicle,
                                      const raceline_learning_options *options, raceline_learning **learning);

/* After each step: its state, command and dt_s. */
raceline_status raceline_learning_observe(raceline_learning *learning, const raceline_path *path, const raceline_state *state,
                                          const raceline_command *command, double dt_s, raceline_lap *lap);

/* Writes the learned speeds into path: the one of raceline_learning_new() or one of the same line. No
 * other thread may use it meanwhile; all its followers drive at these speeds from then on. */
raceline_status raceline_learning_apply(raceline_learning *learning, raceline_path *path);

/* A fault that the game counts just happened, as a wall touched or a corner cut: slower here. */
raceline_status raceline_learning_fault(raceline_learning *learning);

/* The lap that is being driven does not count, as after traffic. */
raceline_status raceline_learning_interrupt(raceline_learning *learning);

/* Returns to the factors of the fastest lap and stops exploring: for the laps that count. Then
 * raceline_learning_apply(). */
raceline_status raceline_learning_settle(raceline_learning *learning);

/* The factors of the fastest lap as JSON, to keep in a file. *count is the length in bytes; they are
 * written unless it exceeds capacity. bytes may be NULL with a capacity of 0. */
raceline_status raceline_learning_remember(const raceline_learning *learning, uint8_t *bytes, size_t capacity, size_t *count);

/* Reads what raceline_learning_remember() wrote: RACELINE_JSON for bytes that are no such file,
 * RACELINE_PATH for those of another line. */
raceline_status raceline_learning_recall(raceline_learning *learning, const uint8_t *bytes, size_t count);

void raceline_learning_free(raceline_learning *learning);

/* ---- The neural driver ------------------------------------------------------------------------ */

typedef struct raceline_network raceline_network;
typedef struct raceline_neural_driver raceline_neural_driver;

typedef struct raceline_neural_driver_options {
    uint32_t struct_size;
    uint32_t reserved;
    const raceline_network *network;
    const raceline_vehicle *vehicle; /* on wheels; NULL for the default */
    double profile_scale;            /* factor on the path's speeds, 0.05 to 2 */
} raceline_neural_driver_options;
#define RACELINE_NEURAL_DRIVER_OPTIONS_INIT {sizeof(raceline_neural_driver_options), 0, NULL, NULL, 1.0}

/* The network in a file of count bytes. Free it with raceline_network_free(), before or after the
 * drivers that it was given to. */
raceline_status raceline_network_from_json(const uint8_t *bytes, size_t count, raceline_network **network);

void raceline_network_free(raceline_network *network);

/* A network at the wheel of one vehicle. Free it with raceline_neural_driver_free(). */
raceline_status raceline_neural_driver_new(const raceline_neural_driver_options *options, raceline_neural_driver **driver);

/* As raceline_follower_step(), on a path with a speed profile and a vehicle, as those of
 * raceline_path_from_json(); on another it brakes. It drives along the path whatever scene contains. */
raceline_status raceline_neural_driver_step(raceline_neural_driver *driver, const raceline_path *path, const raceline_state *state,
                                            const raceline_scene *scene, double dt_s, raceline_command *command);

raceline_status raceline_neural_driver_reset(raceline_neural_driver *driver);

void raceline_neural_driver_free(raceline_neural_driver *driver);

/* ---- Decisions: behaviour trees and state machines --------------------------------------------- */

/* Decisions, which any number of runners and threads may use. */
typedef struct raceline_tactics raceline_tactics;
/* One driver: decisions, and what it remembers. It belongs to one thread at a time. */
typedef struct raceline_runner raceline_runner;

/* What a step came to. */
enum { RACELINE_RUNNING = 0, RACELINE_SUCCESS = 1, RACELINE_FAILURE = 2 };

/* The decisions in a TOML file of count bytes; RACELINE_JSON for a mistake in it, whose line and place
 * raceline_last_error() names. Free them with raceline_tactics_free(), before or after their runners. */
raceline_status raceline_tactics_from_toml(const uint8_t *bytes, size_t count, raceline_tactics **tactics);

void raceline_tactics_free(raceline_tactics *tactics);

/* Places of an input and of an output among those of a step, and the number of a state, such as
 * "race.racing.pace.attack"; RACELINE_VALUE for an unknown name. Ask once, not in each step. */
raceline_status raceline_tactics_input(const raceline_tactics *tactics, const char *name, uint32_t *number);
raceline_status raceline_tactics_output(const raceline_tactics *tactics, const char *name, uint32_t *number);
raceline_status raceline_tactics_state(const raceline_tactics *tactics, const char *name, uint32_t *number);

/* Free it with raceline_runner_free(). */
raceline_status raceline_runner_new(const raceline_tactics *tactics, raceline_runner **runner);

/* One step, step_s after the one before: the values of all inputs in, those of all outputs out, in the
 * order of the file. Result is RACELINE_RUNNING, RACELINE_SUCCESS or RACELINE_FAILURE. */
raceline_status raceline_runner_step(raceline_runner *runner, const double *inputs, size_t input_count, double step_s,
                                     double *outputs, size_t output_count, int32_t *result);

/* 1 where the state of this number is active, else 0. */
raceline_status raceline_runner_is_active(const raceline_runner *runner, uint32_t state, int32_t *is_active);

/* Turns the record of steps on (1) or off (0, as at first). */
raceline_status raceline_runner_set_tracing(raceline_runner *runner, int32_t is_on);

/* The record of the last step as text, a line for each part that ran, with its result and the reason.
 * Count is its number of bytes; if that is more than capacity, nothing is copied. */
raceline_status raceline_runner_trace(const raceline_runner *runner, uint8_t *bytes, size_t capacity, size_t *count);

/* Forgets everything, as before the first step. */
raceline_status raceline_runner_reset(raceline_runner *runner);

void raceline_runner_free(raceline_runner *runner);

/* ---- Tuning by scores of your own simulator --------------------------------------------------- */

/* Tunes numbers, such as the options of the follower, by scores that may be expensive and noisy; lower is
 * better. It belongs to one thread at a time. */
typedef struct raceline_tuner raceline_tuner;

/* A tuner from JSON of count bytes: what raceline_tuner_save() wrote, which goes on with the very same trials,
 * or the declaration of a new one:
 *
 *     {"format": "raceline-tuner", "version": 1, "options": {"method": "bayesian", "seed": 1},
 *      "parameters": [{"name": "limit.return_s", "min": 0.2, "max": 3, "scale": "logarithmic", "start": 0.7},
 *                     {"name": "points", "min": 4, "max": 16, "integer": true}]}
 *
 * Methods are "bayesian", for at most 500 trials, and "cma-es", with "population" and "repeats".
 * RACELINE_JSON for a mistake. Free it with raceline_tuner_free(). */
raceline_status raceline_tuner_from_json(const uint8_t *bytes, size_t count, raceline_tuner **tuner);

/* The next trial: its number, and a value for each of the count parameters in their order. Several may be out
 * at the same time: with "cma-es" at most the population, beyond which it is RACELINE_VALUE. */
raceline_status raceline_tuner_ask(raceline_tuner *tuner, uint64_t *trial, double *values, size_t count);

/* Takes the score of a trial, in any order, or a trial as failed: worse than every score. */
raceline_status raceline_tuner_tell(raceline_tuner *tuner, uint64_t trial, double score);
raceline_status raceline_tuner_tell_failed(raceline_tuner *tuner, uint64_t trial);

/* The best values, the score that a model of all trials expects of them, and its standard deviation (NAN
 * without a model). RACELINE_VALUE before the first score. */
raceline_status raceline_tuner_best(const raceline_tuner *tuner, double *values, size_t count, double *score,
                                    double *deviation);

/* The state as JSON, and what was found as text. Count is the number of bytes; if that is more than capacity,
 * nothing is copied. */
raceline_status raceline_tuner_save(const raceline_tuner *tuner, uint8_t *bytes, size_t capacity, size_t *count);
raceline_status raceline_tuner_report(const raceline_tuner *tuner, uint8_t *bytes, size_t capacity, size_t *count);

void raceline_tuner_free(raceline_tuner *tuner);

/* ---- Steering behaviours for agents (Reynolds 1999) ------------------------------------------- */

/* A point in the plane that behaviours push. */
typedef struct raceline_agent {
    uint32_t struct_size;
    uint32_t reserved;
    double position_m[2];
    double velocity_mps[2];
    double radius_m;
    double heading_rad; /* that of the velocity, kept while it stands */
    double max_speed_mps;
    double max_acceleration_mps2;
    double response_s; /* in which a wanted change of velocity is made */
} raceline_agent;
#define RACELINE_AGENT_INIT {sizeof(raceline_agent), 0, {0, 0}, {0, 0}, 0.5, 0, 10.0, 6.0, 0.5}

typedef struct raceline_avoidance_options {
    uint32_t struct_size;
    uint32_t reserved;
    double horizon_s; /* that is looked ahead */
    double gap_m;     /* between the outlines */
} raceline_avoidance_options;
#define RACELINE_AVOIDANCE_OPTIONS_INIT {sizeof(raceline_avoidance_options), 0, 3.0, 0.5}

/* Which other agents count. */
typedef struct raceline_neighbourhood {
    uint32_t struct_size;
    uint32_t reserved;
    double radius_m;
    double view_rad; /* to either side of the agent's direction, 0 to pi */
} raceline_neighbourhood;
#define RACELINE_NEIGHBOURHOOD_INIT {sizeof(raceline_neighbourhood), 0, 10.0, 3.14159265358979323846}

/* The rules of a flock: away from those that are very near, to the middle of the others, to their mean
 * velocity. Each has its weight, the largest distance, and the angle to either side of the agent's direction. */
typedef struct raceline_flock {
    uint32_t struct_size;
    uint32_t reserved;
    double separation_weight;
    double separation_radius_m;
    double separation_view_rad;
    double cohesion_weight;
    double cohesion_radius_m;
    double cohesion_view_rad;
    double alignment_weight;
    double alignment_radius_m;
    double alignment_view_rad;
} raceline_flock;
#define RACELINE_FLOCK_INIT {sizeof(raceline_flock), 0, 1.5, 3.0, 3.14159265358979323846, 1.0, 10.0, 2.4, 1.0, 10.0, 2.4}

typedef struct raceline_wall_options {
    uint32_t struct_size;
    uint32_t reserved;
    double distance_m;   /* to keep from the wall */
    double prediction_s; /* for which the position is predicted */
} raceline_wall_options;
#define RACELINE_WALL_OPTIONS_INIT {sizeof(raceline_wall_options), 0, 2.0, 0.5}

typedef struct raceline_leader_options {
    uint32_t struct_size;
    uint32_t reserved;
    double behind_m;            /* distance to stay behind the leader */
    double clear_m;             /* half the width of the strip ahead of it that is left free */
    double clear_s;             /* length of that strip by its speed */
    double slowing_m;           /* within which the place behind it is approached more slowly */
    double separation_radius_m; /* within which other agents are kept apart from */
    double separation_view_rad;
} raceline_leader_options;
#define RACELINE_LEADER_OPTIONS_INIT {sizeof(raceline_leader_options), 0, 4.0, 2.0, 1.5, 5.0, 3.0, 3.14159265358979323846}

typedef struct raceline_path_following_options {
    uint32_t struct_size;
    uint32_t reserved;
    double prediction_s; /* for which the position is predicted */
    double tube_m;       /* radius of the tube about the path */
    double ahead_m;      /* distance of the point that is sought ahead of the predicted one */
} raceline_path_following_options;
#define RACELINE_PATH_FOLLOWING_OPTIONS_INIT {sizeof(raceline_path_following_options), 0, 0.5, 1.0, 4.0}

/* A grid of velocities: raceline export --format flow-field writes one. */
typedef struct raceline_flow_field {
    uint32_t struct_size;
    uint32_t columns;
    double origin_m[2]; /* the grid's bottom left corner */
    double cell_m;
    const float (*velocities_mps)[2]; /* row by row from the bottom, each from the left */
    size_t cell_count;
} raceline_flow_field;
#define RACELINE_FLOW_FIELD_INIT {sizeof(raceline_flow_field), 0, {0, 0}, 1.0, NULL, 0}

typedef struct raceline_wander raceline_wander;
typedef struct raceline_wander_options {
    uint32_t struct_size;
    uint32_t reserved;
    double radius_m;   /* of the circle on which the target walks */
    double distance_m; /* of its middle ahead of the agent */
    double rate_rad;   /* standard deviation of the target's angle after one second */
    double speed_mps;
    uint64_t seed;     /* equal seeds give equal walks */
} raceline_wander_options;
#define RACELINE_WANDER_OPTIONS_INIT {sizeof(raceline_wander_options), 0, 3.0, 5.0, 2.0, 5.0, 0}

/* Each behaviour writes an acceleration, m/s2, of two components: x and y of the world. It is 0 where
 * the numbers are not finite. Options may be NULL. Of count others the first RACELINE_MAX_BODIES are
 * looked at. */
#define RACELINE_MAX_BODIES 64

/* Towards a point, away from it, and to it to stop there: slower within slowing_m. */
raceline_status raceline_seek(const raceline_agent *agent, const double target_m[2], double acceleration_mps2[2]);
raceline_status raceline_flee(const raceline_agent *agent, const double target_m[2], double acceleration_mps2[2]);
raceline_status raceline_arrival(const raceline_agent *agent, const double target_m[2], double slowing_m, double acceleration_mps2[2]);

/* To where another agent can be met, and away from there, at most max_s ahead. */
raceline_status raceline_pursuit(const raceline_agent *agent, const raceline_body *other, double max_s, double acceleration_mps2[2]);
raceline_status raceline_evasion(const raceline_agent *agent, const raceline_body *other, double max_s, double acceleration_mps2[2]);

/* Beside another agent, which may drive: offset_m is the place, ahead of it and to its left. */
raceline_status raceline_offset_pursuit(const raceline_agent *agent, const raceline_body *other, const double offset_m[2],
                                        double max_s, double acceleration_mps2[2]);

/* Along walls, which are count straight pieces from one point to another, at most 1048576. */
raceline_status raceline_follow_wall(const raceline_agent *agent, const double (*walls_m)[2][2], size_t count,
                                     const raceline_wall_options *options, double acceleration_mps2[2]);

/* The first time at which one that starts at from_m and drives straight at speed_mps can meet another;
 * NAN if it never does. */
raceline_status raceline_interception_time_s(const double from_m[2], double speed_mps, const raceline_body *other, double *time_s);

/* Past fixed obstacles, and past others that move. */
raceline_status raceline_avoid_obstacles(const raceline_agent *agent, const raceline_body *bodies, size_t count,
                                         const raceline_avoidance_options *options, double acceleration_mps2[2]);
raceline_status raceline_avoid_bodies(const raceline_agent *agent, const raceline_body *bodies, size_t count,
                                      const raceline_avoidance_options *options, double acceleration_mps2[2]);

/* The rules of a flock: away from the others, to their middle, to their mean velocity. */
raceline_status raceline_separation(const raceline_agent *agent, const raceline_body *bodies, size_t count,
                                    const raceline_neighbourhood *options, double acceleration_mps2[2]);
raceline_status raceline_cohesion(const raceline_agent *agent, const raceline_body *bodies, size_t count,
                                  const raceline_neighbourhood *options, double acceleration_mps2[2]);
raceline_status raceline_alignment(const raceline_agent *agent, const raceline_body *bodies, size_t count,
                                   const raceline_neighbourhood *options, double acceleration_mps2[2]);

/* Behind a leader, apart from its other followers, and clear of its path. */
raceline_status raceline_follow_leader(const raceline_agent *agent, const raceline_body *leader, const raceline_body *bodies,
                                       size_t count, const raceline_leader_options *options, double acceleration_mps2[2]);

/* Along a path. *place_m is kept from frame to frame; begin with the arc length of the agent's start. */
raceline_status raceline_follow_path(const raceline_agent *agent, const raceline_path *path, double *place_m,
                                     const raceline_path_following_options *options, double acceleration_mps2[2]);

/* With a flow field, by its velocity where the agent will be in prediction_s. */
raceline_status raceline_follow_flow_field(const raceline_agent *agent, const raceline_flow_field *field, double prediction_s,
                                           double acceleration_mps2[2]);

/* A random walk of the direction. Free it with raceline_wander_free(). */
raceline_status raceline_wander_new(const raceline_wander_options *options, raceline_wander **wander);
raceline_status raceline_wander_step(raceline_wander *wander, const raceline_agent *agent, double dt_s, double acceleration_mps2[2]);
void raceline_wander_free(raceline_wander *wander);

/* One acceleration of count, at most 64: by weights, or in their order, each as far as those before it
 * leave something of the agent's largest acceleration. */
raceline_status raceline_blend_weighted(const raceline_agent *agent, const double *weights, const double (*wanted_mps2)[2],
                                        size_t count, double acceleration_mps2[2]);
raceline_status raceline_blend_by_priority(const raceline_agent *agent, const double (*wanted_mps2)[2], size_t count,
                                           double acceleration_mps2[2]);

/* Moves an agent for dt_s. */
raceline_status raceline_agent_advance(raceline_agent *agent, const double acceleration_mps2[2], double dt_s);

/* ---- Crowds ----------------------------------------------------------------------------------- */

/* Who is near whom among many agents, in a time that grows with their number and not with its square. capacity
 * is the number of agents for which memory is taken at once, at most RACELINE_MAX_AGENTS; reach_m is the usual
 * distance within which others are sought, above 0. A call with more agents than any before allocates; no other
 * does. Free it with raceline_neighbour_grid_free(). */
#define RACELINE_MAX_AGENTS 16777216
typedef struct raceline_neighbour_grid raceline_neighbour_grid;
raceline_status raceline_neighbour_grid_new(size_t capacity, double reach_m, raceline_neighbour_grid **grid);

/* Forgets all agents and takes these; their numbers are their places in the array. */
raceline_status raceline_neighbour_grid_rebuild(raceline_neighbour_grid *grid, const raceline_body *bodies, size_t count);

/* Copies the others within radius_m of an agent, for any of the behaviours above, and writes how many they are
 * to count: of more than capacity, the rest is left out. Each of the capacity entries states its size. */
raceline_status raceline_neighbour_grid_others(raceline_neighbour_grid *grid, size_t number, double radius_m,
                                               raceline_body *bodies, size_t capacity, size_t *count);

/* What a flock wants of each of its agents, or one frame of it: all see each other where they are at its
 * beginning. The grid finds their neighbours and forgets what was in it; one for the largest radius of the
 * flock is the fastest. flock may be NULL. */
raceline_status raceline_flock_accelerations(const raceline_flock *flock, raceline_neighbour_grid *grid, const raceline_agent *agents,
                                             size_t count, double (*accelerations_mps2)[2]);
raceline_status raceline_flock_step(const raceline_flock *flock, raceline_neighbour_grid *grid, raceline_agent *agents, size_t count,
                                    double dt_s);
void raceline_neighbour_grid_free(raceline_neighbour_grid *grid);

/* ---- Paths on a grid --------------------------------------------------------------------------- */

/* The path of minimum cost on a grid of which cells become blocked and free, from a start that moves: it is
 * repaired by D* Lite, not searched anew. A cell is row times width plus column, rows from the top. A move leads
 * to one of the eight neighbours, for 1000 over a side and 1414 over a corner, which needs both cells beside it
 * free. blocked is one byte for each cell, 0 for a free one, or NULL where all are free, as before anything was
 * seen. The grid has at most RACELINE_MAX_CELLS cells. Free it with raceline_grid_planner_free(). */
#define RACELINE_MAX_CELLS 16777216
typedef struct raceline_grid_planner raceline_grid_planner;
raceline_status raceline_grid_planner_new(uint32_t width, uint32_t height, const uint8_t *blocked, uint32_t start, uint32_t goal,
                                          raceline_grid_planner **planner);

/* Blocks cells whose byte of blocked is not 0, and frees the others. With a cell that is not on the grid
 * nothing changes, and the call returns RACELINE_VALUE. */
raceline_status raceline_grid_planner_update(raceline_grid_planner *planner, const uint32_t *cells, const uint8_t *blocked,
                                             size_t count);

/* Moves the start to another cell. */
raceline_status raceline_grid_planner_move_to(raceline_grid_planner *planner, uint32_t start);

/* Repairs the path and writes the number of its cells from the start to the goal to count, 0 where there is no
 * path; the cells themselves, if capacity has room for all of them; the cost of its moves to cost, and to expanded
 * how many cells the repair looked at. cost and expanded may be NULL. Allocates. */
raceline_status raceline_grid_planner_path(raceline_grid_planner *planner, uint32_t *cells, size_t capacity, size_t *count,
                                           uint64_t *cost, size_t *expanded);
void raceline_grid_planner_free(raceline_grid_planner *planner);

/* A path on a grid that is there at once and becomes better as long as there is time: anytime repairing A*. The
 * grid, its cells and the costs are those of a planner above, but the grid does not change; prefer the planner where
 * it does. The first path costs at most factor times the minimum, 1 to 100, and factor falls by step, 0.001 to 100,
 * with each further one; 3 and 0.5 are a good choice. Free it with raceline_anytime_search_free(). */
typedef struct raceline_anytime_search raceline_anytime_search;
raceline_status raceline_anytime_search_new(uint32_t width, uint32_t height, const uint8_t *blocked, uint32_t start, uint32_t goal,
                                            double factor, double step, raceline_anytime_search **search);

/* Improves the path once, and writes the bound to factor that is proven then: the path costs at most so many times
 * the minimum. 1 is a path of minimum cost, 0 means that there is none: further calls change nothing. To expanded
 * it writes how many cells were searched; it may be NULL. Allocates. */
raceline_status raceline_anytime_search_improve(raceline_anytime_search *search, double *factor, size_t *expanded);

/* Writes the best path so far as raceline_grid_planner_path() does: count is 0 before the first improvement, and
 * where there is no path. cost may be NULL. Searches nothing. */
raceline_status raceline_anytime_search_path(const raceline_anytime_search *search, uint32_t *cells, size_t capacity, size_t *count,
                                             uint64_t *cost);
void raceline_anytime_search_free(raceline_anytime_search *search);

/* A race over road tiles through checkpoints, in their order, on a map that is discovered: in each tile the route is
 * chosen anew among all of up to depth tiles, 1 to 24, that drive no tile twice between two checkpoints. A turn by a
 * quarter costs as much as turn_tiles tiles, 0 to 1000; 11 and 0 are a good choice. Prefer it to the planner above
 * where turns cost, or where the work of a tick must not grow with the map; where tiles alone count, the planner's
 * drives are shorter. A tile is row times width plus column, rows from the top. Its openings are a byte: 1 to the
 * right, 2 up, 4 to the left, 8 down, so that a straight is 5 or 10, a crossing 15, a tile without a road 0.
 * Neighbours are joined where both are open to each other. openings is one byte for each tile, or NULL where none
 * was seen: unknown tiles count as passable. The map has at most RACELINE_MAX_TILES tiles. checkpoints may be NULL
 * where count is 0. Free it with raceline_tile_driver_free(). */
#define RACELINE_MAX_TILES 4194304
typedef struct raceline_tile_driver raceline_tile_driver;
raceline_status raceline_tile_driver_new(uint32_t width, uint32_t height, const uint8_t *openings, uint32_t start,
                                         const uint32_t *checkpoints, size_t count, uint32_t depth, double turn_tiles,
                                         raceline_tile_driver **driver);

/* Takes notice of the openings of count tiles; what was closed before stays so. With a tile that is not on the map
 * nothing changes, and the call returns RACELINE_VALUE. Where the openings of neighbours may differ, those of the
 * present tile's neighbours must be known before the next raceline_tile_driver_advance(). */
raceline_status raceline_tile_driver_see(raceline_tile_driver *driver, const uint32_t *tiles, const uint8_t *openings, size_t count);

/* Chooses the route and writes the number of its tiles from the present one on to count, 0 where the next checkpoint
 * can't be reached on the map as it is known; the tiles themselves, if capacity has room for all of them; to score a
 * bound on the cost to the last checkpoint, thousandths of a tile, and to expanded how many partial routes were
 * extended. score and expanded may be NULL. A map with so many crossings that there are more than three million
 * partial routes is RACELINE_VALUE: give a smaller depth. Allocates. */
raceline_status raceline_tile_driver_route(raceline_tile_driver *driver, uint32_t *tiles, size_t capacity, size_t *count,
                                           uint64_t *score, size_t *expanded);

/* Chooses the route anew and drives to its first tile, which is written to tile: the present one where the race is
 * finished, or where the next checkpoint can't be reached on the map as it is known. passed gets the number of
 * checkpoints that were passed, all of them when the race is finished; it may be NULL. Else as
 * raceline_tile_driver_route(). */
raceline_status raceline_tile_driver_advance(raceline_tile_driver *driver, uint32_t *tile, size_t *passed);
void raceline_tile_driver_free(raceline_tile_driver *driver);

/* Pedal and steering of a car that is to accelerate so; vehicle may be NULL. */
raceline_status raceline_car_controls(const double acceleration_mps2[2], const raceline_state *state, const raceline_vehicle *vehicle,
                                      double full_throttle_mps2, double full_brake_mps2, double *pedal, double *steering_rad);

#ifdef __cplusplus
}
#endif

#endif
