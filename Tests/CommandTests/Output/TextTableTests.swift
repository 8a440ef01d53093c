import Testing

@testable import TICDSCommandLine

@Suite struct TextTableTests {
    private static let advice = "a wider terminal, a pipe or --json shows all)"

    /// A table of every kind of column.
    private static let clients: TextTable = {
        var table = TextTable(
            ["CLIENT", "LAST SYNC", "SETS", "SIZE", "NOTE"], [.text, .time, .number, .number],
            leavesOut: ["SIZE", "SETS", "LAST SYNC"])
        table.add(["Anna’s MacBook Pro", "2013-11-05 20:00 (13 years ago)", "157", "462 kB", ""])
        table.add(["Børge’s 📱", "2013-07-30 05:36 (13 years ago)", "27", "88 kB", "not registered"])
        return table
    }()

    @Test func alignsWideCharacters() {
        var table = TextTable(["Name", "Size"], [.text, .number])
        table.add(["漢字", "5 B"])
        table.add(["a longer name", "1.4 MB"])
        #expect(
            table.lines(width: nil).map(\.raw) == [
                "Name             Size", "漢字              5 B", "a longer name  1.4 MB",
            ])
    }

    @Test func hostileNameIsCut() {
        var table = TextTable(["Name", "Size"], [.text, .number])
        table.add([String(repeating: "é\u{1B}", count: 500_000), "5 B"])
        #expect(table.lines(width: nil).map(\.raw.utf8.count).max() ?? 0 < 20_000)
    }

    @Test func goesWholeWhereThereIsRoom() {
        let whole = [
            "CLIENT              LAST SYNC                        SETS    SIZE  NOTE",
            "Anna’s MacBook Pro  2013-11-05 20:00 (13 years ago)   157  462 kB",
            "Børge’s 📱          2013-07-30 05:36 (13 years ago)    27   88 kB  not registered",
        ]
        #expect(Self.clients.lines(width: nil).map(\.raw) == whole)
        #expect(Self.clients.lines(width: 81).map(\.raw) == whole)
    }

    @Test func leavesOutAgesFirst() {
        #expect(
            Self.clients.lines(width: 80).map(\.raw) == [
                "CLIENT              LAST SYNC         SETS    SIZE  NOTE",
                "Anna’s MacBook Pro  2013-11-05 20:00   157  462 kB",
                "Børge’s 📱          2013-07-30 05:36    27   88 kB  not registered",
                "(left out: ages; \(Self.advice)",
            ])
    }

    @Test func thenShortensText() {
        let lines = Self.clients.lines(width: 64).map(\.raw)
        #expect(
            lines == [
                "CLIENT            LAST SYNC         SETS    SIZE  NOTE",
                "Anna’s MacBook …  2013-11-05 20:00   157  462 kB",
                "Børge’s 📱        2013-07-30 05:36    27   88 kB  not registered",
                "(left out: ages; shortened: CLIENT; \(Self.advice)",
            ])
        #expect(lines.dropLast().allSatisfy { DisplayWidth.of($0) <= 64 })
    }

    @Test func thenLeavesOutColumns() {
        #expect(
            Self.clients.lines(width: 51).map(\.raw) == [
                "CLIENT             LAST SYNC         NOTE",
                "Anna’s MacBook P…  2013-11-05 20:00",
                "Børge’s 📱         2013-07-30 05:36  not registered",
                "(left out: ages, SIZE, SETS; shortened: CLIENT; \(Self.advice)",
            ])
        #expect(Self.clients.lines(width: 12).map(\.raw).dropLast().allSatisfy { DisplayWidth.of($0) <= 12 })
    }

    @Test func identifiersGoFirstAndPathsLoseTheirMiddle() {
        var table = TextTable(["ID", "NAME", "PATH"], [.beginning, .text, .path])
        table.add(["8FFDB291-4FC5-73F8", "Anna’s MacBook Pro", "Documents/cookbook/documentInfo.plist"])
        #expect(
            table.lines(width: 72).map(\.raw)[1]
                == "8FFDB291-4FC…  Anna’s MacBook Pro  Documents/cookbook/documentInfo.plist")
        #expect(
            table.lines(width: 56).map(\.raw)[1] == "8FFDB291-…  Anna’s MacBook Pro  Documen…cumentInfo.plist"
        )
    }

    @Test func keepsNumbersWhole() {
        for width in 1...80 {
            let lines = Self.clients.lines(width: width).map(\.raw).dropLast()
            for line in lines where line.contains("kB") {
                #expect(line.contains("462 kB") || line.contains("88 kB"))
            }
        }
    }

    @Test func anEmptyColumnGoesWithoutAWord() {
        var table = TextTable(["NAME", "REMARK", "SIZE"], [.text, .text, .number])
        table.add(["a name of some length", "", "5 B"])
        #expect(table.lines(width: 30).map(\.raw).first == "NAME                   SIZE")
        #expect(table.lines(width: 30).count == 2)
    }

    /// A path that people copy is complete on every terminal, and what a table is about as well.
    @Test func copiedAndWholeCellsStayComplete() {
        let path = "Documents/cookbook/SyncChanges/8FFDB291/0399274181.syncchg"
        var table = TextTable(["KIND", "SIZE", "PATH"], [.text, .number, .copied], leavesOut: ["KIND"])
        table.add(["change set", "5 B", path])
        #expect(
            table.lines(width: 50).map(\.raw) == [
                "SIZE  PATH", " 5 B  \(path)", "(left out: KIND; \(Self.advice)",
            ])
        var fates = TextTable(["AUTHOR", "FATE"], [.text, .whole])
        fates.add(["Anna’s MacBook Pro", "applied, unless it was applied already"])
        #expect(
            fates.lines(width: 56).map(\.raw)[1] == "Anna’s MacBook …  applied, unless it was applied already"
        )
    }

    @Test func marginsCount() {
        let lines = Self.clients.lines(width: 66, indent: 2).map(\.raw)
        #expect(lines.dropLast().allSatisfy { DisplayWidth.of($0) <= 66 && $0.hasPrefix("  ") })
        #expect(lines.last?.hasPrefix("  (left out: ages; shortened") == true)
    }
}
