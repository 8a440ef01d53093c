import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Malicious archives are refused, and nothing is written outside, nor at the target.
@Suite struct HostileArchiveImportTests {
    /// A Python script that makes an archive `name` of a small intact remote with one additional entry.
    static let tar = """
        import io, sys, tarfile, zipfile
        def member(tar, name, data=b'x', **more):
            info = tarfile.TarInfo(name); info.size = len(data)
            for key, value in more.items(): setattr(info, key, value)
            tar.addfile(info, io.BytesIO(data))
        def folder(tar, name):
            info = tarfile.TarInfo(name); info.type = tarfile.DIRTYPE; info.mode = 0o755; tar.addfile(info)
        tar = tarfile.open(sys.argv[1], 'w:gz')
        for name in ['app', 'app/ClientDevices', 'app/Documents']: folder(tar, name)
        member(tar, 'app/ReadMe.txt')

        """

    static let evils: [(name: String, script: String)] = [
        ("traversal", "member(tar, '../../escape')"),
        ("inner traversal", "member(tar, 'app/Documents/../../../escape')"),
        ("absolute", "member(tar, '/tmp/ticds-escape')"), ("dots", "member(tar, 'app/./Documents/x')"),
        ("link", "member(tar, 'app/l', b'', type=tarfile.SYMTYPE, linkname='/etc/passwd')"),
        (
            "link and through it",
            "member(tar, 'app/Documents/l', b'', type=tarfile.SYMTYPE, linkname='/tmp'); member(tar, 'app/Documents/l/escape')"
        ),
        ("hard link", "member(tar, 'app/h', b'', type=tarfile.LNKTYPE, linkname='app/ReadMe.txt')"),
        ("device", "member(tar, 'app/d', b'', type=tarfile.CHRTYPE, devmajor=1, devminor=3)"),
        ("fifo", "member(tar, 'app/f', b'', type=tarfile.FIFOTYPE)"),
        ("twice", "member(tar, 'app/ReadMe.txt', b'y')"), ("folder twice", "folder(tar, 'app/Documents')"),
        ("file and folder", "member(tar, 'app/ReadMe.txt/x')"),
        ("file for folder", "member(tar, 'app/Documents')"),
        ("long name", "member(tar, 'app/' + 'x' * 256)"), ("deep", "member(tar, 'app/' + 'd/' * 60 + 'x')"),
        ("huge pax header", "member(tar, 'app/p', b'', pax_headers={'comment': 'x' * 2000000})"),
        ("zero bomb", "member(tar, 'app/b', bytes(60 << 20))"),
        ("other type", "member(tar, 'app/t', b'', type=b'Z')"),
    ]

    @Test(.enabled(if: Python.available), arguments: evils.map(\.name))
    func refusesTar(name: String) throws {
        let fixture = try ArchiveFixture()
        let script = Self.evils.first { $0.name == name }?.script ?? ""
        let program = try fixture.scratch.write(
            "evil.py", Array((Self.tar + script + "\ntar.close()\n").utf8))
        try fixture.scratch.shell("mkdir -p a/b; python3 '\(program)' evil.tgz")
        let limit = name == "zero bomb" ? ["--max-size", "1000000"] : []
        try expectRefused(fixture.path("evil.tgz"), fixture, name, limit)
    }

    /// The order of change sets depends on times: a member whose time differs from the manifest is damaged, as for
    /// verify.
    @Test(.enabled(if: Python.available), arguments: ["1400000000.5", "-1.5", "315569000000000"])
    func refusesOtherTimes(time: String) throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.gz")
        let script = """
            import tarfile
            old, new = tarfile.open('a.tar.gz'), tarfile.open('b.tar.gz', 'w:gz', format=tarfile.PAX_FORMAT)
            for member in old:
                if member.name.endswith('ReadMe.txt'): member.pax_headers['mtime'] = '\(time)'
                new.addfile(member, old.extractfile(member) if member.isfile() else None)
            new.close()
            """
        let program = try fixture.scratch.write("times.py", Array(script.utf8))
        try fixture.scratch.shell("python3 '\(program)'; mkdir in")
        let same = try fixture.archive(["diff", file, fixture.path("b.tar.gz")])
        #expect(same.status == 0)
        let verified = try fixture.archive(["verify", fixture.path("b.tar.gz")], succeeding: false)
        #expect(verified.status == 1 && verified.output.contains("ReadMe.txt: the time"), "\(verified)")
        let commands = [
            ["import", fixture.path("b.tar.gz"), fixture.path("in"), "--yes"],
            ["extract", fixture.path("b.tar.gz"), fixture.path("out"), "--path", "ReadMe.txt"],
        ]
        for words in commands {
            let result = try fixture.archive(words, succeeding: false)
            #expect(result.status == 2 && result.errors.contains("the time of the manifest"), "\(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("in")) == [])
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out")))
    }

