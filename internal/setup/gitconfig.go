package setup

import (
	"strings"

	"gitlet/internal/git"
)

// initKey holds the names of the settings that init made, so that they can be unmade.
const initKey = "gitlet.init.set"

// wanted are git's settings for a choice of --git-config.
func wanted(choice string, v git.Version) []Setting {
	style := "zdiff3"
	if v.Less(git.Version{Major: 2, Minor: 35}) {
		style = "diff3"
	}
	some := []Setting{{Key: "rerere.enabled", To: "true"}, {Key: "merge.conflictStyle", To: style}}
	switch choice {
	case "none":
		return nil
	case "full":
		return append(some, Setting{Key: "rerere.autoupdate", To: "true"}, Setting{Key: "rebase.autostash", To: "true"})
	}
	return some
}

// gitConfig plans git's settings. What somebody chose stays.
func (p *Plan) gitConfig(cfg *git.Config, v git.Version, choice string) {
	made := madeByInit(cfg)
	for _, s := range wanted(choice, v) {
		had, there := cfg.Get(s.Key)
		switch {
		case !there:
			s.Undo = "git config --unset " + s.Key
			p.Settings = append(p.Settings, s)
			if !contains(made, s.Key) {
				made = append(made, s.Key)
			}
		case !sameValue(had, s.To):
			places := cfg.Places(s.Key)
			p.Kept = append(p.Kept, Kept{s.Key, "it is " + had + ", set in " + places[len(places)-1] + ": kept"})
		}
	}
	if len(p.Settings) > 0 {
		all := strings.Join(made, " ")
		p.record = &all
	}
}

// removeGitConfig plans unsetting what init set and nobody changed since.
func (p *Plan) removeGitConfig(cfg *git.Config, v git.Version) {
	made := madeByInit(cfg)
	if len(made) == 0 {
		return
	}
	for _, s := range wanted("full", v) {
		places := cfg.Places(s.Key)
		values := cfg.All(s.Key)
		if !contains(made, s.Key) {
			continue
		}
		for i, place := range places {
			if !strings.HasSuffix(place, ", local") {
				continue
			}
			if values[i] != s.To {
				p.Kept = append(p.Kept, Kept{s.Key, "it was changed to " + values[i] + " since: kept"})
				continue
			}
			p.Settings = append(p.Settings, Setting{Key: s.Key, From: s.To, Undo: "git config " + s.Key + " " + s.To})
		}
	}
	none := ""
	p.record = &none
}

// made are the settings that init answers for, with those of this plan.
func (p *Plan) made(cfg *git.Config) []string {
	if p.record != nil {
		return strings.Fields(*p.record)
	}
	return madeByInit(cfg)
}

func madeByInit(cfg *git.Config) []string {
	v, _ := cfg.Get(initKey)
	return strings.Fields(v)
}

func sameValue(a, b string) bool {
	if x, err := git.ParseBool("", a); err == nil {
		if y, err := git.ParseBool("", b); err == nil {
			return x == y
		}
	}
	return strings.EqualFold(a, b)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}
