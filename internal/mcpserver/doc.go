// Package mcpserver serves the verbs as MCP tools.
//
// It owns everything about the protocol: the tools and their schemas and hints, the
// reading of calls, the shape of answers, and the resource gitlet://status. It promises that the tools are exactly
// the built verbs of the table, that a bad call or a panic becomes a result an agent
// can act on, and that nothing but the protocol is written to its stream. It never
// decides what a verb does, and validates arguments with verb, not with the SDK.
//
// Group: faces.
package mcpserver
