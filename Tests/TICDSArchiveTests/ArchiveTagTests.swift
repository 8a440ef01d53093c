import SystemCalls
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// Tags in the names of snapshots.
@Suite struct ArchiveTagTests {
    private static let letters = Array("abzABZ019._-")

    @Test func parsesWhatItPrints() throws {
        var random = RandomNumbers()
        var tagged = 0
        for _ in 0..<20_000 {
            let text = String(
                (0..<random.next() % 66).map { _ in
                    Self.letters[Int(random.next() % UInt64(Self.letters.count))]
                })
            let tag = ArchiveTag(text)
            #expect((tag == nil) == (text.isEmpty || text.first == "." || text.count > 64), "\(text)")
            let identifier = random.next() % 2 == 0 ? nil : "0123456789abcdef"
            let form = ArchiveForm.allCases[Int(random.next() % 4)]
            let time = FileTime(seconds: Int64(random.next() % 200_000_000_000))
            let application: RemoteName = random.next() % 2 == 0 ? "a-b" : "a+b-20200101T000000Z+c.zip"
            let name = DatedArchiveName(application, identifier, time, form, tag: tag)
            #expect(DatedArchiveName(name.name, of: application) == name)
            #expect(name.tagged(nil) == DatedArchiveName(application, identifier, time, form))
            if tag != nil { tagged += 1 }
        }
        #expect(tagged > 10_000)
    }

    @Test(arguments: [
        "", ".", ".hidden", "a b", "a/b", "a+b", "ä", "a\n", "a\0", "x.zip", "x.tar.zst", "X.TAR.GZ",
        "a\u{301}",
        String(repeating: "a", count: 65),
    ])
    func noTag(text: String) {
        #expect(ArchiveTag(text) == nil)
        #expect(DatedArchiveName(RemoteName("app-20260101T000000Z+\(text).tar.zst"), of: "app") == nil)
    }

    @Test(arguments: [
        "app-20260101T000000Z+.zip", "app-20260101T000000Z+a", "app-20260101T000000Z+a.zip.part",
        "app-20260101T000000Z-a.zip", "app-20260101T000000Za.zip", "app-20260101T000000Z+a+b.zip",
        "app-0123456789abcdef+a-20260101T000000Z.zip", "app+a-20260101T000000Z.zip",
        "app-20260101T000000Z+a (conflicted copy).zip", "app-0123456789abcdef20260101T000000Z+a.zip",
        "app-0123456789abcdef", "app-20260101T000000Z+a.tar", "app-20260101T000000Z+a.ZIP",
    ])
    func noName(name: String) { #expect(DatedArchiveName(RemoteName(name), of: "app") == nil) }

    /// A tag may look like other parts of names.
    @Test(arguments: [
        "20260101T000000Z", "-0123456789abcdef-20260101T000000Z", "tar", "x.tar", "zip", "-", "_", "a..b",
        "x.",
    ])
    func misleading(text: String) throws {
        let tag = try #require(ArchiveTag(text))
        for identifier in [nil, "0123456789abcdef"] {
            for form in ArchiveForm.allCases {
                let name = DatedArchiveName("app", identifier, FileTime(seconds: 0), form, tag: tag)
                #expect(DatedArchiveName(name.name, of: "app") == name)
            }
        }
    }

    @Test func retention() throws {
        func archive(_ seconds: Int64, _ tag: String? = nil) -> DatedArchiveName {
            DatedArchiveName(
                "app", "0123456789abcdef", FileTime(seconds: seconds), .zip, tag: tag.flatMap(ArchiveTag.init)
            )
        }
        let archives = [archive(1, "a"), archive(2), archive(3, "b"), archive(4, "A"), archive(5)]
        var policy = RetentionPolicy()
        policy.tags = [try #require(ArchiveTag("a"))]
        #expect(!policy.keepsAll)
        #expect(policy.kept(archives) == [archives[0]: [.tag], archives[4]: [.newest]])
        policy.tags.insert(try #require(ArchiveTag("b")))
        policy.last = 3
        #expect(
            policy.kept(archives) == [
                archives[0]: [.tag], archives[2]: [.last, .tag], archives[3]: [.last],
                archives[4]: [.newest, .last],
            ])
        policy.tags = [try #require(ArchiveTag("nothing"))]
        policy.last = nil
        #expect(policy.kept(archives) == [archives[4]: [.newest]])
    }
}
