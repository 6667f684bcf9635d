// Package migration reads what files of database migrations say about their order:
// which number a name claims, and which migration a file builds on.
//
// It owns the layouts it knows: plain numbers (also in pairs of up and down), dates,
// Flyway, Rails, Prisma, Django, Alembic. It promises that a name it does not understand
// claims no number, and that its answers depend on the arguments alone. It never
// decides whether two migrations clash, and reads no file.
//
// Group: words.
package migration
