import SystemPackage
import TestSupport
import Testing

@Test func samplesFolderIsAbsolute() { #expect(Samples.folder.isAbsolute || !Samples.available) }
