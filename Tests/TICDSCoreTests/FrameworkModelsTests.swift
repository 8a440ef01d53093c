import CoreDataStore
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@Suite("Framework models") struct FrameworkModelsTests {
    private func hexadecimal(_ bytes: [UInt8]?) -> String? {
        bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func hashesAreTheKnownOnes() {
        #expect(
            hexadecimal(FrameworkModels.syncChange.versionHash(of: "TICDSSyncChange"))
                == "dd9853bb9b2445ccd6f7bc3f59b6673ce55d7b6b11bca199c164acdcfeea88b2")
        #expect(
            hexadecimal(FrameworkModels.syncChangeSet.versionHash(of: "TICDSSyncChangeSet"))
                == "4148f46c5d747348162e8f9cee9785e54bec8843d35a141bf1219de3d08d1e1b")
    }

    @Test func slotsOfAChange() {
        #expect(
            FrameworkModels.syncChange.slots(of: "TICDSSyncChange").map(\.name) == [
                "changeType", "changedAttributes", "changedRelationships", "localTimeStamp",
                "objectEntityName",
                "objectSyncID", "relatedObjectEntityName", "relevantKey",
            ])
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func equalTheFrameworksFiles() throws {
        #expect(
            try ModelFile.load(Samples.path("models/TICDSSyncChange.elements")) == FrameworkModels.syncChange)
        #expect(
            try ModelFile.load(Samples.path("models/TICDSSyncChangeSet.elements"))
                == FrameworkModels.syncChangeSet)
    }
}
