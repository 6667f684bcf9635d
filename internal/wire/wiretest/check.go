package wiretest

import (
	"path"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// Check fails the test when v, or anything in it, holds what the gate promises never to
// let through. It shares no code with the gate: it walks by reflection, and judges each
// field by its type and JSON name.
func Check(t testing.TB, v any) {
	t.Helper()
	checkValue(t, "", "", reflect.ValueOf(v))
}

var (
	oidForm     = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})?$`)
	agentForm   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$`)
	hex12       = regexp.MustCompile(`^[0-9a-f]{12}$`)
	hex16       = regexp.MustCompile(`^[0-9a-f]{16}$`)
	multiLine   = map[string]bool{"text": true, "requirement": true, "summary": true}
	enumsByType = map[string]string{
		"SymbolKind": " function method class struct interface trait enum type const var module ",
		"RefKind":    " call type construct extends ", "ChangeKind": " added removed signature body moved renamed ",
		"ItemStatus": " active submitted landed abandoned ",
	}
)

// checkValue fails when v holds something the gate promises never to let through.
// name is the JSON name of the field that holds v, in the type owner.
func checkValue(t testing.TB, owner, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			checkValue(t, owner, name, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkValue(t, owner, name, v.Index(i))
		}
	case reflect.Struct:
		if at, ok := v.Interface().(time.Time); ok {
			if _, err := at.MarshalJSON(); err != nil || at.Location() != time.UTC {
				t.Errorf("%s.%s: time %v: %v", owner, name, at, err)
			}
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			checkValue(t, v.Type().Name(), tag, v.Field(i))
		}
	case reflect.String:
		checkString(t, owner, name, v.Type().Name(), v.String())
	case reflect.Int:
		if n := v.Int(); n < 0 || n > 1<<30 {
			t.Errorf("%s.%s: %d", owner, name, n)
		}
	}
}

func checkString(t testing.TB, owner, name, typ, s string) {
	t.Helper()
	ok := true
	switch field := owner + "." + name; field {
	case "Item.base", "Item.head", "Item.snapshot", "Footprint.base", "Footprint.head", "Footprint.stubs", "Need.pinnedStub", "Need.pinnedCommit", "Contract.stubCommit":
		ok = oidForm.MatchString(s)
	case "Agent.id", "Outbox.agent", "Message.from", "Proposal.owner", "Claim.owner", "Requirement.from":
		ok = agentForm.MatchString(s)
	case "Item.id", "Need.id", "Message.id", "Need.item", "Claim.item", "Message.items", "Message.seen":
		ok = hex12.MatchString(s)
	case "Message.item":
		ok = s == "" || hex12.MatchString(s)
	case "Symbol.key", "Need.key", "Claim.key":
		ok = hex16.MatchString(s)
	case "Message.thread", "Accept.thread":
		ok = strings.HasPrefix(s, "t-") && hex12.MatchString(s[2:])
	case "Proposal.id", "Accept.proposal":
		ok = strings.HasPrefix(s, "p-") && hex12.MatchString(s[2:])
	case "FileChange.path", "Symbol.path", "Ref.path":
		ok = relative(s)
	case "FileChange.oldPath", "SymbolChange.oldPath":
		ok = s == "" || relative(s)
	case "Item.branch":
		ok = !strings.HasPrefix(s, "-") && !strings.Contains(s, "..") && !strings.ContainsAny(s, " ~^:?*[\\")
	case "FileChange.status":
		ok = len(s) == 1 && strings.Contains("AMDRT", s)
	case "Symbol.name", "Symbol.qualified", "Ref.name":
		ok = s != ""
	}
	if list := enumsByType[typ]; list != "" {
		ok = strings.Contains(list, " "+s+" ") && s != ""
	}
	for _, r := range s {
		if unicode.IsControl(r) && !(r == '\n' && (multiLine[name])) || r == 0x2028 || r == 0x202e {
			ok = false
		}
	}
	if !ok || !utf8.ValidString(s) || len(s) > 8<<10 {
		t.Errorf("%s.%s (%s): %q got through", owner, name, typ, s)
	}
}

func relative(s string) bool {
	return s != "" && len(s) <= 4096 && path.Clean(s) == s && !path.IsAbs(s) && s != "." && s != ".." && !strings.HasPrefix(s, "../")
}
