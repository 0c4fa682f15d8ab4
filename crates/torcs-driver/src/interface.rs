//! What TORCS calls, and all unsafe code of this package.
//!
//! TORCS loads the library, calls the function of the module's name with an array of ten `tModInfo`,
//! then the init function of the chosen entry, which fills a `tRobotItf` with callbacks. What it
//! passes are pointers to structs whose sizes [`crate::layout`] lists. The unsafe blocks turn them
//! into slices of these sizes for the time of the call and write function pointers; everything else
//! is safe code on the slices. A null pointer does nothing, a panic does not cross the interface.

#![allow(unsafe_code, reason = "a C program calls in with raw pointers")]

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fmt::Write as _, ptr, slice};

use crate::checks::MAX_SEGMENTS;
use crate::configuration::{Configuration, FILE, VARIABLE};
use crate::figures::Figures;
use crate::image::Image;
use crate::layout::{
    CAR_BYTES, CarFacts, CarState, Control, MODULE_BYTES, ROBOT_INTERFACE_BYTES, SEGMENT_BYTES, SITUATION_BYTES,
    SURFACE_BYTES, Segment, TRACK_BYTES, Track,
};
use crate::others::{MAX_CARS, Others};
use crate::pits::{BOX_BYTES, BOX_OFFSET, OwnBox, Pits};
use crate::robot::Robot;

/// Cars that one module drives.
const CARS: usize = 10;
const NAMES: [&CStr; CARS] = [
    c"raceline 1",
    c"raceline 2",
    c"raceline 3",
    c"raceline 4",
    c"raceline 5",
    c"raceline 6",
    c"raceline 7",
    c"raceline 8",
    c"raceline 9",
    c"raceline 10",
];

/// The robots by index less one.
static ROBOTS: Mutex<[Option<Robot>; CARS]> = Mutex::new([const { None }; CARS]);

/// Distance between the written points of the track, m.
const GEOMETRY_SPACING_M: f64 = 3.0;
/// `tSituation.raceInfo.type` of a race.
const RACE: c_int = 2;
/// Bytes of a param handle's longest text.
const LONGEST_TEXT: usize = 256;

unsafe extern "C" {
    fn strdup(text: *const c_char) -> *mut c_char;
    fn dlsym(handle: *mut c_void, symbol: *const c_char) -> *mut c_void;
    fn dladdr(address: *const c_void, info: *mut AddressInfo) -> c_int;
}

/// `Dl_info` of the C library.
#[repr(C)]
struct AddressInfo {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

type NewTrack = extern "C" fn(c_int, *mut c_void, *mut c_void, *mut *mut c_void, *mut c_void);
type OfCar = extern "C" fn(c_int, *mut c_void, *mut c_void);
type Pit = extern "C" fn(c_int, *mut c_void, *mut c_void) -> c_int;
type Shutdown = extern "C" fn(c_int);
type Number = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char, f32) -> f32;
type Text = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char) -> *const c_char;
type ReadFile = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;
type SetNumber = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char, f32) -> c_int;

/// TORCS's entry: fills `modules`, an array of ten `tModInfo`.
///
/// # Safety
/// `modules` is null or points at ten `tModInfo`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline(modules: *mut c_void) -> c_int {
    guarded("raceline", -1, || {
        // SAFETY: the caller passes ten of them, and nobody else uses them meanwhile.
        let Some(modules) = (unsafe { image_mut(modules, CARS * MODULE_BYTES) }) else { return -1 };
        let init: extern "C" fn(c_int, *mut c_void) -> c_int = initialize;
        for (i, module) in modules.chunks_exact_mut(MODULE_BYTES).enumerate() {
            // SAFETY: both texts end with 0. TORCS frees the copies.
            let texts = unsafe { [strdup(NAMES[i].as_ptr()), strdup(c"drives a line of raceline".as_ptr())] };
            module[0..8].copy_from_slice(&(texts[0] as usize).to_ne_bytes());
            module[8..16].copy_from_slice(&(texts[1] as usize).to_ne_bytes());
            module[16..24].copy_from_slice(&(init as usize).to_ne_bytes());
            module[24..28].copy_from_slice(&0_u32.to_ne_bytes());
            module[28..32].copy_from_slice(&(i as i32 + 1).to_ne_bytes());
        }
        0
    })
}

