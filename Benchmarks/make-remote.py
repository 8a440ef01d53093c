"""make-remote.py [SETS CLIENTS] FOLDER: a remote of one document, with 100,000 change sets of 50 clients. Of more than
200,000 a thousand each are names of one file, so that they need no room."""

import datetime
import os
import plistlib
import sys
import uuid

folder = os.path.join(sys.argv[-1], "com.example.benchmark")
sets, count = map(int, sys.argv[1:-1] or (100_000, 50))
clients = [str(uuid.uuid5(uuid.NAMESPACE_URL, "client %d" % number)).upper()
           for number in range(count)]
document = os.path.join(folder, "Documents", "benchmark-document")


# Only names, sizes and times are looked at; an empty file would be a finding of its own.
PLACEHOLDER = b"not looked at"


def write(path, content, time=1_400_000_000):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    os.utime(path, (time, time))


def information(**entries):
    return plistlib.dumps({"kTICDS" + name: text for name, text in entries.items()})


os.makedirs(os.path.join(folder, "Information", "DeletedDocuments"), exist_ok=True)
write(os.path.join(document, "documentInfo.plist"), information(
    DocumentDescription="Benchmark", DocumentIdentifier="benchmark-document",
    OriginalDeviceDescription="Device 0", OriginalDeviceIdentifier=clients[0]))
write(os.path.join(document, "IntegrityKey", str(uuid.uuid5(uuid.NAMESPACE_URL, "key")).upper()), b"")
for number, client in enumerate(clients):
    write(os.path.join(folder, "ClientDevices", client, "deviceInfo.plist"), information(
        ClientDeviceDescription="Device %d" % number, ClientDeviceIdentifier=client))
    write(os.path.join(document, "RecentSyncs", client + ".recentsync"), information(
        LastSyncDate=datetime.datetime(2014, 5, 13, 16, 53, number % 60)))
    own = os.path.join(document, "SyncChanges", client)
    os.makedirs(own, exist_ok=True)
    os.makedirs(os.path.join(document, "SyncCommands", client), exist_ok=True)
    os.makedirs(os.path.join(document, "WholeStore", client), exist_ok=True)
    for place in range(number, sets, len(clients)):
        seconds = 330_000_000 + place * 10
        name = "%017.6f-%s.syncchg" % (seconds, str(uuid.UUID(int=place * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128)).upper())
        path = os.path.join(own, name)
        if sets > 200_000 and place // len(clients) % 1000:
            os.link(first, path)
            continue
        first = path
        file = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
        os.write(file, PLACEHOLDER)
        os.close(file)
        os.utime(path, (978_307_200 + seconds,) * 2)
