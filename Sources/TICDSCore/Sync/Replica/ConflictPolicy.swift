/// Whose value counts when an attribute was changed here and elsewhere.
public struct ConflictPolicy: Sendable, Hashable, Codable {
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        case remote, local
        /// The one whose change has the later time stamp; the remote one where a time is missing or they are equal.
        case newest
        /// A person decides.
        case ask
        /// The run stops, and nothing is changed.
        case fail
    }

    /// A choice for an entity, or for one attribute of it. Nil stands for any.
    public struct Rule: Sendable, Hashable, Codable {
        public var entity: String?
        public var attribute: String?
        public var policy: Choice

        public init(entity: String? = nil, attribute: String? = nil, policy: Choice) {
            self.entity = entity
            self.attribute = attribute
            self.policy = policy
        }
    }

    /// Where no rule fits.
    public var otherwise: Choice
    /// The first that fits counts.
    public var rules: [Rule]

    public init(otherwise: Choice = .remote, rules: [Rule] = []) {
        self.otherwise = otherwise
        self.rules = rules
    }

    public func choice(entity: String, attribute: String) -> Choice {
        let rule = rules.first {
            ($0.entity == nil || $0.entity == entity) && ($0.attribute == nil || $0.attribute == attribute)
        }
        return rule?.policy ?? otherwise
    }
}
