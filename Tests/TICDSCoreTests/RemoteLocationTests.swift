import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

@Suite struct RemoteLocationTests {
    @Test func theFolderItselfOrItsParent() throws {
        let builder = try RemoteBuilder().skeleton()
        #expect(try RemoteLocation.find(builder.root) == builder.root)
        #expect(try RemoteLocation.find(builder.folder.path) == builder.root)
    }

    @Test(arguments: ["ClientDevices", "Documents"]) func damagedRemotesAreFound(_ folder: String) throws {
        let builder = try RemoteBuilder().makeFolder(folder)
        #expect(try RemoteLocation.find(builder.folder.path) == builder.root)
    }

    @Test func aWholeRemoteGoesBeforeAFolderWithDocuments() throws {
        let builder = try RemoteBuilder().skeleton()
        try TestFiles.makeFolders(builder.folder.path.pushing(FilePath("home/Documents")))
        #expect(try RemoteLocation.find(builder.folder.path) == builder.root)
    }

    @Test func severalAreListedAndRefused() throws {
        let builder = try RemoteBuilder(application: "one").skeleton()
        for name in ["ClientDevices", "Documents"] {
            try TestFiles.makeFolders(builder.folder.path.appending("two").appending(name))
        }
        let problem = #expect(throws: FileProblem.self) { try RemoteLocation.find(builder.folder.path) }
        #expect(problem?.kind == .ambiguous && problem?.found == "one, two")
    }

    @Test func noRemoteGetsAdvice() throws {
        let folder = try TemporaryFolder()
        let problem = #expect(throws: FileProblem.self) { try RemoteLocation.find(folder.path) }
        #expect(problem?.kind == .notARemote && problem?.advice != nil)
        try TestFiles.write(folder.path.appending("file"), [1])
        let file = #expect(throws: FileProblem.self) {
            try RemoteLocation.find(folder.path.appending("file"))
        }
        #expect(file?.kind == .notARemote && file?.found == "a file")
        let missing = #expect(throws: FileProblem.self) {
            try RemoteLocation.find(folder.path.appending("none"))
        }
        #expect(missing?.kind == .missing)
    }

    @Test func remoteTwoFoldersDownIsNamed() throws {
        let folder = try TemporaryFolder()
        let apps = folder.path.appending("Apps")
        for application in ["com.example.one", "com.example.two"] {
            for name in ["ClientDevices", "Documents"] {
                try TestFiles.makeFolders(apps.appending(application).appending(name))
            }
            try TestFiles.makeFolders(folder.path.pushing(FilePath("home/\(application)/Documents")))
        }
        let problem = #expect(throws: FileProblem.self) { try RemoteLocation.find(folder.path) }
        #expect(problem?.kind == .notARemote)
        #expect(
            problem?.advice
                == "Did you mean \(apps)/com.example.one or \(apps)/com.example.two? To work with all: ticds-fleet scan \(folder.path)"
        )
    }

    /// The search for advice lists at most 200 folders.
    @Test func searchTwoFoldersDownEnds() throws {
        let folder = try TemporaryFolder()
        for number in 100..<400 {
            try TestFiles.makeFolders(folder.path.pushing(FilePath("\(number)/inner")))
        }
        for name in ["ClientDevices", "Documents"] {
            try TestFiles.makeFolders(folder.path.pushing(FilePath("last/app/\(name)")))
        }
        let problem = #expect(throws: FileProblem.self) { try RemoteLocation.find(folder.path) }
        #expect(problem?.kind == .notARemote && problem?.advice?.hasPrefix("Name the") == true)
    }

    @Test func nominalTimesOfManyMakers() {
        func time(_ text: String) -> String? {
            ChangeSetIdentifier.nominalTime(RemoteName(text))?.microseconds
        }
        let expected = "2013-11-05T20:48:21.123456Z"
        #expect(time("0405377301.123456-E621E1F8") == expected)
        #expect(time("0405377301,123456-E621E1F8") == expected)
        #expect(time("٠٤٠٥٣٧٧٣٠١٫١٢٣٤٥٦-E621E1F8") == expected)
        #expect(time("E621E1F8-C36C-495A-93FC-0C247A3E6E5F-1234-0000056789ABCDEF") == nil)
        #expect(time("0001-E621E1F8") == nil)
        #expect(time("04053773010.12345-E621E1F8") == nil)
        #expect(time("0405377301.123456") == nil)
    }
}
