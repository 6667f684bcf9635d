#!/usr/bin/env bash
# The clients themselves against gitlet: what init writes is read by Claude Code's and
# Codex's own programs, and the server answers the MCP inspector and what the protocol's
# conformance suite asks of any server. They come from npm at the versions below, into a
# cache, and run with a home of their own and without an account.
set -euo pipefail
cd "$(dirname "$0")/.."
inspector=2.12.0
claude=2.1.332
codex=0.171.0
conformance=0.1.16
bridge=4.0.0 # speaks HTTP, which the suite wants, to a server on stdio
node=22.23.3 # the suite needs one so new
root=$(pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gitlet-clients
mkdir -p "$cache"
if [ ! -x "$cache/node_modules/.bin/claude" ] || [ "$(cat "$cache/versions" 2>/dev/null)" != "$inspector $claude $codex $conformance $bridge $node" ]; then
	(cd "$cache" && npm install --no-save --no-fund --no-audit --ignore-scripts --loglevel=error \
		"@modelcontextprotocol/inspector@$inspector" "@anthropic-ai/claude-code@$claude" "@openai/codex@$codex" \
		"@modelcontextprotocol/conformance@$conformance" "supergateway@$bridge" "$(node -p 'process.platform == "darwin" ? "node-bin-darwin-" + process.arch : "node-" + process.platform + "-" + process.arch')@$node" &&
		node node_modules/@anthropic-ai/claude-code/install.cjs)
	echo "$inspector $claude $codex $conformance $bridge $node" >"$cache/versions"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home PATH=$root/bin:$cache/node_modules/.bin:$PATH
export MCP_CATALOG_PATH=$work/catalog GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1
unset CODEX_HOME CLAUDE_CONFIG_DIR
mkdir -p "$HOME/.codex" "$HOME/.claude" "$work/repo"
echo '{"enabledMcpjsonServers": ["gitlet"]}' >"$HOME/.claude/settings.json"
cd "$work/repo"
git init -q -b main
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m x
failed=0
# check NAME WANT COMMAND...: the command's output matches WANT.
check() {
	local name=$1 want=$2 out
	shift 2
	if out=$(timeout 120 "$@" 2>&1 </dev/null) && grep -Eq -- "$want" <<<"$out"; then
		echo "ok    $name"
	else
		echo "FAIL  $name: want $want"
		sed 's/^/      | /' <<<"$out" | head -30
		failed=1
	fi
}
gitlet init claude-code codex cursor >/dev/null
printf '[projects."%s"]\ntrust_level = "trusted"\n' "$work/repo" >"$HOME/.codex/config.toml"

check 'codex mcp list shows gitlet' 'gitlet +gitlet +mcp' codex mcp list
check 'codex mcp get reads the entry' '"command": "gitlet"' codex mcp get gitlet --json
check 'claude mcp get reads the entry' 'Command: gitlet' claude mcp get gitlet
check 'claude mcp list connects to gitlet' 'gitlet: gitlet mcp - .*Connected' claude mcp list
for era in legacy auto modern; do
	check "inspector ($era): tools/list, strict" '"name": *"start"' mcp-inspector --cli --protocol-era $era --method tools/list --strict gitlet mcp
	check "inspector ($era): tools/call status" 'you have no task' mcp-inspector --cli --protocol-era $era --method tools/call --tool-name status gitlet mcp
done
check 'inspector: resources/list' 'gitlet://status' mcp-inspector --cli --method resources/list gitlet mcp
check 'inspector: resources/read' 'you have no task' mcp-inspector --cli --method resources/read --uri gitlet://status gitlet mcp

# The suite's other scenarios call tools, prompts and resources of its own sample server
# (test_simple_text and so on), ask for completions, which gitlet does not offer, or look at
# what guards an HTTP port.
port=$((20000 + RANDOM % 20000))
supergateway --stdio 'gitlet mcp' --outputTransport streamableHttp --port $port --stateful >"$work/bridge.log" 2>&1 &
bridged=$!
trap 'kill $bridged 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	grep -q Listening "$work/bridge.log" && break
	sleep 0.2
done
newer=$(dirname "$(find "$cache/node_modules" -path '*bin/node' -type f | head -1)")
for scenario in server-initialize logging-set-level ping tools-list resources-list prompts-list server-sse-multiple-streams; do
	check "conformance: $scenario" '[1-9] passed|Passed: [1-9]' env PATH="$newer:$PATH" \
		node "$cache/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --url "http://127.0.0.1:$port/mcp" --scenario "$scenario"
done

gitlet init --remove >/dev/null
test -z "$(git status --porcelain)" || { echo "FAIL  init --remove leaves something"; failed=1; }
exit $failed
