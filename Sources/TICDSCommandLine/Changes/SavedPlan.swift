import SystemCalls
import SystemPackage
import TICDSCore

/// Plans that wait in a file.
enum SavedPlan {
    /// Writes a plan to a new file outside of the remote; returns its full path.
    /// - Throws: `.refused` where there is a file already, where it would lie in the remote, and for plans that encrypt.
    static func write(_ plan: Plan, named name: String) throws(FileProblem) -> FilePath {
        let path = try place(Environment.path(argument: name), outside: plan.root)
        guard !plan.needsRecoder else {
            throw FileProblem(
                .refused, path: path, "a plan that encrypts or decrypts cannot be saved",
                found: "keys that must not be in a file", advice: "Carry it out at once")
        }
        if try FileStatus.ifPresent(path) != nil {
            throw FileProblem(
                .refused, path: path, "the file already exists", advice: "Remove it, or choose another name")
        }
        try AtomicFile.write(try PlanFile.bytes(of: plan), to: path)
        return path
    }

    private static func place(_ path: FilePath, outside remote: FilePath) throws(FileProblem) -> FilePath {
        guard let place = try path.resolvedInFolder() else {
            throw FileProblem(
                .missing, path: path, "no such folder", advice: "Create it, or save the plan elsewhere")
        }
        if place.parent.starts(with: remote) {
            throw FileProblem(
                .refused, path: path, "the plan would lie in the remote",
                advice: "Save it elsewhere: foreign files harm the clients")
        }
        return place
    }
}

extension Plan {
    /// True where keys are needed that are not in the plan.
    var needsRecoder: Bool {
        actions.contains { action in
            switch action.change {
            case .writeFile(_, .recoded, _), .replaceFile(_, .recoded, _, _): true
            case .writeTree(_, let entries):
                entries.contains { if case .recoded? = $0.content { true } else { false } }
            default: false
            }
        }
    }
}
