// The part of tree-sitter's C interface that gitlet calls, declared here because a
// Go module's C headers cannot be included from another module. Layouts are those
// of tree-sitter 0.25. Everything is weak so that this package links on its own;
// the definitions come with the go-tree-sitter module.
#ifndef GITLET_FLATTEN_H
#define GITLET_FLATTEN_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct TSLanguage TSLanguage;

typedef struct {
  uint16_t sym, field;
  uint32_t flags, start, end, row, end_row;
  int32_t parent, next;
} gitlet_node;

typedef struct {
  void *tree;
  uint32_t nodes;  // how many gitlet_flatten will write
  int64_t left_ns; // of the budget
  int status;      // 0 ok, 1 deadline, 4 language refused
} gitlet_parsed;

typedef struct {
  uint32_t nodes; // written; 0 if cap was too small or the budget was spent
  uint32_t depth; // of the deepest node, the root's being 0
} gitlet_flat;

void gitlet_use_libc_malloc(void);

// Parses; on status 0 the tree must be given to gitlet_flatten or gitlet_drop.
gitlet_parsed gitlet_parse(const void *lang, const char *src, uint32_t len, int64_t budget_ns);
void gitlet_drop(void *tree);

// Writes all nodes in preorder, with ERROR, whose own number is out of range, as
// error_kind, and frees the tree.
gitlet_flat gitlet_flatten(void *tree, gitlet_node *nodes, uint32_t cap, uint16_t error_kind, int64_t budget_ns);
int gitlet_parse_only(const void *lang, const char *src, uint32_t len);
uint32_t gitlet_kind_count(const void *lang);
const char *gitlet_kind_name(const void *lang, uint16_t sym);
uint32_t gitlet_field_count(const void *lang);
const char *gitlet_field_name(const void *lang, uint16_t field);
#endif