extern "C" fn initialize(index: c_int, robot_interface: *mut c_void) -> c_int {
    guarded("initialize", -1, || {
        // SAFETY: TORCS passes a `tRobotItf`.
        let Some(bytes) = (unsafe { image_mut(robot_interface, ROBOT_INTERFACE_BYTES) }) else { return -1 };
        let callbacks: [usize; 6] = [
            (new_track as NewTrack) as usize,
            (new_race as OfCar) as usize,
            (end_race as OfCar) as usize,
            (drive as OfCar) as usize,
            (pit as Pit) as usize,
            (shutdown as Shutdown) as usize,
        ];
        for (place, callback) in bytes.chunks_exact_mut(8).zip(callbacks) {
            place.copy_from_slice(&callback.to_ne_bytes());
        }
        bytes[48..52].copy_from_slice(&index.to_ne_bytes());
        0
    })
}

extern "C" fn new_track(index: c_int, track: *mut c_void, car: *mut c_void, set_up: *mut *mut c_void, _: *mut c_void) {
    guarded("new_track", (), || {
        let robot = read_configuration().and_then(|configuration| {
            let handle = load_set_up(&configuration, index);
            // SAFETY: TORCS passes the place of a handle, or null.
            if let Some(place) = unsafe { set_up.as_mut() } {
                *place = handle;
            }
            let track = read_track(track)?;
            if let Some(path) = &configuration.geometry {
                write_geometry(path, &track)?;
            }
            let figures = Figures::read(
                |section, key, default| {
                    let default = number(car, section, key, default);
                    number(handle, section, key, default)
                },
                |section, key| text(car, section, key),
            );
            Robot::new(configuration, index, track, figures)
        });
        let robot = robot.map_err(|reason| refuse(index, &reason)).ok();
        with_robot(index, |place| *place = robot);
    });
}

extern "C" fn new_race(index: c_int, car: *mut c_void, situation: *mut c_void) {
    guarded("new_race", (), || {
        // SAFETY: TORCS passes a `tCarElt` and a `tSituation`.
        let images = unsafe { (image(car, CAR_BYTES), image(situation, SITUATION_BYTES)) };
        let (Some(car), Some(situation)) = images else { return };
        let (laps, kind) = (Image(situation).int(4), Image(situation).int(12));
        let laps = u32::try_from(laps).ok().filter(|laps| *laps > 0);
        // Stops are made in races alone.
        let own_box = if kind == RACE { own_box(Image(car)) } else { None };
        with_robot(index, |place| {
            let start = |robot: &mut Robot| robot.start(&CarFacts::read(Image(car)), laps, own_box);
            if let Some(Err(reason)) = place.as_mut().map(start) {
                refuse(index, &reason);
                *place = None;
            }
        });
    });
}

extern "C" fn drive(index: c_int, car: *mut c_void, situation: *mut c_void) {
    guarded("drive", (), || {
        let car_address = car as usize;
        // SAFETY: TORCS passes a `tCarElt` and a `tSituation`.
        let images = unsafe { (image_mut(car, CAR_BYTES), image(situation, SITUATION_BYTES)) };
        let (Some(car), Some(situation)) = images else { return };
        Control::BRAKE.write(car);
        let time_s = Image(situation).double(40);
        let state = CarState::read(Image(car));
        let others = others(Image(situation), car_address, state.position_m);
        with_robot(index, |place| match place.as_mut().map(|robot| robot.drive(&state, others.cars(), time_s)) {
            Some(Ok(control)) => control.write(car),
            Some(Err(reason)) => {
                refuse(index, &reason);
                *place = None;
            }
            None => {}
        });
    });
}

/// The other cars of a situation.
fn others(situation: Image<'_>, own: usize, own_m: [f64; 3]) -> Others {
    let mut others = Others::new();
    let count = usize::try_from(situation.int(0)).unwrap_or(0).min(MAX_CARS);
    // SAFETY: `tSituation.cars` is an array of `raceInfo.ncars` addresses.
    let Some(addresses) = (unsafe { image(situation.address(56) as *const c_void, 8 * count) }) else { return others };
    for address in addresses.chunks_exact(8) {
        let address = Image(address).address(0);
        if address == own {
            continue;
        }
        // SAFETY: each is the address of a `tCarElt`, which nobody writes while a robot drives.
        if let Some(bytes) = unsafe { image(address as *const c_void, CAR_BYTES) } {
            others.add(Image(bytes), own_m);
        }
    }
    others
}

/// The box of a car, if it has one.
fn own_box(car: Image<'_>) -> Option<OwnBox> {
    // SAFETY: the address is null or that of a `tTrackOwnPit`, and its first field that of a segment.
    let own = unsafe { image(car.address(BOX_OFFSET) as *const c_void, BOX_BYTES) }?;
    // SAFETY: as above.
    let segment = unsafe { image(Image(own).address(0) as *const c_void, SEGMENT_BYTES) }?;
    Some(OwnBox::read(Image(own), Image(segment)))
}

