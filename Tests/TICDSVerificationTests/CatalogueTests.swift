import SystemPackage
import TICDSVerification
import Testing
import TICDSCore

@Suite struct CatalogueTests {
    @Test func codesAreSortedAndUnique() {
        let codes = Catalogue.all.map(\.code)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
    }

    @Test func codesBeginWithTheirArea() {
        for area in Catalogue.areas {
            for kind in area.kinds {
                #expect(kind.code.hasPrefix("TICDS-" + area.digits), "\(kind.code)")
                #expect(kind.code.count == 10, "\(kind.code)")
            }
        }
    }

    @Test func everyKindSaysAll() {
        for kind in Catalogue.all {
            #expect(!kind.title.hasSuffix(".") && !kind.title.isEmpty, "\(kind.code)")
            #expect(kind.explanation.hasSuffix("."), "\(kind.code)")
            #expect(!kind.effects.isEmpty && !kind.remedy.isEmpty && !kind.sources.isEmpty, "\(kind.code)")
        }
    }

    @Test func oneIsFoundByItsCode() {
        for kind in Catalogue.all {
            #expect(Catalogue.kind(kind.code) == kind)
            #expect(Catalogue.kind(kind.code.lowercased()) == kind)
            #expect(Catalogue.kind(String(kind.code.dropFirst(6))) == kind)
        }
        #expect(Catalogue.kind("TICDS-0000") == nil)
        #expect(Catalogue.kind("") == nil)
    }
}