    /// A manifest is trusted no more than the rest.
    @Test(
        .enabled(if: Python.available),
        arguments: ["size", "digest", "missing", "added", "path", "twice", "kind", "json", "schema", "seal"])
    func refusesLyingManifests(lie: String) throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.gz")
        try fixture.scratch.shell(
            """
            python3 - \(lie) '\(file)' evil.tgz <<'PYTHON'
            import io, json, sys, tarfile
            \(ArchiveFixture.seal)
            lie, source, target = sys.argv[1:]
            old = tarfile.open(source); new = tarfile.open(target, 'w:gz', format=tarfile.PAX_FORMAT)
            for number, member in enumerate(old):
                data = old.extractfile(member).read() if member.isfile() else b''
                if number == 0:
                    manifest = json.loads(data)
                    entry = [e for e in manifest['entries'] if e['path'] == 'ReadMe.txt'][0]
                    if lie == 'size': entry['size'] += 1
                    if lie == 'digest': entry['sha256'] = '0' * 64
                    if lie == 'added': manifest['entries'].remove(entry)
                    if lie == 'path': entry['path'] = '../ReadMe.txt'
                    if lie == 'twice': manifest['entries'].append(entry)
                    if lie == 'kind': entry['kind'] = 'folder'
                    if lie == 'schema': manifest['schema'] = 'ticds.archive/9'
                    data = json.dumps(manifest, separators=(',', ':')).encode()
                    if lie == 'json': data = data.replace(b'"entries":[', b'"entries":')
                    if lie != 'seal': data = seal(data)
                    member.size = len(data); member.pax_headers = {}
                if lie == 'missing' and member.name.endswith('ReadMe.txt'): continue
                new.addfile(member, io.BytesIO(data))
            new.close()
            PYTHON
            """)
        try expectRefused(fixture.path("evil.tgz"), fixture, lie)
    }

    @Test(.enabled(if: Python.available), arguments: ["twice", "traversal", "link", "ratio"])
    func refusesZip(kind: String) throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell(
            """
            python3 -W ignore - \(kind) evil.zip <<'PYTHON'
            import sys, zipfile
            kind, target = sys.argv[1:]
            with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as zip:
                for name in ['app/ClientDevices/x', 'app/Documents/x', 'app/ReadMe.txt']: zip.writestr(name, b'x')
                if kind == 'twice': zip.writestr('app/ReadMe.txt', b'y')
                if kind == 'traversal': zip.writestr('app/../../escape', b'y')
                if kind == 'link':
                    info = zipfile.ZipInfo('app/l'); info.external_attr = 0o120777 << 16; zip.writestr(info, '/etc')
                if kind == 'ratio': zip.writestr('app/bomb', b'ab' * (140 << 20))
            PYTHON
            """)
        try expectRefused(fixture.path("evil.zip"), fixture, kind)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func refusesTheHostileSamples() throws {
        let fixture = try ArchiveFixture()
        let folder = Samples.path("zip/hostile").string
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count > 10)
        for name in names { try expectRefused("\(folder)/\(name)", fixture, name) }
    }

    private func expectRefused(
        _ file: String, _ fixture: ArchiveFixture, _ comment: String, _ words: [String] = []
    ) throws {
        let around = fixture.place.appending("around")
        let target = around.appending("target")
        if !FileManager.default.fileExists(atPath: target.string) { try TestFiles.makeFolders(target) }
        let result = try fixture.archive(["import", file, target.string, "--yes"] + words, succeeding: false)
        #expect(result.status == 2 || result.status == 3, "\(comment): \(result.status) \(result.output)")
        #expect(!result.errors.isEmpty)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: around.string) == ["target"], "\(comment)")
        // No unpacked file is left.
        let state = fixture.path("state/ticds")
        let left = (try? FileManager.default.subpathsOfDirectory(atPath: state)) ?? []
        #expect(left == [], "\(comment)")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/ticds-escape"))
    }
}
