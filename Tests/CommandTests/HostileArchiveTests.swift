import Base
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Keyed archives inside change sets that contain cycles or explode; Python makes them, since the writer of ticds does
/// not.
@Suite(.enabled(if: Python.available)) struct HostileArchiveTests {
    /// Puts other members into the array that has the only member "marker".
    private static let script = """
        import plistlib, struct, sys
        UID = plistlib.UID
        source, target, kind = sys.argv[1:4]
        data = open(source, 'rb').read()
        fields = list(struct.unpack('>8sIIQQQQQQ', data[:64]))
        start, length = fields[5], fields[6]
        archive, metadata = plistlib.loads(data[start:start + length]), data[fields[3]:fields[3] + fields[4]]
        objects = archive['$objects']
        marker = UID(objects.index('marker'))
        [at] = [i for i, o in enumerate(objects) if isinstance(o, dict) and o.get('NS.objects') == [marker]]
        if kind == 'cyclic': objects[at]['NS.objects'] = [UID(at), marker]
        if kind == 'exploding':
            first = len(objects)
            for level in range(60):
                objects.append({'$class': objects[at]['$class'], 'NS.objects': [UID(first + level + 1)] * 2})
            objects.append('boom')
            objects[at]['NS.objects'] = [UID(first)]
        if kind == 'deep':
            first = len(objects)
            for level in range(10_000):
                objects.append({'$class': objects[at]['$class'], 'NS.objects': [UID(first + level + 1)]})
            objects.append('bottom')
            objects[at]['NS.objects'] = [UID(first)]
        if kind == 'dangling': objects[at]['NS.objects'] = [UID(1 << 30)]
        body = plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)
        fields[6], fields[3] = len(body), start + len(body)
        open(target, 'wb').write(struct.pack('>8sIIQQQQQQ', *fields) + data[64:start] + body + metadata)
        """

    private func changeSet(_ kind: String, in scratch: Scratch) throws -> String {
        let sound = ["first", "second"].map {
            SyncChange(type: .delete, entity: "Note", objectSyncID: $0, timestamp: 1)
        }
        let odd = SyncChange(
            type: .attribute, entity: "Note", objectSyncID: "n1", key: "list",
            changedAttributes: .array([.string("marker")]), timestamp: 0)
        let source = try scratch.write("source.syncchg", try ChangeSetWriter.bytes(of: [odd] + sound))
        let target = scratch.path.appending("\(kind).syncchg").string
        _ = try #require(Python.run(Self.script, [source, target, kind]))
        return target
    }

    @Test func aCycleIsShownAsOne() throws {
        let scratch = try Scratch()
        let file = try changeSet("cyclic", in: scratch)
        let result = try Program.run("ticds-changes", ["dump", file, "--json"], seconds: 180)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(#""value":[{"$cycle":true},"marker"]"#))
        #expect(result.output.split(separator: "\n").count == 3)
        #expect(try Program.run("ticds-changes", ["dump", file], seconds: 180).status == 0)
    }

    /// The change is refused, and its neighbours are shown.
    @Test(arguments: ["deep", "dangling"])
    func whatCannotBeShownIsRefused(kind: String) throws {
        let scratch = try Scratch()
        let file = try changeSet(kind, in: scratch)
        let result = try Program.run("ticds-changes", ["dump", file], seconds: 180)
        #expect(result.status == 5)
        #expect(result.errors.contains("\(file): offset "), "\(result.errors)")
        #expect(
            result.output.contains("delete Note first\n") && result.output.contains("delete Note second\n"))
        let diff = try Program.run("ticds-changes", ["diff", file, file], seconds: 180)
        #expect(diff.status == 2)
        #expect(diff.errors.contains("\(file): offset "))
    }

    /// Time is bounded, and memory grows only with the output.
    @Test func anExplosionIsRefused() throws {
        let scratch = try Scratch()
        let file = try changeSet("exploding", in: scratch)
        // Sanitizers reserve far more address space than they use.
        let isSanitized = ProcessInfo.processInfo.environment["TICDS_SANITIZER"] != nil
        let limit = isSanitized ? "" : "ulimit -v 2000000; "
        let result = try Program.shell("\(limit)./ticds-changes dump '\(file)'", seconds: 180)
        #expect(result.status == 5)
        #expect(result.output.contains("delete Note first"), "the changes after it are shown")
        #expect(result.errors.contains("\(file): offset "), "\(result.errors)")
    }
}
