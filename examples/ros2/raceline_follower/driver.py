"""What the node does, without ROS: odometry in, drive commands out. Messages are read by their fields and given as
dictionaries of them, so that this file needs no package of ROS."""

import math

import raceline

# After a longer break the follower begins anew, s.
LONGEST_FRAME_S = 0.5


def seconds(stamp):
    """A `builtin_interfaces/Time` in seconds."""
    return stamp.sec + 1e-9 * stamp.nanosec


def quaternion(heading):
    """A `geometry_msgs/Quaternion` about the vertical."""
    return {"x": 0.0, "y": 0.0, "z": math.sin(0.5 * heading), "w": math.cos(0.5 * heading)}


def heading_of(orientation):
    """The heading of a `geometry_msgs/Quaternion`, rad."""
    x, y, z, w = orientation.x, orientation.y, orientation.z, orientation.w
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


class Driver:
    """Follows a racing line.

    line: a `raceline.Line` or the path of one. reference_ahead_m: how far the middle between the axles lies ahead of
    the frame of the odometry, half the wheelbase where that is the rear axle. options: those of `raceline.Follower`.
    """

    def __init__(self, line, reference_ahead_m=0.0, options=None):
        self.line = raceline.load(line) if isinstance(line, str) else line
        self.reference_ahead_m = reference_ahead_m
        self._follower = raceline.Follower(self.line, options or {})
        self._before = None

    def path(self, frame):
        """The line as a `nav_msgs/Path` in a frame; heights are left out."""
        stamp = {"sec": 0, "nanosec": 0}
        header = {"stamp": stamp, "frame_id": frame}
        places = zip(self.line.x.tolist(), self.line.y.tolist(), self.line.heading.tolist())
        poses = [
            {"header": header, "pose": {"position": {"x": x, "y": y, "z": 0.0}, "orientation": quaternion(heading)}}
            for x, y, heading in places
        ]
        return {"header": header, "poses": poses + poses[:1] * self.line.closed}

    def command(self, odometry):
        """The `ackermann_msgs/AckermannDriveStamped` for a `nav_msgs/Odometry`, whose twist is in the frame of the
        vehicle; None for the first message and for one that is not later than the one before."""
        now = seconds(odometry.header.stamp)
        frame_s = None if self._before is None else now - self._before
        if frame_s is not None and frame_s <= 0.0:
            return None
        self._before = now
        if frame_s is None:
            return None
        if frame_s > LONGEST_FRAME_S:
            self._follower.reset()
            return None
        pose, twist = odometry.pose.pose, odometry.twist.twist
        heading, ahead, yaw_rate = heading_of(pose.orientation), self.reference_ahead_m, twist.angular.z
        command = self._follower.step(
            pose.position.x + ahead * math.cos(heading),
            pose.position.y + ahead * math.sin(heading),
            heading,
            twist.linear.x,
            frame_s,
            lateral_speed=twist.linear.y + ahead * yaw_rate,
            yaw_rate=yaw_rate,
        )
        stamp = {"sec": odometry.header.stamp.sec, "nanosec": odometry.header.stamp.nanosec}
        drive = {
            "steering_angle": command.steering,
            "steering_angle_velocity": 0.0,
            "speed": command.target_speed,
            "acceleration": command.acceleration,
            "jerk": 0.0,
        }
        return {"header": {"stamp": stamp, "frame_id": odometry.child_frame_id}, "drive": drive}
