public import TICDSCore

/// What is to be done about findings, and which are left to people.
public struct RepairPlan: Sendable {
    /// What is done; without actions where nothing can be.
    public var plan: Plan
    /// Findings about which nothing is done, in the order in which they were given.
    public var left: [LeftFinding]
    /// Encrypts and decrypts for the executor; nil where nothing in the plan asks for it.
    public var recoder: (any ContentRecoder)?
}

/// A finding that is not repaired.
public struct LeftFinding: Sendable, Hashable {
    /// The finding.
    public var finding: Finding
    /// Why not, where its kind can be repaired: a sentence without a full stop.
    public var reason: String?
}
