package main

import _ "embed"

// pythonScript and ecmascriptScript read file names, one JSON string a line, and
// print one reading a line.
var (
	//go:embed python.py
	pythonScript string
	//go:embed ecmascript.js
	ecmascriptScript string
)
