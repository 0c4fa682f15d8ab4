/* raceline for C++17: the follower of raceline_follower.h with types that free what they own and throw what failed.
 *
 *     raceline::Path path = raceline::Path::from_file("club.raceline.json");
 *     raceline::Follower follower(path);
 *     raceline::State state;                       // each frame: the vehicle's position and motion
 *     raceline::Command command = follower.step(path, state, {}, 1.0 / 60.0);
 *
 * The structs are those of the C header, which describes their fields and units, with their defaults. What has no
 * type here, as the steering behaviours, is called through the C functions; get() returns the C handle.
 */
#ifndef RACELINE_HPP
#define RACELINE_HPP

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "raceline_follower.h"

namespace raceline {

/* A call that failed: the message of the library and its status. */
class Error : public std::runtime_error {
public:
    Error(raceline_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
    raceline_status status() const noexcept { return status_; }

private:
    raceline_status status_;
};

/* Throws an Error unless status is RACELINE_OK. */
inline void check(raceline_status status) {
    if (status != RACELINE_OK) throw Error(status, raceline_last_error());
}

/* A struct of the C header with its defaults. */
#define RACELINE_TYPE(Name, type, init)       \
    struct Name : type {                      \
        Name() : type(init) {}                \
        Name(const type &other) : type(other) {} \
    };                                        \
    static_assert(sizeof(Name) == sizeof(type), "arrays of it are arrays of the C struct")
RACELINE_TYPE(Waypoint, raceline_waypoint, RACELINE_WAYPOINT_INIT);
RACELINE_TYPE(PathSample, raceline_path_sample, RACELINE_PATH_SAMPLE_INIT);
RACELINE_TYPE(CorridorOptions, raceline_corridor_options, RACELINE_CORRIDOR_OPTIONS_INIT);
RACELINE_TYPE(Vehicle, raceline_vehicle, RACELINE_VEHICLE_INIT);
RACELINE_TYPE(PlannerOptions, raceline_planner_options, RACELINE_PLANNER_OPTIONS_INIT);
RACELINE_TYPE(State, raceline_state, RACELINE_STATE_INIT);
RACELINE_TYPE(Neighbour, raceline_neighbour, RACELINE_NEIGHBOUR_INIT);
RACELINE_TYPE(Body, raceline_body, RACELINE_BODY_INIT);
RACELINE_TYPE(PickUp, raceline_pick_up, RACELINE_PICK_UP_INIT);
RACELINE_TYPE(Command, raceline_command, RACELINE_COMMAND_INIT);
RACELINE_TYPE(LearningOptions, raceline_learning_options, RACELINE_LEARNING_OPTIONS_INIT);
RACELINE_TYPE(Lap, raceline_lap, RACELINE_LAP_INIT);
#undef RACELINE_TYPE

namespace detail {
template <typename T, void (*free_it)(T *)>
struct Free {
    void operator()(T *handle) const noexcept { free_it(handle); }
};
template <typename T, void (*free_it)(T *)>
using Handle = std::unique_ptr<T, Free<T, free_it>>;

inline const std::uint8_t *bytes(std::string_view text) { return reinterpret_cast<const std::uint8_t *>(text.data()); }

inline std::string whole_file(const std::string &name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) throw Error(RACELINE_VALUE, name + ": cannot be opened");
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}
}  // namespace detail

/* The version of the interface that the linked library has; it must equal RACELINE_FOLLOWER_VERSION. */
inline std::uint32_t version() noexcept { return raceline_follower_version(); }

/* A path, which any number of followers and threads may use. */
class Path {
public:
    /* Through waypoints. */
    explicit Path(const std::vector<Waypoint> &waypoints, bool closed = true) {
        raceline_path *path = nullptr;
        check(raceline_path_new(waypoints.data(), waypoints.size(), closed ? 1 : 0, &path));
        handle_.reset(path);
    }

    /* The line in the bytes of a racing-line file. */
    static Path from_json(std::string_view json) {
        raceline_path *path = nullptr;
        raceline_line_info info = RACELINE_LINE_INFO_INIT;
        Vehicle vehicle;
        check(raceline_path_from_json(detail::bytes(json), json.size(), &path, &info, &vehicle));
        return Path(path, vehicle, info.lap_time_s);
    }

    /* The line in a racing-line file. */
    static Path from_file(const std::string &name) { return from_json(detail::whole_file(name)); }

    /* The minimum-curvature line inside the corridor of this path. */
    Path minimum_curvature(const CorridorOptions &options = {}) const {
        raceline_path *line = nullptr;
        check(raceline_path_minimum_curvature(get(), &options, &line));
        return Path(line, vehicle_, 0.0);
    }

    double length_m() const noexcept { return raceline_path_length_m(get()); }

    PathSample at(double s_m) const {
        PathSample sample;
        check(raceline_path_sample_at(get(), s_m, &sample));
        return sample;
    }

    /* The vehicle of the file, with its reference point midway between the axles; else the default. */
    const Vehicle &vehicle() const noexcept { return vehicle_; }

    /* By the speed profile of the file; 0 without one. */
    double lap_time_s() const noexcept { return lap_time_s_; }

    raceline_path *get() const noexcept { return handle_.get(); }

private:
    Path(raceline_path *path, const Vehicle &vehicle, double lap_time_s)
        : handle_(path), vehicle_(vehicle), lap_time_s_(lap_time_s) {}

