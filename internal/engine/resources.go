package engine

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/migration"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
	"gitlet/internal/rules"
	"gitlet/internal/view"
)

// What is claimed need not be a symbol: an issue that only one may build, a thing that
// only one may use at a time, the next number of a sequence. Such a claim is named by a
// kind and a name, "issue:278".

// ResourceKind is a kind of claims that are not on symbols.
type ResourceKind string

// The kinds.
const (
	Issue    ResourceKind = "issue"
	Shared   ResourceKind = "res"
	Sequence ResourceKind = "next"
)

// Resource is what such a claim is on. Its Name is without the kind: an issue's number, a
// folder of numbered files, and for a number that was handed out the folder and it.
type Resource struct {
	Kind ResourceKind
	Name string
}

func (r Resource) String() string { return string(r.Kind) + ":" + r.Name }

// A BadResourceError says why a text is no resource.
type BadResourceError struct{ Why string }

func (e *BadResourceError) Error() string { return e.Why }

var resourceName = pattern.New(`^[\pL\pN_][\pL\pN_.#@+/ -]{0,198}$`)

// ParseResource reads "issue:278", "res:dev-db" or "next:db/migrate". ok is false for a
// text of no such kind, which may be a symbol's name. Errors: *BadResourceError.
func ParseResource(text string) (r Resource, ok bool, err error) {
	kind, name, found := strings.Cut(strings.TrimSpace(text), ":")
	r = Resource{ResourceKind(kind), strings.TrimSpace(name)}
	if !found || strings.HasPrefix(name, ":") {
		return Resource{}, false, nil // Rust's issue::parse
	}
	switch r.Kind {
	case Issue:
		r.Name = strings.TrimPrefix(r.Name, "#")
	case Sequence:
		r.Name = strings.TrimSuffix(strings.TrimPrefix(r.Name, "./"), "/")
	case Shared:
	default:
		return Resource{}, false, nil
	}
	if !resourceName.MatchString(r.Name) || strings.Contains("/"+r.Name+"/", "/../") {
		return Resource{}, true, &BadResourceError{fmt.Sprintf("%q names nothing: write issue:278, res:dev-db or next:db/migrate", text)}
	}
	return r, true, nil
}

// Number takes a number that was handed out apart: its folder, and the number as it is
// spelled. ok is false for anything else, a folder of a sequence included.
func (r Resource) Number() (dir, number string, ok bool) {
	if dir, _, ok = migration.Handed(r.String()); !ok {
		return "", "", false
	}
	return dir, spelled(r.Name), true
}

// Folder is the folder of a sequence, also for a number that was handed out.
func (r Resource) Folder() string {
	if dir, _, ok := r.Number(); ok {
		return dir
	}
	return r.Name
}

// ResourceClaim is the claim on a resource as last fetched, nil when nobody holds it.
func (c *Call) ResourceClaim(r Resource) *model.Claim {
	for _, d := range c.docs.Claims {
		if d.Value.Symbol == nil && d.Value.Resource == r.String() {
			cl := d.Value
			return &cl
		}
	}
	return nil
}

// maxNumbers is how many numbers are tried when others are faster.
const maxNumbers = 16

// ClaimNext claims the next number of a folder's sequence for an item: one that neither
// main, nor an item, nor another branch has, nor another claim was given. An item that was
// given one and does not use it yet keeps it. Errors: *BadResourceError and those of Claim.
func (c *Call) ClaimNext(ctx context.Context, dir, item string) (number string, got Claimed, err error) {
	v, err := c.sequenceView(ctx, dir)
	if err != nil {
		return "", Claimed{}, err
	}
	for _, cl := range v.Claims {
		d, n, ok := migration.Handed(cl.Resource)
		if !ok || d != dir || cl.Owner != c.who.Agent || cl.Item != item || usesNumber(v, item, dir, n) {
			continue
		}
		got, err := c.ClaimResource(ctx, cl.Resource, item)
		return spelled(cl.Resource), got, err
	}
	taken := rules.TakenNumbers(v, dir)
	example := lastSpelled(v, dir)
	for range maxNumbers {
		number = migration.Next(example, taken)
		got, err = c.ClaimResource(ctx, Resource{Sequence, dir + "/" + number}.String(), item)
		if err != nil || got.Held != nil {
			return number, got, err
		}
		taken = append(taken, migration.Comparable(number)) // somebody was faster
	}
	return number, got, err
}

// sequenceView is the view with the folder taken for one of migrations, and main's files
// of it read.
func (c *Call) sequenceView(ctx context.Context, dir string) (*view.View, error) {
	if e, _ := migration.Of(dir+"/0001_x.py", c.settings.Migrations); e.Chained {
		return nil, &BadResourceError{fmt.Sprintf("the files in %s name the one they build on, so they have no numbers to hand out", dir)}
	}
	all, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	v := *all
	v.MigrationDirs = append([]string{dir}, v.MigrationDirs...)
	v.Migrations = append([]string(nil), v.Migrations...)
	revs := []string{}
	if main := c.mainOID(ctx); main != "" {
		revs = append(revs, main)
	}
	if c.head.OID != "" && (len(revs) == 0 || revs[0] != c.head.OID) {
		revs = append(revs, c.head.OID)
	}
	for _, rev := range revs {
		entries, err := c.wt.Tree(ctx, rev, dir)
		if err != nil {
			return nil, err
		}
		for _, x := range entries {
			v.Migrations = append(v.Migrations, x.Path)
		}
	}
	return &v, nil
}

// usesNumber reports whether the item has a file with that number.
func usesNumber(v *view.View, item, dir, number string) bool {
	for _, it := range v.Items {
		if it.ID != item || it.Footprint == nil {
			continue
		}
		for _, f := range it.Footprint.Files {
			if e, ok := migration.Of(f.Path, v.MigrationDirs); ok && f.Status != "D" && e.Dir == dir && e.Number == number {
				return true
			}
		}
	}
	return false
}

// lastSpelled is a number of the folder as its name writes it, for the next to look like.
func lastSpelled(v *view.View, dir string) string {
	example, last := "0000", ""
	for _, file := range v.Migrations {
		if e, ok := migration.Of(file, v.MigrationDirs); ok && e.Dir == dir && e.Number != "" && file > last {
			example, last = e.Spelled, file
		}
	}
	return example
}

// spelled is the number of a resource that was handed out.
func spelled(resource string) string { return resource[strings.LastIndexByte(resource, '/')+1:] }
