#!/usr/bin/env node
// Starts the program of this platform with the same arguments and streams.
"use strict";
const { spawn } = require("node:child_process");

const name = `gitlet-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/gitlet`);
} catch {
  console.error(`gitlet: there is no program for ${process.platform} on ${process.arch}: the package ${name} is not installed.`);
  console.error("Install it without leaving out optional dependencies, or build gitlet from source.");
  process.exit(3);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (err) => {
  console.error(`gitlet: start ${program}: ${err.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exit(code);
});
