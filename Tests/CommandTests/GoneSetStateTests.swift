import Foundation
import Testing

/// States of a document whose remote has lost change sets that clients had applied, as the registers beside the whole
/// stores say.
@Suite struct GoneSetStateTests {
    private let demo: DemoRemote
    private let model: [String]

    init() throws {
        demo = try DemoRemote(.plain, changeSets: 40)
        model = ["--model", "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"]
        let deletion = try Program.run(
            "ticds-client",
            ["delete", demo.path, "Børge’s iPad", "--all-documents", "--yes", "--quiet"],
            environment: ["XDG_STATE_HOME": "\(demo.scratch.path)/state"])
        try #require(deletion.status == 0, "\(deletion.errors)")
    }

    private func replay(_ options: [String]) throws -> Program.Result {
        try Program.run(
            "ticds-store",
            ["replay", demo.path, "--document", "cookbook", "--to", "\(demo.scratch.path)/State.sqlite"]
                + ["--quiet", "--force"] + model + options)
    }

    private static let words = "neither the store nor the remote contains"

    @Test func stateThatLacksSetsIsPartial() throws {
        let newest = try replay([])
        #expect(newest.status == 0 && newest.errors.isEmpty, "\(newest.errors)")
        let before = try replay(["--until", "2013-03-01"])
        #expect(before.status == 0 && before.errors.isEmpty, "\(before.errors)")
        let middle = try replay(["--until", "2013-09-01"])
        #expect(middle.status == 5 && middle.errors.contains(Self.words), "\(middle.errors)")
        #expect(try replay(["--from-sets"]).status == 5)
    }

    @Test func mountedStateSaysThatItLacksSets() throws {
        let tree = try MountedTree(remote: demo.path, model: model[1])
        let folder = "documents/Family cookbook"
        #expect(try tree.text("\(folder)/at/2013-09-01/objects/PROBLEMS.txt").contains(Self.words))
        #expect(try !tree.names("\(folder)/objects").contains("PROBLEMS.txt"))
        #expect(try !tree.names("\(folder)/at/2013-03-01/objects").contains("PROBLEMS.txt"))
    }

    /// Each state says as many as `replay` does.
    @Test func numberIsThatOfTheState() throws {
        let tree = try MountedTree(remote: demo.path, model: model[1])
        let folder = "documents/Family cookbook/at"
        var numbers: Set<String> = []
        for day in try tree.names(folder) {
            let shown = try tree.text("\(folder)/\(day)/objects/PROBLEMS.txt")
            let replayed = try replay(["--until", day, "--utc"]).errors
            let lines = [shown, replayed].map { text in
                text.split(separator: "\n").compactMap {
                    $0.components(separatedBy: Self.words).dropFirst().first
                }
            }
            #expect(lines[0] == lines[1], "\(day)")
            numbers.formUnion(lines[0])
        }
        #expect(numbers.count > 2)
    }

    /// A register that cannot be read may name more.
    @Test func damagedRegisterIsNoAbsence() throws {
        try demo.scratch.shell(
            """
            find demo/*/Documents/cookbook/WholeStore -name 'Applied*' -exec sh -c \
                'head -c 5000 /dev/urandom > "$0"' {} ';'
            """)
        let result = try replay([])
        #expect(result.status == 5 && result.errors.contains("AppliedSyncChangeSets.ticdsync"))
    }
}
