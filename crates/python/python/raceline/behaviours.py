"""Steering behaviours for game agents, after Reynolds: each returns an acceleration (ax, ay), m/s².

>>> from raceline import Body, behaviours
>>> agent = behaviours.Agent(0.0, 0.0, max_speed=8.0)
>>> rock = Body(5.0, 0.2, radius=1.0)
>>> for _ in range(60):
...     away = behaviours.avoid_obstacles(agent, [rock])
...     there = behaviours.seek(agent, (20.0, 0.0))
...     agent.advance(behaviours.blend_by_priority(agent, [away, there]), 1 / 60)
>>> agent.position[0] > 2.0
True
"""

from ._raceline import (
    Agent,
    Flock,
    FlowField,
    NeighbourGrid,
    PathFollowing,
    Wander,
    alignment,
    arrival,
    avoid_bodies,
    avoid_obstacles,
    blend_by_priority,
    blend_weighted,
    car_controls,
    cohesion,
    evasion,
    flee,
    follow_flow_field,
    follow_leader,
    follow_wall,
    interception_time,
    offset_pursuit,
    pursuit,
    seek,
    separation,
)

__all__ = [
    "Agent",
    "Flock",
    "FlowField",
    "NeighbourGrid",
    "PathFollowing",
    "Wander",
    "alignment",
    "arrival",
    "avoid_bodies",
    "avoid_obstacles",
    "blend_by_priority",
    "blend_weighted",
    "car_controls",
    "cohesion",
    "evasion",
    "flee",
    "follow_flow_field",
    "follow_leader",
    "follow_wall",
    "interception_time",
    "offset_pursuit",
    "pursuit",
    "seek",
    "separation",
]
