/// Whose value counts when an attribute was changed here and elsewhere.
public struct ConflictPolicy: Sendable, Hashable, Codable {
    /// How one conflict is decided.
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value of the other client, or the one from here.
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
        /// Name of the entity; nil for any.
        public var entity: String?
        /// Name of the attribute; nil for any.
        public var attribute: String?
        /// What is decided.
        public var policy: Choice

        /// A rule for an entity, an attribute, both, or everything.
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

    /// Decides by the first of `rules` that fits, else by `otherwise`.
    public init(otherwise: Choice = .remote, rules: [Rule] = []) {
        self.otherwise = otherwise
        self.rules = rules
    }

    /// What is decided about an attribute: by the first rule that fits it.
    public func choice(entity: String, attribute: String) -> Choice {
        let rule = rules.first {
            ($0.entity == nil || $0.entity == entity) && ($0.attribute == nil || $0.attribute == attribute)
        }
        return rule?.policy ?? otherwise
    }
}
