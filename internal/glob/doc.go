// Package glob matches paths against the patterns people write in settings.
//
// It owns what "*", "**" and a slash mean there. It promises an answer in time that
// grows with the product of the two lengths, whatever they hold. It never looks at a
// file system.
//
// Group: words.
package glob
