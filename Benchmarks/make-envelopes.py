#!/usr/bin/env python3
"""Writes a run of a fleet with so many results, all of them like one that the suite wrote.

usage: make-envelopes.py SUITE COUNT FOLDER [COMMAND]
SUITE is the folder of the programs. The results are those of COMMAND (`status`) on a demonstration remote, with other
locations and identifiers; every twentieth failed.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile


def main():
    suite, count, folder = os.path.abspath(sys.argv[1]), int(sys.argv[2]), os.path.abspath(sys.argv[3])
    command = sys.argv[4] if len(sys.argv) > 4 else "status"
    os.makedirs(folder)
    with tempfile.TemporaryDirectory() as scratch:
        template, order = sample(suite, scratch, command)
    order["remotes"] = count
    order["name"] = os.path.basename(folder)
    write(os.path.join(folder, "run.json"), json.dumps(order))
    for name in ("shards", "log"):
        os.mkdir(os.path.join(folder, name))
    for number in range(256):
        os.makedirs(os.path.join(folder, "envelopes", "%02x" % number))
    location = json.loads(template)["location"]
    identifier = json.loads(template)["id"]
    # The parts of the text between what differs.
    parts = template.replace(json.dumps(location), "\0L\0").replace(identifier, "\0I\0")
    parts = parts.replace('"state":"done"', "\0S\0").replace('"reason":null', "\0R\0").split("\0")
    with open(os.path.join(folder, "remotes.jsonl"), "w") as remotes:
        for number in range(count):
            place = "/srv/sync/%03d/%07d/com.example.cookbook" % (number % 1000, number)
            own = hashlib.sha256(place.encode()).hexdigest()[:16]
            failed = number % 20 == 7
            values = {
                "L": '"%s"' % place, "I": own,
                "S": '"state":"%s"' % ("retry" if failed else "done"),
                "R": '"reason":%s' % ('"timeout"' if failed else "null"),
            }
            text = "".join(values.get(part, part) if odd % 2 else part for odd, part in enumerate(parts))
            write(os.path.join(folder, "envelopes", own[:2], own + ".json"), text)
            remotes.write(json.dumps({"schema": "ticds.fleetRemote/1", "id": own, "location": place,
                                      "application": "com.example.cookbook", "tags": []}) + "\n")


def sample(suite, scratch, command):
    """An envelope that the suite wrote, and the description of its run."""
    environment = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": os.path.join(scratch, "state")}

    def run(program, *words):
        subprocess.run([os.path.join(suite, program), *words], env=environment, check=True, stdout=subprocess.DEVNULL)

    run("ticds", "demo", os.path.join(scratch, "demo"), "--quiet")
    run("ticds-fleet", "scan", scratch)
    run("ticds-fleet", "run", "--to", os.path.join(scratch, "run"), command)
    envelopes = [os.path.join(place, name) for place, _, names in os.walk(os.path.join(scratch, "run", "envelopes"))
                 for name in names]
    with open(envelopes[0]) as file, open(os.path.join(scratch, "run", "run.json")) as order:
        return file.read(), json.load(order)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
