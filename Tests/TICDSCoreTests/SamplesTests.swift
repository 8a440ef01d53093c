import Foundation
import SystemPackage
import TestSupport
import Testing

@Test func samplesFolderIsAbsolute() { #expect(Samples.folder.isAbsolute || !Samples.available) }

/// Suites for all remotes omit none.
@Test func everyRemoteOfTheFixturesIsNamed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.remotes.string)
    let described = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(described.sorted() == (SampleRemote.names + SampleRemote.pairs).sorted())
}
