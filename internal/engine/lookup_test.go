package engine

import (
	"testing"
	"time"
)

func TestCanonicalName(t *testing.T) {
	for in, want := range map[string]string{
		"parseConfig": "parseConfig", "Config::load": "Config.load", "Config->load": "Config.load",
		"(*Server).Start": "Server.Start", "(Server).Start": "Server.Start", "( *T ).M": "T.M", "load()": "load",
		" a.B ": "a.B", "a::b::c": "a.b.c", "(": "(", "": "",
	} {
		if got := canonicalName(in); got != want {
			t.Errorf("canonicalName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLastPart(t *testing.T) {
	for in, want := range map[string]string{
		"load": "load", "Config.load": "load", "Config.x@setter": "x", "init#2": "init", "Buf.run@Read": "run", "#secret": "#secret", "": "",
	} {
		if got := lastPart(in); got != want {
			t.Errorf("lastPart(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShortDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 0: "0s", 4 * time.Second: "4s", 119 * time.Second: "119s", 2 * time.Minute: "2m",
		3 * time.Hour: "3h", 47 * time.Hour: "47h", 72 * time.Hour: "3d",
	} {
		if got := shortDuration(d); got != want {
			t.Errorf("shortDuration(%v) = %q, want %q", d, got, want)
		}
	}
}
