"""dump-changes.py FILE|FOLDER ...: what `ticds-changes dump --json` prints of change sets, in the shortest Python that
gives it."""

import base64
import datetime
import json
import os
import plistlib
import struct
import sys

TYPES = {1: "insert", 2: "attribute", 3: "toOne", 4: "addToMany", 5: "removeFromMany", 10: "delete"}
EPOCH = datetime.datetime(2001, 1, 1)


def date(seconds):
    return (EPOCH + datetime.timedelta(seconds=seconds)).isoformat(timespec="microseconds") + "Z"


def value(it, objects):
    if isinstance(it, plistlib.UID):
        it = objects[it.data]
    if isinstance(it, bytes):
        return {"$data": base64.b64encode(it).decode()}
    if not isinstance(it, dict):
        return it
    if "NS.string" in it:
        return it["NS.string"]
    if "NS.data" in it:
        return value(it["NS.data"], objects)
    if "NS.time" in it:
        return {"$date": date(it["NS.time"])}
    if "NS.keys" in it:
        return {objects[key.data]: value(one, objects) for key, one in zip(it["NS.keys"], it["NS.objects"])}
    if "NS.objects" in it:
        return [value(one, objects) for one in it["NS.objects"]]
    return None


def dump(path):
    data = open(path, "rb").read()
    start, length = struct.unpack(">QQ", data[32:48])
    archive = plistlib.loads(data[start:start + length])
    objects = archive["$objects"]
    rows = [value(objects[node.data]["NSAttributeValues"], objects)
            for node in objects[archive["$top"]["mapData"].data]["NS.objects"]]
    rows.sort(key=lambda row: (row[0], row[3]["$date"]))
    for number, (kind, attributes, relationships, time, entity, sync_id, related, key) in enumerate(rows, 1):
        line = {"schema": "ticds.change/1", "document": None, "client": None, "changeSet": path,
                "sequence": number, "type": TYPES[kind], "entity": entity, "objectSyncID": sync_id, "key": key}
        if kind == 1:
            line["attributes"] = attributes
        if kind == 2:
            line["value"] = attributes
        if kind in (3, 4, 5):
            line["relatedEntity"] = related
            line["relatedSyncID"] = relationships
        line["timestamp"] = time["$date"]
        print(json.dumps(line, ensure_ascii=False))


for argument in sys.argv[1:]:
    if os.path.isdir(argument):
        for folder, _, names in os.walk(argument):
            for name in names:
                if name.endswith(".syncchg"):
                    dump(os.path.join(folder, name))
    else:
        dump(argument)
