/// The behaviour of the framework's own classes with damaged remotes: the develop branch, release 1.0.2 and the iCloud
/// branch, with a replacement for Core Data over binary stores.
///
/// A line has the damage, the versions, and the behaviour of a running client, of the same client when it starts again,
/// and of a new one. A, B and C are clients, E is an encrypted remote, A's whole store is the newest in it and B's in
/// the unencrypted one. `-` means that the case was not run, or that ticds predicted it from the beginning. `ok wiped`:
/// the client begins again with a whole store; `asked`: the app was asked whether to create the document; `crash` also
/// means code 21, whose text is beyond the end of a table.
enum PredictionFacts {
    static let lines = """
        E Encryption dir removed | develop | - | - | fails 134000
        E Encryption renamed | develop | - | - | fails 134000
        E dangling reg-A | develop | - | - | ok
        E doc recreated | develop | fails 20 | ok wiped | -
        E flip-last reg-A | develop | - | - | crash
        E flip0 reg-A | develop | - | - | ok
        E half reg-A | develop icloud | - | - | ok
        E key replaced | develop | fails 20 | ok wiped | -
        E minus1 reg-A | develop | - | - | crash
        E noise reg-A | develop icloud | - | - | ok
        E remove reg-A | develop | - | - | ok
        E salt append | develop icloud | ok | ok | fails 14
        E salt dangling | develop | - | - | fails 134000
        E salt dangling | icloud | ok | crash | fails 134000
        E salt flip-mid | develop icloud | ok | ok | fails 14
        E salt flip0 | develop icloud | ok | ok | fails 14
        E salt noise | develop | - | - | fails 14
        E salt noise | icloud | ok | ok | fails 14
        E salt remove | develop 1.0.2 icloud | - | - | fails 134000
        E salt rename-upper | develop icloud | - | - | fails 134000
        E salt to-dir | develop | - | - | fails 2
        E salt to-dir | icloud | ok | fails 2 | fails 2
        E salt trunc0 | develop | - | - | fails 14
        E salt trunc0 | icloud | ok | ok | fails 14
        E salt trunc10 | develop | - | - | fails 14
        E salt trunc10 | icloud | ok | ok | fails 14
        E salt zeros | develop | - | - | fails 14
        E salt zeros | icloud | ok | ok | fails 14
        E salt+test removed | develop icloud | - | - | fails 134000
        E test append | develop | - | fails 14 | fails 14
        E test flip-mid | develop | - | - | fails 14
        E test flip-mid | icloud | - | fails 14 | fails 14
        E test flip0 | develop icloud | - | fails 14 | fails 14
        E test noise | develop | - | - | fails 14
        E test to-dir | develop | - | crash | crash
        E test trunc0 | develop | - | hang | hang
        E test trunc10 | develop | - | - | hang
        E test zeros | develop | - | fails 14 | fails 14
        E to-dir reg-A | develop | - | - | crash
        E to-dir setB-new | develop | - | - | crash
        E to-dir setC-new | develop | - | - | crash
        E to-dir store-A | develop | - | - | crash
        E to-dir store-B | develop | - | - | crash
        E trunc0 reg-A | develop icloud | - | - | ok
        E trunc10 reg-A | develop | - | - | ok
        E trunc70 reg-A | develop | - | - | ok
        app folder gone | develop | crash | fails 14 asked | fails 2
        both stores gone | icloud | - | - | fails 9
        both stores no register | develop 1.0.2 icloud | - | - | ok
        dangling reg-B | develop | - | - | ok
        dir-case Documents | develop | crash | fails 14 asked | fails 2
        dir-empty Doc | develop | crash | - | -
        dir-empty Documents | develop | - | - | fails 2
        dir-remove Doc | develop | - | - | fails 2
        dir-remove Documents | develop | - | - | fails 2
        dir-rename Doc | develop | crash | fails 14 asked | fails 2
        dir-rename Documents | develop | crash | fails 14 asked | fails 2
        dir-stray-dir Documents | develop | - | ok | -
        dir-to-file Doc | develop | - | - | fails 2
        dir-to-file Documents | develop | crash | fails 14 asked | fails 2
        doc recreated empty with new key | develop 1.0.2 icloud | fails 20 | ok wiped | -
        doc tombstone, doc gone | develop 1.0.2 icloud | crash | fails 14 asked | fails 2
        extra SyncCommands dir NEWBY | develop | - | - | fails 2
        flip-last reg-B | develop | - | - | crash
        flip-last store-B | develop | - | - | fails 259
        flip-mid store-B | develop | - | - | fails 259
        flip0 reg-B | develop | - | - | ok
        flip0 store-B | develop | - | - | fails 134000
        half reg-B | develop 1.0.2 icloud | - | - | ok
        half store-B | develop 1.0.2 icloud | - | - | fails 259
        icloud key | develop | fails 20 | ok wiped | -
        icloud reg-B | develop | - | - | ok
        key DS_Store only | develop 1.0.2 icloud | fails 20 | ok wiped | -
        key conflicted name | develop 1.0.2 icloud | fails 20 | ok wiped | -
        key replaced | 1.0.2 icloud | fails 20 | ok wiped | -
        minus1 reg-B | develop | - | - | crash
        minus1 store-B | develop | - | - | fails 259
        noise reg-B | develop 1.0.2 icloud | - | - | ok
        noise store-B | develop 1.0.2 icloud | - | - | fails 134000
        remove reg-B | develop | - | - | ok
        rename-noext key | develop | fails 20 | ok wiped | -
        rename-noext reg-B | develop | - | - | ok
        rename-upper reg-B | develop | - | - | ok
        salt appears | develop 1.0.2 icloud | - | - | fails 14
        salt empty appears | develop | - | - | fails 14
        salt empty appears | 1.0.2 icloud | ok | fails 16 | fails 14
        salt is dir | develop | - | - | fails 2
        salt is dir | 1.0.2 icloud | ok | fails 2 | fails 2
        salt+test appear | develop | - | - | fails 14
        salt+test appear | 1.0.2 icloud | - | fails 14 | fails 14
        second document stray | develop | - | ok | -
        set attr is relationship | develop | - | - | crash
        set attr is relationship | icloud | crash | crash | crash
        set insert with unknown attr | icloud | fails 0 | fails 0 | fails 0
        set nil entity | icloud | ok | ok | ok
        set nil key | icloud | ok | ok | ok
        set nil type | develop 1.0.2 icloud | ok | ok | ok
        set one on to-many | develop | - | - | crash
        set one on to-many | icloud | crash | crash | crash
        set unknown attr, object missing | develop 1.0.2 icloud | ok | ok | ok
        set unknown attr, object there | icloud | ok | ok | ok
        set unknown entity | icloud | ok | ok | ok
        stray empty set | develop | - | - | ok
        stray empty set | 1.0.2 icloud | ok | ok | ok
        stray short set | develop 1.0.2 icloud | ok | ok | ok
        to-dir reg-B | develop icloud | - | - | crash
        to-dir store-A | develop | - | - | fails 256
        to-dir store-B | develop icloud | - | - | fails 256
        trunc0 reg-B | develop 1.0.2 icloud | - | - | ok
        trunc10 reg-B | develop icloud | - | - | ok
        trunc10 store-B | develop icloud | - | - | fails 259
        trunc70 reg-B | develop | - | - | ok
        trunc70 store-B | develop | - | - | fails 259
        zeros reg-B | develop | - | - | ok
        zeros store-B | develop | - | - | fails 134000
        """
}
