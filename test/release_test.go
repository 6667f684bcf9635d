package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// TestPackagesFit holds together what is handed out: the npm wrapper's platforms are those
// the release builds, and the registry's entry starts the wrapper.
func TestPackagesFit(t *testing.T) {
	var wrapper struct {
		Name                 string            `json:"name"`
		Bin                  map[string]string `json:"bin"`
		OptionalDependencies map[string]string `json:"optionalDependencies"`
	}
	readJSONFile(t, "../npm/gitlet/package.json", &wrapper)
	var platforms []string
	for p := range wrapper.OptionalDependencies {
		platforms = append(platforms, strings.TrimPrefix(p, wrapper.Name+"-"))
	}
	sort.Strings(platforms)
	if got := strings.Join(platforms, " "); got != "darwin-arm64 darwin-x64 linux-arm64 linux-x64" {
		t.Errorf("the wrapper knows %s", got)
	}
	workflow, err := os.ReadFile("../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, runner := range []string{"ubuntu-latest", "ubuntu-24.04-arm", "macos-latest", "macos-13"} {
		if !strings.Contains(string(workflow), runner) {
			t.Errorf("the release does not build on %s", runner)
		}
	}
	var server struct {
		Packages []struct {
			Identifier       string `json:"identifier"`
			PackageArguments []struct {
				Value string `json:"value"`
			} `json:"packageArguments"`
		} `json:"packages"`
	}
	readJSONFile(t, "../server.json", &server)
	if len(server.Packages) != 1 || server.Packages[0].Identifier != wrapper.Name || server.Packages[0].PackageArguments[0].Value != "mcp" {
		t.Errorf("server.json starts %+v", server)
	}
	if _, err := os.Stat("../npm/gitlet/" + wrapper.Bin["gitlet"]); err != nil {
		t.Error(err)
	}
}

func readJSONFile(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestShellScriptsParse: the tools that only a release or a person runs are at least shell.
func TestShellScriptsParse(t *testing.T) {
	for _, f := range []string{"release.sh", "npm.sh", "clients.sh"} {
		if out, err := exec.Command("bash", "-n", "../tools/"+f).CombinedOutput(); err != nil {
			t.Errorf("%s: %s %v", f, out, err)
		}
	}
}
