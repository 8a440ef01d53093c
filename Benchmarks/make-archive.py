"""make-archive.py FILE: writes a keyed archive of about 434,000 objects and 19 MB with plistlib."""

import plistlib
import sys

U = plistlib.UID
objects = ["$null"]


def add(value):
    objects.append(value)
    return U(len(objects) - 1)


def describe(*names):
    return add({"$classname": names[0], "$classes": list(names)})


array = describe("NSMutableArray", "NSArray", "NSObject")
dictionary = describe("NSMutableDictionary", "NSDictionary", "NSObject")
date = describe("NSDate", "NSObject")
keys = [add(name) for name in ("title", "text", "created", "weight", "position", "syncID")]
notes = []
for number in range(72_300):
    notes.append(add({
        "$class": dictionary,
        "NS.keys": keys,
        "NS.objects": [
            add("Title of note %d" % number),
            add("Größe %d: a word" % number),
            add({"$class": date, "NS.time": 330000000 + number * 0.37}),
            add(number / 7),
            add(number + 1000),
        ] + [keys[0]],
    }))
root = add({"$class": array, "NS.objects": notes})
with open(sys.argv[1], "wb") as file:
    plistlib.dump(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": objects},
        file, fmt=plistlib.FMT_BINARY, sort_keys=False)
print(len(objects), "objects in $objects")
