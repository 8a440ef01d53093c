public import SystemCalls

extension RemoteSnapshot {
    /// - Parameter allowed: names, or paths inside the remote, of files without which to go on.
    /// - Throws: `.refused` where the content of a file is not here that belongs to what the plan changes: to the same
    ///   document or the same folder of the application, or to the encryption of all.
    public func refuseAbsence(from plan: Plan, allowing allowed: Set<String>) throws(FileProblem) {
        let touched = Set(plan.actions.map { Self.region($0.change.path.names) })
        try refuse(
            absentFiles.filter { stray in
                let names = stray.path.names.dropLast() + [stray.originalName].compactMap(\.self)
                let region = Self.region(Array(names))
                return region.first == RemoteLayout.encryption
                    || touched.contains { $0.starts(with: region) || region.starts(with: $0) }
            }, allowing: allowed)
    }

    /// - Throws: `.refused` where the content of any file is not here.
    public func refuseAbsence(allowing allowed: Set<String>) throws(FileProblem) {
        try refuse(absentFiles, allowing: allowed)
    }

    /// A document, or one of the folders and files at the top.
    private static func region(_ names: [RemoteName]) -> [RemoteName] {
        Array(names.prefix(names.first == RemoteLayout.documents ? 2 : 1))
    }

    private func refuse(_ absent: [Stray], allowing allowed: Set<String>) throws(FileProblem) {
        let absent = absent.filter { !$0.path.isNamed(in: allowed) }
        guard var problem = problem(ofAbsent: absent), let name = absent.first?.path.last else { return }
        problem.kind = .refused
        problem.problem += ", so nothing was changed"
        problem.advice =
            "Let the sync service download everything, then try again; otherwise continue with "
            + "--allow-missing=\(ShellWord.quoted(name.bytes))"
        throw problem
    }
}
