public import SystemCalls

/// The objects that delete rules reach from objects that will be deleted.
public struct DeletionReach<Object: Hashable & Sendable>: Sendable {
    /// A relationship with the delete rule Cascade or Deny, from one object to another.
    public struct Link: Sendable {
        /// The target of the link.
        public var target: Object
        /// Whether the rule is Deny.
        public var denies: Bool

        /// A link of the rule Deny or Cascade.
        public init(target: Object, denies: Bool) {
            self.target = target
            self.denies = denies
        }
    }

    /// An object that would also be deleted.
    public struct Follower: Sendable {
        /// The object.
        public var object: Object
        /// The deleted object from which the rules reach it.
        public var owner: Object
    }

    /// The objects that will be deleted and from which Cascade directly leads to others.
    public private(set) var owners: Set<Object> = []
    /// The objects that Cascade reaches, in the order in which it reaches them.
    public private(set) var followers: [Follower] = []
    /// The objects that should be deleted but that the rule Deny would keep.
    public private(set) var denied: [Object] = []

    /// - Parameter links: the links from an object.
    public init(
        of objects: [Object], links: (Object) throws(FileProblem) -> [Link]
    ) throws(FileProblem) {
        let asked = Set(objects)
        var seen = asked
        var waiting = objects.map { Follower(object: $0, owner: $0) }
        var keepers: [Follower] = []
        var position = 0
        while position < waiting.count {
            let (object, owner) = (waiting[position].object, waiting[position].owner)
            position += 1
            for link in try links(object) where !asked.contains(link.target) {
                let follower = Follower(object: link.target, owner: owner)
                guard !link.denies else {
                    keepers.append(follower)
                    continue
                }
                if asked.contains(object) { owners.insert(object) }
                guard seen.insert(link.target).inserted else { continue }
                waiting.append(follower)
                followers.append(follower)
            }
        }
        let kept = Set(keepers.lazy.filter { !seen.contains($0.object) }.map(\.owner))
        denied = objects.filter { kept.contains($0) }
    }
}
