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
  gitlet_node *nodes;
  uint32_t len;
  int status; // 0 ok, 1 deadline, 2 no memory, 3 too many nodes, 4 language refused
} gitlet_tree;

void gitlet_use_libc_malloc(void);
gitlet_tree gitlet_parse(const void *lang, const char *src, uint32_t len,
                         int64_t deadline_ns, uint32_t max_nodes);
int gitlet_parse_only(const void *lang, const char *src, uint32_t len);
uint32_t gitlet_kind_count(const void *lang);
const char *gitlet_kind_name(const void *lang, uint16_t sym);
uint32_t gitlet_field_count(const void *lang);
const char *gitlet_field_name(const void *lang, uint16_t field);
#endif