    detail::Handle<raceline_path, raceline_path_free> handle_;
    Vehicle vehicle_;
    double lap_time_s_ = 0.0;
};

/* Throws an Error that names rule and place where the racing-line file in json is not sound. */
inline void verify(std::string_view json) { check(raceline_verify(detail::bytes(json), json.size())); }

/* What surrounds a vehicle in a frame, the nearest first. */
struct Scene {
    std::vector<Neighbour> neighbours;
    std::vector<Body> obstacles;
    std::vector<PickUp> pick_ups;
    /* Whether the vehicle faces against the path and follows it in reverse gear. */
    bool reverse = false;

    /* As the C functions take it; it refers to the lists. */
    raceline_scene c() const noexcept {
        raceline_scene scene = RACELINE_SCENE_INIT;
        scene.reverse = reverse ? 1 : 0;
        scene.neighbours = neighbours.data();
        scene.neighbour_count = neighbours.size();
        scene.obstacles = obstacles.data();
        scene.obstacle_count = obstacles.size();
        scene.pick_ups = pick_ups.data();
        scene.pick_up_count = pick_ups.size();
        return scene;
    }
};

/* Options by their names, such as {"target_speed.max_speed_mps", 20.0}. */
using Options = std::vector<std::pair<std::string, double>>;

/* Drives one vehicle; it belongs to one thread at a time. */
class Follower {
public:
    /* At the limits of the vehicle of a racing-line file. */
    explicit Follower(const Path &path, const Options &options = {})
        : Follower(RACELINE_PRESET_LIMIT, &path, path.vehicle(), options) {}

    /* With a preset for a vehicle. */
    Follower(raceline_preset preset, const Vehicle &vehicle, const Options &options = {})
        : Follower(preset, nullptr, vehicle, options) {}

    /* Avoids neighbours and obstacles with a local planner from now on. */
    void set_planner(const Path &path, const PlannerOptions &options = {}) {
        check(raceline_follower_set_planner(get(), path.get(), &options));
    }

    /* The command until the next frame; the frame is dt_s after the last. */
    Command step(const Path &path, const State &state, const Scene &scene, double dt_s) {
        Command command;
        const raceline_scene around = scene.c();
        check(raceline_follower_step(get(), path.get(), &state, &around, dt_s, &command));
        return command;
    }

    void reset() { check(raceline_follower_reset(get())); }

    raceline_follower *get() const noexcept { return handle_.get(); }

private:
    Follower(raceline_preset preset, const Path *path, const Vehicle &vehicle, const Options &options) {
        std::vector<raceline_option> listed;
        for (const auto &[key, value] : options) listed.push_back({key.c_str(), value});
        raceline_follower_options given = RACELINE_FOLLOWER_OPTIONS_INIT;
        given.preset = preset;
        given.path = path == nullptr ? nullptr : path->get();
        given.vehicle = &vehicle;
        given.options = listed.data();
        given.option_count = listed.size();
        raceline_follower *follower = nullptr;
        check(raceline_follower_new(&given, &follower));
        handle_.reset(follower);
    }

    detail::Handle<raceline_follower, raceline_follower_free> handle_;
};

/* Learns factors of a path's speeds by place, lap by lap. */
class Learning {
public:
    explicit Learning(const Path &path, const LearningOptions &options = {}) {
        raceline_learning *learning = nullptr;
        check(raceline_learning_new(path.get(), &path.vehicle(), &options, &learning));
        handle_.reset(learning);
    }

    /* After each step; where the lap has ended, apply() is due. */
    Lap observe(const Path &path, const State &state, const Command &command, double dt_s) {
        Lap lap;
        check(raceline_learning_observe(get(), path.get(), &state, &command, dt_s, &lap));
        return lap;
    }

    /* Writes the learned speeds into path, which no other thread may use meanwhile. */
    void apply(Path &path) { check(raceline_learning_apply(get(), path.get())); }
    void fault() { check(raceline_learning_fault(get())); }
    void interrupt() { check(raceline_learning_interrupt(get())); }
    void settle() { check(raceline_learning_settle(get())); }

    /* The factors of the fastest lap as JSON. */
    std::string remember() const {
        std::size_t count = 0;
        check(raceline_learning_remember(get(), nullptr, 0, &count));
        std::string json(count, '\0');
        check(raceline_learning_remember(get(), reinterpret_cast<std::uint8_t *>(json.data()), json.size(), &count));
        return json;
    }
    void recall(std::string_view json) { check(raceline_learning_recall(get(), detail::bytes(json), json.size())); }

    raceline_learning *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<raceline_learning, raceline_learning_free> handle_;
};

/* A network at the wheel of one vehicle. */
class NeuralDriver {
public:
    /* With the network in the bytes of its file. */
    NeuralDriver(const Path &path, std::string_view network_json, double profile_scale = 1.0) {
        raceline_network *network = nullptr;
        check(raceline_network_from_json(detail::bytes(network_json), network_json.size(), &network));
        const detail::Handle<raceline_network, raceline_network_free> owned(network);
        raceline_neural_driver_options options = RACELINE_NEURAL_DRIVER_OPTIONS_INIT;
        options.network = network;
        options.vehicle = &path.vehicle();
        options.profile_scale = profile_scale;
        raceline_neural_driver *driver = nullptr;
        check(raceline_neural_driver_new(&options, &driver));
        handle_.reset(driver);
    }

    Command step(const Path &path, const State &state, double dt_s) {
        Command command;
        check(raceline_neural_driver_step(get(), path.get(), &state, nullptr, dt_s, &command));
        return command;
    }

    void reset() { check(raceline_neural_driver_reset(get())); }

    raceline_neural_driver *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<raceline_neural_driver, raceline_neural_driver_free> handle_;
};

}  // namespace raceline

#endif
