package git

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Config is git's whole configuration as it applies to one repository. The last
// value of a key wins; keys are matched as git does, section and name without case,
// the part between them with.
type Config struct {
	values map[string][]string
	places map[string][]string // where each value is set, beside values
	keys   []string            // in order of first appearance
}

// Config reads the configuration, in one process, and remembers it for the choices
// the package makes itself.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	// Without our own overrides, which would show up as settings.
	out, err := r.run(ctx, call{step: "read config", class: localRead, userHooks: true,
		args: []string{"config", "--list", "-z", "--show-scope", "--show-origin"}})
	if err != nil {
		return nil, err
	}
	c, err := parseConfig(out.Stdout)
	if err != nil {
		return nil, err
	}
	r.shared.mu.Lock()
	r.shared.config = c
	r.shared.mu.Unlock()
	return c, nil
}

// KnownConfig returns the configuration last read for this clone, reading it when it
// was not. It is for choices that may be a little out of date.
func (r *Repo) KnownConfig(ctx context.Context) (*Config, error) {
	r.shared.mu.Lock()
	c := r.shared.config
	r.shared.mu.Unlock()
	if c != nil {
		return c, nil
	}
	return r.Config(ctx)
}

// SetConfig sets one key in the clone's own configuration file.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	_, err := r.run(ctx, call{step: "set config", class: localWrite, args: []string{"config", "--local", "--", key, value}})
	return err
}

// UnsetConfig removes every value of one key from the clone's own file. A key that
// is not there is fine.
func (r *Repo) UnsetConfig(ctx context.Context, key string) error {
	_, err := r.run(ctx, call{step: "unset config", class: localWrite, okExit: []int{5},
		args: []string{"config", "--local", "--unset-all", "--", key}})
	return err
}

// parseConfig reads records of "scope NUL origin NUL key LF value NUL". A record without
// LF is a key given without "=", which git reads as true.
func parseConfig(b []byte) (*Config, error) {
	c := &Config{values: map[string][]string{}, places: map[string][]string{}}
	f := fields(b)
	if len(f)%3 != 0 {
		return nil, fmt.Errorf("read config: %d fields are no settings", len(f))
	}
	for ; len(f) > 0; f = f[3:] {
		key, value, ok := strings.Cut(f[2], "\n")
		if !ok {
			value = "true"
		}
		key = foldKey(key)
		if _, seen := c.values[key]; !seen {
			c.keys = append(c.keys, key)
		}
		c.values[key] = append(c.values[key], value)
		c.places[key] = append(c.places[key], place(f[0], f[1]))
	}
	return c, nil
}

// place words where a value is set: the file, quoted, and the scope it is read for.
func place(scope, origin string) string {
	if file, ok := strings.CutPrefix(origin, "file:"); ok {
		return fmt.Sprintf("%q, %s", file, scope)
	}
	return strings.TrimSuffix(origin, ":") + ", " + scope
}

// foldKey lowers the section and the name and leaves the subsection alone.
func foldKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Get returns the value of key that counts.
func (c *Config) Get(key string) (string, bool) {
	v := c.values[foldKey(key)]
	if len(v) == 0 {
		return "", false
	}
	return v[len(v)-1], true
}

// All returns every value of key, in order.
func (c *Config) All(key string) []string {
	return append([]string(nil), c.values[foldKey(key)]...)
}

// Places returns in words where each value of key is set, in the order of All.
func (c *Config) Places(key string) []string {
	return append([]string(nil), c.places[foldKey(key)]...)
}

// Keys returns the keys that start with prefix, in order of first appearance.
func (c *Config) Keys(prefix string) []string {
	var out []string
	for _, k := range c.keys {
		if strings.HasPrefix(k, prefix) {
			out = append(out, k)
		}
	}
	return out
}

// Bool reads key as git reads booleans; fallback when it is not set.
func (c *Config) Bool(key string, fallback bool) (bool, error) {
	v, ok := c.Get(key)
	if !ok {
		return fallback, nil
	}
	return ParseBool(key, v)
}

// ParseBool reads a value as git reads booleans.
func ParseBool(key, v string) (bool, error) {
	switch strings.ToLower(v) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return false, fmt.Errorf("read %s: %q is not a boolean", key, v)
	}
	return n != 0, nil
}

// RemoteInfo is one configured remote.
type RemoteInfo struct {
	Name string
	// URL and PushURL are as configured, before url.<base>.insteadOf; PushURL equals
	// URL unless set.
	URL, PushURL string
}

// Remotes lists the remotes that have a URL, by name.
func (c *Config) Remotes() []RemoteInfo {
	var out []RemoteInfo
	for _, k := range c.Keys("remote.") {
		name, ok := strings.CutSuffix(strings.TrimPrefix(k, "remote."), ".url")
		if !ok || name == "" {
			continue
		}
		r := RemoteInfo{Name: name, URL: c.values[k][0]}
		r.PushURL = r.URL
		if p := c.values["remote."+name+".pushurl"]; len(p) > 0 {
			r.PushURL = p[0]
		}
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// RemoteNames lists the names of the remotes that have a URL, in order.
func (c *Config) RemoteNames() []string {
	var out []string
	for _, r := range c.Remotes() {
		out = append(out, r.Name)
	}
	return out
}

// Partial reports whether the clone may lack objects that its remote has promised.
func (c *Config) Partial() bool {
	if _, ok := c.Get("extensions.partialClone"); ok {
		return true
	}
	for _, k := range c.Keys("remote.") {
		if strings.HasSuffix(k, ".promisor") {
			return true
		}
	}
	return false
}
