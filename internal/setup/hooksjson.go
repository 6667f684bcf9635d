package setup

import (
	"gitlet/internal/jsonc"
)

// hookEvents are the events of Claude Code that run gitlet, in the order they are written.
var hookEvents = []string{"SessionStart", "UserPromptSubmit", "PostToolUse"}

func hookWords(event string) []string { return []string{"hook", "claude-code", event} }

func hookGroup(event string) []jsonc.Pair {
	return []jsonc.Pair{{Name: "hooks", Value: []any{
		[]jsonc.Pair{{Name: "type", Value: "command"}, {Name: "command", Value: guarded("claude-code " + event)}},
	}}}
}

func hooksSnippet() []string {
	var all []jsonc.Pair
	for _, e := range hookEvents {
		all = append(all, jsonc.Pair{Name: e, Value: []any{hookGroup(e)}})
	}
	return snippetOf([]jsonc.Pair{{Name: "hooks", Value: all}})
}

// addHooks puts the hooks into Claude Code's settings.
func addHooks(t text) (text, string, error) {
	was := t
	for _, e := range hookEvents {
		var err error
		if t, _, err = addHook(e)(t); err != nil {
			return was, "", err
		}
	}
	return t, "", nil
}

func addHook(event string) edit {
	return func(t text) (text, string, error) {
		snippet := hooksSnippet()
		d, err := parseJSON(t, snippet)
		if err != nil {
			return t, "", err
		}
		list := []any{hookGroup(event)}
		byEvent := []jsonc.Pair{{Name: event, Value: list}}
		if d.Root == nil {
			return fresh(t, []jsonc.Pair{{Name: "hooks", Value: byEvent}}), "", nil
		}
		hooks, err := child(d.Root, "hooks", jsonc.Object, snippet)
		if err != nil {
			return t, "", err
		}
		if hooks == nil {
			return with(jsonc.AddMember(t.data, d.Root, "hooks", byEvent)), "", nil
		}
		groups, err := child(hooks, event, jsonc.Array, snippet)
		if err != nil {
			return t, "", err
		}
		if groups == nil {
			return with(jsonc.AddMember(t.data, hooks, event, list)), "", nil
		}
		for _, g := range groups.Elems {
			if hookIn(g, event) >= 0 {
				return t, "", nil
			}
		}
		return with(jsonc.AddElem(t.data, groups, list[0])), "", nil
	}
}

// hookIn is where in a group of hooks gitlet's stands, -1 for nowhere.
func hookIn(group *jsonc.Value, event string) int {
	if list := group.Get("hooks"); list != nil && list.Kind == jsonc.Array {
		for i, h := range list.Elems {
			if c := h.Get("command"); c != nil && runs(hookWords(event), c.Text) {
				return i
			}
		}
	}
	return -1
}

// removeHooks takes the hooks out.
func removeHooks(t text) (text, string, error) {
	d, err := parseJSON(t, nil)
	if err != nil {
		return t, "", err
	}
	if was, ok := undone(t, addHooks, unfresh(t, d.Root)...); ok {
		return was, "", nil
	}
	for i := len(hookEvents) - 1; i >= 0; i-- {
		for {
			after, found := removeHook(t, hookEvents[i])
			if !found {
				break
			}
			t = after
		}
	}
	return t, "", nil
}

func removeHook(t text, event string) (text, bool) {
	d, err := parseJSON(t, nil)
	if err != nil || d.Root == nil {
		return t, false
	}
	hooks := d.Root.Get("hooks")
	groups := hooks.Get(event)
	if groups == nil || groups.Kind != jsonc.Array {
		return t, false
	}
	for i := len(groups.Elems) - 1; i >= 0; i-- {
		at := hookIn(groups.Elems[i], event)
		if at < 0 {
			continue
		}
		inner := groups.Elems[i].Get("hooks")
		if len(inner.Elems) > 1 {
			return with(jsonc.Remove(t.data, inner, at)), true
		}
		group := with(jsonc.Remove(t.data, groups, i))
		was, ok := undone(t, addHook(event), with(jsonc.Remove(t.data, d.Root, memberAt(d.Root, "hooks"))),
			with(jsonc.Remove(t.data, hooks, memberAt(hooks, event))), group)
		if !ok {
			was = group
		}
		return was, true
	}
	return t, false
}
