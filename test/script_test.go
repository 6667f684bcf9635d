package test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gitlet/internal/cli"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gitlet": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "script",
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"remote": cmdRemote, "machine": cmdMachine, "on": cmdOn, "put": cmdPut,
			"unset-remote": cmdUnsetRemote, "restore-remote": cmdRestoreRemote,
			"json": cmdJSON, "note-id": cmdNoteID,
		},
	})
}

func setup(env *testscript.Env) error {
	trace := filepath.Join(env.WorkDir, ".trace")
	for _, v := range gittest.Env() {
		name, value, _ := strings.Cut(v, "=")
		env.Setenv(name, value)
	}
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("GIT_TRACE2_EVENT", trace)
	for _, v := range gittest.TraceEnv() {
		name, value, _ := strings.Cut(v, "=")
		env.Setenv(name, value)
	}
	t, _ := env.T().(testing.TB)
	env.Defer(func() {
		if _, err := os.Stat(trace); err == nil && t != nil {
			gittest.CheckTrace(t, trace)
		}
		checkRemote(env.T(), filepath.Join(env.WorkDir, "remote.git"))
	})
	return nil
}
