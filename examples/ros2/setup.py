from setuptools import setup

NAME = "raceline_follower"

setup(
    name=NAME,
    version="0.1.0",
    packages=[NAME],
    data_files=[("share/ament_index/resource_index/packages", [f"resource/{NAME}"]), (f"share/{NAME}", ["package.xml"])],
    install_requires=["raceline"],
    entry_points={"console_scripts": [f"follow = {NAME}.node:main"]},
)
