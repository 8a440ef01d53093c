import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-sync watch` on the demonstration.
@Suite(.waiting) struct WatchTests {
    /// A new set, from an existing or a new client, is applied, and the user's command gets its data.
    @Test(arguments: [true, false]) func setThatComes(isOfNewClient: Bool) throws {
        let fixture = try SyncFixture()
        let set = try fixture.setAside()
        #expect(try fixture.clone("replica").status == 0)
        let place = FilePath(set.place)
        let clients = place.removingLastComponent().removingLastComponent()
        let folder = isOfNewClient ? clients.appending("newcomer-0001") : place.removingLastComponent()
        let result = try fixture.shell(
            """
            signalled ticds-sync watch replica --once --exec 'echo $TICDS_SETS_APPLIED $TICDS_STATUS $TICDS_REPLICA >> told' &
            for i in $(seq 100); do test -s told && break; sleep 0.1; done
            mkdir -p '\(folder)'; cp '\(set.file)' '\(folder)/\(place.lastComponent?.string ?? "")'
            wait $!
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("applied 1 change set"), "\(result.output)")
        let told = try fixture.demo.scratch.shell("cut -d' ' -f1,2 told")
        #expect(told == "0 0\n1 0\n")
        #expect(try fixture.demo.scratch.shell("cut -d' ' -f3 told | sort -u").hasSuffix("/replica\n"))
    }

    /// A signal ends the watch cleanly, at once.
    @Test(arguments: ["INT", "TERM"]) func endsBySignal(signal: String) throws {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica").status == 0)
        let result = try fixture.shell(
            """
            signalled ticds-sync watch replica --exec 'touch ran' &
            for i in $(seq 100); do test -e ran && break; sleep 0.1; done
            kill -\(signal) $!; wait $!
            """)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Errors are reported and retried, and do not end the watch.
    @Test func goesOnAfterFailure() throws {
        let fixture = try SyncFixture()
        let set = try fixture.setAside()
        #expect(try fixture.clone("replica").status == 0)
        let result = try fixture.shell(
            """
            signalled ticds-sync watch replica --interval 1s --exec 'echo $TICDS_STATUS $TICDS_SETS_APPLIED >> told' &
            watch=$!
            await() { for i in $(seq 150); do grep -q "$1" told && break; sleep 0.1; done; }
            touch told; await '^0 0'
            mv demo elsewhere; await '^2 0'
            mv elsewhere demo; cp aside.syncchg '\(set.place)'; await '^0 1'
            kill -TERM $watch; wait $watch
            """)
        #expect(result.status == 0, "\(result.errors)")
        let told = try fixture.demo.scratch.shell("cat told")
        #expect(told.contains("2 0\n") && told.contains("0 1\n"), "\(told)")
        #expect(result.errors.contains("the remote does not exist"))
    }

    /// The watch waits for a lock that another command holds at the start.
    @Test(arguments: ["replica/lock", "demo/com.example.cookbook"]) func waitsForTheLock(held: String) throws
    {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica").status == 0)
        let result = try fixture.shell(
            """
            sqlite3 replica/Document.sqlite "UPDATE ZRECIPE SET ZSERVINGS = 6 WHERE Z_PK = 1"
            (flock 9; sleep 3) 9<'\(held)' &
            for i in $(seq 200); do flock -n '\(held)' true || break; sleep 0.05; done
            signalled ticds-sync watch replica --exec 'echo $TICDS_STATUS >> told' &
            watch=$!
            for i in $(seq 200); do grep -q '^0' told 2>/dev/null && break; sleep 0.1; done
            kill -TERM $watch; wait $watch
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("waiting: another command"), "\(result.errors)")
        #expect(try fixture.demo.scratch.shell("cat told").hasPrefix("0"))
    }

    /// A signal ends the waiting.
    @Test func signalEndsTheWaiting() throws {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica").status == 0)
        let result = try fixture.shell(
            """
            exec 9<replica/lock; flock 9
            signalled ticds-sync watch replica 9<&- 2>waited &
            for i in $(seq 200); do grep -q 'waiting: another command' waited && break; sleep 0.05; done
            grep -q 'waiting: another command' waited || exit 9
            kill -TERM $!; wait $!
            """)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// A failing first synchronisation ends the watch: it would watch the wrong place.
    @Test func failsAtOnce() throws {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica", ["--offline"]).status == 0)
        try fixture.demo.scratch.shell("mv demo elsewhere")
        #expect(try fixture.sync("watch", "replica").status == 2)
        #expect(try fixture.sync("watch", "replica", ["--interval", "0s"]).status == 64)
        #expect(try fixture.sync("watch", "nowhere").status == 2)
        #expect(try fixture.sync("watch", "state").status == 2)
    }
}
