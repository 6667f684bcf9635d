package view

import (
	"time"

	"gitlet/internal/migration"
	"gitlet/internal/model"
)

// Since is what main did since the base of an item.
type Since struct {
	Base, Tip string
	// Footprint is what main changed from Base to Tip; nil when that is not known.
	Footprint *model.Footprint
	// Wide is set when main changed too much to be read: Footprint lists files only.
	Wide bool
}

// Branch is a branch of the remote that belongs to no item.
type Branch struct {
	Name, Commit string
	// Base is where it left main.
	Base string
	// Files are the paths it changes. Footprint is what it changes in them, nil where
	// none of them concerns this agent.
	Files     []string
	Footprint *model.Footprint
}

// Place is a file of an item (by id) or of main ("").
type Place struct{ Item, Path string }

// Mainline is what a View knows of main and of branches without an item.
type Mainline struct {
	// Since is by the base commit of my items.
	Since map[string]Since
	// Outside are branches that are not gitlet items'.
	Outside []Branch
	// Migrations lists the files that main has in the folders in which items of mine
	// add migrations.
	Migrations []string
	// MigrationDirs are globs for further folders of migrations.
	MigrationDirs []string
	// Revisions is what added migrations say about the ones they build on, where their
	// content is here and says it.
	Revisions map[Place]migration.Revision
	// Quiet are the claims whose owners no longer renew them, by key, with the time since
	// when.
	Quiet map[string]time.Time
	// Landed are those of my needs, by id, whose pinned signature main has, among those
	// whose signature nobody publishes any more.
	Landed map[string]bool
}

// SinceBase returns what main did since the item's base; Footprint is nil when that is
// not known.
func (v *View) SinceBase(it model.Item) Since {
	if it.Footprint == nil {
		return Since{}
	}
	return v.Since[it.Footprint.Base]
}
