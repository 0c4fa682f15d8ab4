"""The node: publishes the line once, latched, and a drive command for each odometry message."""

import rclpy
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry, Path
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from .driver import Driver


def filled(message, values):
    """A message with the values of a dictionary of its fields."""
    for name, value in values.items():
        if isinstance(value, dict):
            filled(getattr(message, name), value)
        else:
            setattr(message, name, value)
    return message


class LineFollower(Node):
    def __init__(self):
        super().__init__("raceline_follower")
        line = self.declare_parameter("line", "line.json").value
        frame = self.declare_parameter("frame", "map").value
        ahead = self.declare_parameter("reference_ahead_m", 0.0).value
        self.driver = Driver(line, ahead)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.path = self.create_publisher(Path, "raceline", latched)
        self.drive = self.create_publisher(AckermannDriveStamped, "drive", 1)
        self.path.publish(self.path_message(self.driver.path(frame)))
        self.create_subscription(Odometry, "odom", self.on_odometry, 1)

    @staticmethod
    def path_message(values):
        message = filled(Path(), {"header": values["header"]})
        message.poses = [filled(PoseStamped(), pose) for pose in values["poses"]]
        return message

    def on_odometry(self, odometry):
        command = self.driver.command(odometry)
        if command is not None:
            self.drive.publish(filled(AckermannDriveStamped(), command))


def main():
    rclpy.init()
    node = LineFollower()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
