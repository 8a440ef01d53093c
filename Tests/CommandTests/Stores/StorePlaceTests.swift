import SystemPackage
import TestSupport
import Testing

/// A whole store named by remote, document and client instead of its path.
@Suite struct StorePlaceTests {
    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func documentAndClient(_ kind: DemoRemote.Kind)
        throws
    {
        let demo = try DemoRemote(kind)
        let stores = try demo.wholeStores.filter { $0.contains("cookbook/WholeStore") }.sorted()
        let store = try #require(stores.first)
        let client = FilePath(store).removingLastComponent().lastComponent?.string ?? ""
        let place = [demo.path, "--document", "cookbook", "--client", client] + demo.passwordOptions
        for command in ["dump", "info"] {
            let named = try Program.run("ticds-store", [command] + place + ["--json"])
            let direct = try Program.run("ticds-store", [command, store, "--json"] + demo.passwordOptions)
            #expect(named.status == 0 && named.status == direct.status, "\(named.errors)")
            if command == "dump" { #expect(named.bytes == direct.bytes && !named.bytes.isEmpty) }
        }
        let target = demo.scratch.path.appending("out.jsonl").string
        #expect(try Program.run("ticds-store", ["export"] + place + ["--to", target]).status == 0)
        #expect(try Program.run("ticds-store", ["history"] + place).status == 2)
        let copies = ["named", "direct"].map { demo.scratch.path.appending($0).string }
        let extracted = try Program.run("ticds-store", ["extract"] + place + [copies[0], "--json"])
        let direct = try Program.run(
            "ticds-store", ["extract", store, copies[1], "--json"] + demo.passwordOptions)
        #expect(extracted.status == 0 && direct.status == 0, "\(extracted.errors)")
        #expect(extracted.output.replacing(copies[0], with: copies[1]) == direct.output)
        #expect(try demo.scratch.shell("cmp named direct && echo same") == "same\n")
        let several = try Program.run("ticds-store", ["dump", demo.path] + demo.passwordOptions)
        #expect(several.status == 2 && several.errors.contains("several whole stores"), "\(several.errors)")
        let none = try Program.run(
            "ticds-store", ["dump", demo.path, "--document", "no such"] + demo.passwordOptions)
        #expect(none.status == 2, "\(none.errors)")
        if stores.count > 1 {
            let other = FilePath(stores[1]).removingLastComponent().lastComponent?.string ?? ""
            let compared = try Program.run("ticds-store", ["compare"] + place + ["--client", other])
            let direct = try Program.run(
                "ticds-store", ["compare", stores[0], stores[1]] + demo.passwordOptions)
            #expect(compared.bytes == direct.bytes && compared.status == direct.status, "\(compared.errors)")
        }
        #expect(try Program.run("ticds-store", ["compare"] + place).status == 64)
        let path = try Program.run(
            "ticds-store", ["dump", store, "--document", "cookbook"] + demo.passwordOptions)
        #expect(path.status == 64 && path.errors.contains("need a REMOTE"), "\(path.errors)")
    }
}