extern "C" fn pit(index: c_int, car: *mut c_void, _: *mut c_void) -> c_int {
    // ROB_PIT_IM: without a menu.
    guarded("pit", 0, || {
        // SAFETY: TORCS passes a `tCarElt`.
        let Some(car) = (unsafe { image_mut(car, CAR_BYTES) }) else { return 0 };
        let state = CarState::read(Image(car));
        with_robot(index, |place| {
            if let Some(robot) = place {
                robot.serve(&state).write(car);
            }
        });
        0
    })
}

extern "C" fn end_race(index: c_int, _: *mut c_void, _: *mut c_void) {
    guarded("end_race", (), || {
        with_robot(index, |place| place.as_mut().map(Robot::flush));
    });
}

extern "C" fn shutdown(index: c_int) {
    guarded("shutdown", (), || {
        with_robot(index, |place| {
            if let Some(mut robot) = place.take() {
                robot.flush();
            }
        });
    });
}

/// Runs a callback; a panic becomes a message.
fn guarded<T>(what: &str, otherwise: T, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        eprintln!("raceline: defect in {what}");
        otherwise
    })
}

fn refuse(index: c_int, reason: &str) {
    eprintln!("raceline {index}: refuses to drive: {reason}");
}

fn with_robot<T>(index: c_int, run: impl FnOnce(&mut Option<Robot>) -> T) -> Option<T> {
    let mut robots = ROBOTS.lock().unwrap_or_else(PoisonError::into_inner);
    usize::try_from(index - 1).ok().and_then(|i| robots.get_mut(i)).map(run)
}

/// # Safety
/// `pointer` is null or points at `count` bytes that live and are not written to for `'a`.
unsafe fn image<'a>(pointer: *const c_void, count: usize) -> Option<&'a [u8]> {
    // SAFETY: the caller's promise; bytes have no alignment and no invalid values.
    (!pointer.is_null()).then(|| unsafe { slice::from_raw_parts(pointer.cast::<u8>(), count) })
}

/// # Safety
/// As [`image`], and nobody else reads them either.
unsafe fn image_mut<'a>(pointer: *mut c_void, count: usize) -> Option<&'a mut [u8]> {
    // SAFETY: the caller's promise; bytes have no alignment and no invalid values.
    (!pointer.is_null()).then(|| unsafe { slice::from_raw_parts_mut(pointer.cast::<u8>(), count) })
}

/// Reads a track: the ring of segments from the one that begins at the start line.
fn read_track(track: *const c_void) -> Result<Track, String> {
    // SAFETY: TORCS passes a `tTrack`, which lives as long as the race.
    let bytes = unsafe { image(track, TRACK_BYTES) }.ok_or("there is no track")?;
    let track = Image(bytes);
    let count = track.int(48);
    if !(1..=MAX_SEGMENTS as i32).contains(&count) {
        return Err(format!("the track has {count} segments, but must have 1 to {MAX_SEGMENTS}"));
    }
    let first = track.address(144);
    let mut segments = Vec::with_capacity(count as usize);
    let mut next = first;
    while segments.len() < count as usize {
        // SAFETY: each address is that of a `tTrackSeg` of the ring; their number is bounded.
        let bytes = unsafe { image(next as *const c_void, SEGMENT_BYTES) }.ok_or("the ring of segments is broken")?;
        let segment = Image(bytes);
        // SAFETY: the address is that of the segment's `tTrackSurface`.
        let surface = unsafe { image(segment.address(200) as *const c_void, SURFACE_BYTES) };
        segments.push(Segment::read(segment, Image(surface.ok_or("a segment has no surface")?)));
        next = segment.address(232);
        if next == first {
            break;
        }
    }
    if next != first {
        return Err(format!("the ring of segments does not close after {count}"));
    }
    let min = segments.iter().map(|segment| segment.from_start_m).fold(f64::INFINITY, f64::min);
    if let Some(start) = segments.iter().position(|segment| segment.from_start_m == min) {
        segments.rotate_left(start);
    }
    // SAFETY: the name is a text of TORCS's, or null.
    let name = unsafe { c_text(track.address(0) as *const c_char) }.unwrap_or_default();
    // SAFETY: the addresses of the pits' segments are null or those of segments of the ring.
    let of_pits = |address: usize| unsafe { image(address as *const c_void, SEGMENT_BYTES) }.map(Image);
    let pits = Pits::read(track, of_pits);
    Ok(Track { name, count, length_m: track.float(56), width_m: track.float(60), segments, pits })
}

/// # Safety
/// `text` is null or a text that ends with 0.
unsafe fn c_text(text: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().chars().take(LONGEST_TEXT).collect())
}

/// The configuration that the environment names, or that beside the robot.
fn read_configuration() -> Result<Configuration, String> {
    let path = match std::env::var_os(VARIABLE) {
        Some(path) => PathBuf::from(path),
        None => own_folder().ok_or("the robot's own folder is not known")?.join(FILE),
    };
    Configuration::read(&path)
}

