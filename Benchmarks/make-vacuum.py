"""make-vacuum.py TICDS REMOTE FOLDER: the remote of make-remote.py with two whole stores, whose registers name nine
tenths of the change sets. TICDS is the program; its demonstration gives the stores and the empty register."""

import glob
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ticds, remote, folder = sys.argv[1:]
shutil.copytree(remote, folder)
document = os.path.join(folder, "com.example.benchmark", "Documents", "benchmark-document")
changes = os.path.join(document, "SyncChanges")
stores = os.path.join(document, "WholeStore")
clients = sorted(os.listdir(changes))
sets = sorted((name, client) for client in clients for name in os.listdir(os.path.join(changes, client)))
rows = [(place + 1, float(name[:17]), float(name[:17]) + 60, client, name, name[:-len(".syncchg")])
        for place, (name, client) in enumerate(sets[:len(sets) * 9 // 10])]

with tempfile.TemporaryDirectory() as scratch:
    demonstration = os.path.join(scratch, "demo")
    subprocess.run([ticds, "demo", demonstration, "--change-sets", "8"], check=True, stdout=subprocess.DEVNULL)
    register = os.path.join(scratch, "register")
    shared = os.path.dirname(glob.glob(os.path.join(
        demonstration, "*", "Documents", "*", "WholeStore", "*", "AppliedSyncChangeSets.ticdsync"))[0])
    shutil.copyfile(os.path.join(shared, "AppliedSyncChangeSets.ticdsync"), register)
    database = sqlite3.connect(register)
    database.execute("DELETE FROM ZTICDSSYNCCHANGESET")
    database.executemany("INSERT INTO ZTICDSSYNCCHANGESET VALUES (?, 1, 1, ?, ?, ?, ?, ?)", rows)
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ?", (len(rows),))
    database.commit()
    database.close()
    shutil.rmtree(stores)
    for client in clients[:2]:
        os.makedirs(os.path.join(stores, client))
        shutil.copyfile(register, os.path.join(stores, client, "AppliedSyncChangeSets.ticdsync"))
        shutil.copyfile(os.path.join(shared, "WholeStore.ticdsync"), os.path.join(stores, client, "WholeStore.ticdsync"))
