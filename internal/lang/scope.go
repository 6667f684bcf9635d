package lang

// scopes tracks the local names in force while a walk moves through a tree in
// preorder, so that a reference to a parameter or a local variable is known as such.
type scopes struct {
	stack []scope
	late  []lateNames
}

type scope struct {
	end      Node
	few      []string        // the first names; comparing a few costs less than hashing one
	names    map[string]bool // the others
	function bool            // where function-wide declarations go
}

const maxFewNames = 8

// lateNames come into force at a node: a declaration's names after its right side.
type lateNames struct {
	at    Node
	depth int
	end   Node
	names []string
}

// at leaves the scopes that end before n and brings pending names into force.
func (s *scopes) at(n Node) {
	for len(s.stack) > 0 && s.stack[len(s.stack)-1].end <= n {
		s.stack = s.stack[:len(s.stack)-1]
	}
	for len(s.late) > 0 && s.late[len(s.late)-1].at <= n {
		l := s.late[len(s.late)-1]
		s.late = s.late[:len(s.late)-1]
		if l.depth < len(s.stack) && s.stack[l.depth].end == l.end {
			s.addTo(l.depth, l.names)
		}
	}
}

// push opens a scope that holds until the node end.
func (s *scopes) push(end Node, function bool) {
	s.stack = append(s.stack, scope{end: end, function: function})
}

// inside reports whether any scope is open.
func (s *scopes) inside() bool { return len(s.stack) > 0 }

// inFunction reports whether a function's scope is open.
func (s *scopes) inFunction() bool {
	for _, sc := range s.stack {
		if sc.function {
			return true
		}
	}
	return false
}

// add brings names into force in the innermost scope; outside every scope it does nothing.
func (s *scopes) add(names ...string) {
	if len(s.stack) > 0 {
		s.addTo(len(s.stack)-1, names)
	}
}

// addFunction brings names into force in the innermost function.
func (s *scopes) addFunction(names ...string) {
	for i := len(s.stack) - 1; i >= 0; i-- {
		if s.stack[i].function {
			s.addTo(i, names)
			return
		}
	}
}

// addLater brings names into force in the innermost scope from the node at on.
func (s *scopes) addLater(at Node, names []string) {
	if len(s.stack) == 0 || len(names) == 0 {
		return
	}
	depth := len(s.stack) - 1
	s.late = append(s.late, lateNames{at, depth, s.stack[depth].end, names})
}

func (s *scopes) addTo(depth int, names []string) {
	sc := &s.stack[depth]
	for _, n := range names {
		switch {
		case len(sc.few) < maxFewNames:
			sc.few = append(sc.few, n)
		case sc.names == nil:
			sc.names = map[string]bool{n: true}
		default:
			sc.names[n] = true
		}
	}
}

// has reports whether name is a local one here.
func (s *scopes) has(name string) bool {
	for i := len(s.stack) - 1; i >= 0; i-- {
		sc := &s.stack[i]
		for _, n := range sc.few {
			if n == name {
				return true
			}
		}
		if sc.names[name] {
			return true
		}
	}
	return false
}
