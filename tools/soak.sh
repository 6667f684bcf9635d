#!/bin/sh
# The long counts: memory over FILES files of each language, KILLS verbs and LANDKILLS
# updates, restores and submits killed, COMBINEKILLS combines killed, AGENTS
# agents beside each other for AGENTSFOR, an agent that uses git without pause for PEACEFOR,
# the bus, MODELSTEPS steps of agents that negotiate, then every fuzz target of the project
# for FUZZTIME each.
set -eu
go test -run '^TestMemoryDoesNotGrow$' -timeout 2h ./internal/symbols -files "${FILES:-20000}"
# The bus: the whole suite over every kind of remote, 200 rounds of 32 contenders, 500
# agents, a million mutated documents. The figures are in what is printed.
out=$(mktemp)
trap 'rm -f "$out"' EXIT
rc=0
GITLET_SOAK=1 go test -run '^(TestMutatedDocuments|TestRace|TestRemote|TestFiveHundredAgents)$' -count 1 -v -timeout 2h ./internal/bus ./internal/bus/gitbus >"$out" 2>&1 || rc=$?
grep -E '^(ok|FAIL|--- |panic)|_test.go:|^ +--- FAIL' "$out" || true
test "$rc" = 0
# Eight processes claim one symbol through the command line.
ROUNDS=${ROUNDS:-20} go test -run '^TestScripts/claim_race$' -count 1 ./test
# What agents agree on, in any order of anything: in memory and over real refs.
go test -run '^(TestModel|TestModelOverRefs)$' -count 1 -v -timeout 2h ./internal/engine -modelsteps "${MODELSTEPS:-20000}" -modelrealsteps "${MODELREALSTEPS:-500}" -modelseed "$(date +%s)"
# Random edits of both sides, merged by definition or entry: nothing dropped, nothing doubled.
go test -run '^TestRandom(Edits|Changelogs)$' -count 1 -timeout 2h ./internal/merge -merge.rounds "${MERGES:-20000}"
# Kills and crowds: the figures are in what is printed.
go test -run '^TestKilledVerbs$' -count 1 -v -timeout 2h ./test -kills "${KILLS:-300}" -killseed "$(date +%s)"
go test -run '^TestKilledUpdates$' -count 1 -v -timeout 2h ./test -landkills "${LANDKILLS:-200}" -landkillseed "$(date +%s)"
go test -run '^TestKilledCombines$' -count 1 -v -timeout 2h ./test -combinekills "${COMBINEKILLS:-100}" -combinekillseed "$(date +%s)"
go test -run '^TestManyAgents$' -count 1 -v -timeout 2h ./test -agents "${AGENTS:-30}" -agentsfor "${AGENTSFOR:-10m}" -agentslease "${LEASE:-90s}"
# An agent that uses git without pause beside a session.
go test -run '^TestPeaceWithGit$' -count 1 -v -timeout 2h ./test -peacefor "${PEACEFOR:-5m}" -peaceseed "$(date +%s)"
# Secrets in random trees, looked for in every object the remote received.
go test -run '^TestSecretsStayHere$' -count 1 -timeout 2h ./test -secrettrees "${SECRETTREES:-500}" -secretseed "$(date +%s)"
# Random worktrees, checkpointed, changed and restored.
go test -run '^TestRestoreGivesEverythingBack$' -count 1 -timeout 6h ./internal/snapshot -checkpointrounds "${CHECKPOINTS:-2000}" -checkpointseed "$(date +%s)"
# Random branches brought up to date, against plain git.
go test -run '^TestUpdateEqualsRebase$' -count 1 -v -timeout 2h ./internal/land -updaterounds "${UPDATES:-500}" -updateseed "$(date +%s)" |
	grep -vE '^ *(=== |--- PASS)'
for pkg in $(go list ./...); do
	dir=$(go list -f '{{.Dir}}' "$pkg")
	for f in $(cat "$dir"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); do
		echo "== $pkg $f"
		# Shrinking an input that only reaches new code takes longer than it is worth.
		go test -run '^$' -fuzz "^$f\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 1x "$pkg"
	done
done