/// The folder of this library.
fn own_folder() -> Option<PathBuf> {
    let mut info =
        AddressInfo { file: ptr::null(), base: ptr::null_mut(), symbol: ptr::null(), address: ptr::null_mut() };
    let here = own_folder as fn() -> Option<PathBuf> as *const c_void;
    // SAFETY: `info` outlives the call, which fills it with texts of the loader.
    let found = unsafe { dladdr(here, &raw mut info) } != 0 && !info.file.is_null();
    // SAFETY: the loader's text ends with 0 and lives as long as the library.
    let file = found.then(|| unsafe { CStr::from_ptr(info.file) })?;
    Path::new(OsStr::from_bytes(file.to_bytes())).parent().map(Path::to_owned)
}

/// A function of TORCS's library libtgf, which is loaded already, by its C++ name.
fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: null asks for the program's own symbols; the name ends with 0.
    let found = unsafe { dlsym(ptr::null_mut(), name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Reads the set-up and sets the fuel; null where there is none.
fn load_set_up(configuration: &Configuration, index: c_int) -> *mut c_void {
    let loaded = || {
        let path = configuration.setup.as_ref()?;
        let path = CString::new(path.as_os_str().as_bytes()).ok()?;
        // SAFETY: `void *GfParmReadFile(const char *, int)`; 1 is the standard mode.
        let handle = unsafe {
            let read: ReadFile = std::mem::transmute(function(c"_Z14GfParmReadFilePKci")?);
            read(path.as_ptr(), 1)
        };
        (!handle.is_null()).then_some(handle)
    };
    let Some(handle) = loaded() else {
        if configuration.setup.is_some() {
            eprintln!("raceline {index}: the set-up cannot be read; drives with the car's own");
        }
        return ptr::null_mut();
    };
    if let (Some(fuel), Some(set)) = (configuration.fuel_l, function(c"_Z12GfParmSetNumPvPKcS1_S1_f")) {
        // SAFETY: `int GfParmSetNum(void *, const char *, const char *, const char *, float)` on a
        // handle that it has just made; a null unit is SI.
        unsafe {
            let set: SetNumber = std::mem::transmute(set);
            set(handle, c"Car".as_ptr(), c"initial fuel".as_ptr(), ptr::null(), fuel as f32);
        }
    }
    handle
}

/// A parameter in SI units.
fn number(handle: *mut c_void, section: &str, key: &str, default: f64) -> f64 {
    let found = || {
        let (section, key) = (CString::new(section).ok()?, CString::new(key).ok()?);
        let get = function(c"_Z12GfParmGetNumPvPKcS1_S1_f").filter(|_| !handle.is_null())?;
        // SAFETY: `float GfParmGetNum(void *, const char *, const char *, const char *, float)` on a
        // handle of TORCS's; a null unit is SI.
        let value = unsafe {
            let get: Number = std::mem::transmute(get);
            get(handle, section.as_ptr(), key.as_ptr(), ptr::null(), default as f32)
        };
        Some(f64::from(value))
    };
    found().unwrap_or(default)
}

/// A parameter that is a text.
fn text(handle: *mut c_void, section: &str, key: &str) -> Option<String> {
    let (section, key) = (CString::new(section).ok()?, CString::new(key).ok()?);
    let get = function(c"_Z12GfParmGetStrPvPKcS1_S1_").filter(|_| !handle.is_null())?;
    // SAFETY: `const char *GfParmGetStr(void *, const char *, const char *, const char *)`; the text
    // is TORCS's and lives at least until the next call.
    unsafe {
        let get: Text = std::mem::transmute(get);
        c_text(get(handle, section.as_ptr(), key.as_ptr(), ptr::null()))
    }
}

/// The edges of the main strip every few metres.
fn write_geometry(path: &Path, track: &Track) -> Result<(), String> {
    let mut rows = "s_m,left_x_m,left_y_m,left_z_m,right_x_m,right_y_m,right_z_m,friction\n".to_owned();
    for segment in &track.segments {
        let pieces = (segment.length_m / GEOMETRY_SPACING_M).ceil().max(1.0) as usize;
        for piece in 0..pieces {
            let fraction = piece as f64 / pieces as f64;
            let [left, right] = segment.across(fraction);
            let _ = write!(rows, "{:.3}", segment.from_start_m + fraction * segment.length_m);
            left.iter().chain(&right).for_each(|value| {
                let _ = write!(rows, ",{value:.4}");
            });
            let _ = writeln!(rows, ",{:.3}", segment.friction);
        }
    }
    std::fs::write(path, rows).map_err(|error| format!("{}: {error}", path.display()))
}
