"""check-sets.py FOLDER: opens every change set below a folder and walks its changes, with plistlib."""

import os
import plistlib
import struct
import sys

TYPES = {1, 2, 3, 4, 5, 10}


def check(path):
    data = open(path, "rb").read()
    assert data[:8] == b"CoreData"
    start, length, map_start, map_length = struct.unpack(">QQQQ", data[16:48])
    plistlib.loads(data[start:start + length])
    archive = plistlib.loads(data[map_start:map_start + map_length])
    objects = archive["$objects"]

    def value(it):
        if isinstance(it, plistlib.UID):
            it = objects[it.data]
        if not isinstance(it, dict):
            return it
        if "NS.time" in it:
            return it["NS.time"]
        if "NS.keys" in it:
            return {objects[key.data]: value(one) for key, one in zip(it["NS.keys"], it["NS.objects"])}
        if "NS.objects" in it:
            return [value(one) for one in it["NS.objects"]]
        return None

    for node in objects[archive["$top"]["mapData"].data]["NS.objects"]:
        row = value(objects[node.data]["NSAttributeValues"])
        assert len(row) == 8 and row[0] in TYPES and row[5]


count = 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".syncchg"):
            check(os.path.join(folder, name))
            count += 1
print(count)
