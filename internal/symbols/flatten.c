#include "flatten.h"
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef struct TSTree TSTree;
typedef struct TSParser TSParser;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte_index, TSPoint position, uint32_t *bytes_read);
  int encoding; // 0 is UTF-8
  void *decode;
} TSInput;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *state); } TSParseOptions;

#define WEAK __attribute__((weak))
WEAK void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);
WEAK uint16_t ts_node_symbol(TSNode);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK TSPoint ts_node_start_point(TSNode);
WEAK TSPoint ts_node_end_point(TSNode);
WEAK bool ts_node_is_named(TSNode);
WEAK bool ts_node_is_extra(TSNode);
WEAK bool ts_node_is_missing(TSNode);
WEAK bool ts_node_is_error(TSNode);
WEAK bool ts_node_has_error(TSNode);
WEAK uint32_t ts_node_descendant_count(TSNode);
WEAK uint32_t ts_language_symbol_count(const TSLanguage *);
WEAK const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
WEAK uint32_t ts_language_field_count(const TSLanguage *);
WEAK const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// go-tree-sitter routes every allocation through Go; libc's own is a quarter faster.
void gitlet_use_libc_malloc(void) {
  if (ts_set_allocator) ts_set_allocator(NULL, NULL, NULL, NULL);
}

typedef struct {
  const char *src;
  uint32_t len;
  int64_t budget, wall, cpu; // ns: what the parse may take, and the clocks at its start
  bool late;
} input;

static int64_t now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// The CPU time of this thread counts, so that a busy machine does not make a file
// unreadable. Asking for it is a system call; the wall clock, which runs at least
// as fast, is none.
static bool is_late(input *in) {
  if (!in->late && now_ns(CLOCK_MONOTONIC) - in->wall >= in->budget)
    in->late = now_ns(CLOCK_THREAD_CPUTIME_ID) - in->cpu >= in->budget;
  return in->late;
}

static input started(const char *src, uint32_t len, int64_t budget_ns) {
  return (input){src, len, budget_ns, now_ns(CLOCK_MONOTONIC), now_ns(CLOCK_THREAD_CPUTIME_ID), false};
}

static const char *read_input(void *p, uint32_t at, TSPoint pos, uint32_t *n) {
  input *in = p;
  (void)pos;
  if (at >= in->len) { *n = 0; return ""; }
  *n = in->len - at;
  return in->src + at;
}

static bool past_deadline(TSParseState *s) {
  return is_late(s->payload);
}

static TSTree *parse(const void *lang, input *in, bool (*progress)(TSParseState *), int *status) {
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, lang)) { ts_parser_delete(parser); *status = 4; return NULL; }
  TSInput ti = {in, read_input, 0, NULL};
  TSParseOptions opt = {in, progress};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, ti, opt);
  ts_parser_delete(parser);
  if (!tree) *status = 1;
  return tree;
}

int gitlet_parse_only(const void *lang, const char *src, uint32_t len) {
  input in = {.src = src, .len = len};
  int status = 0;
  TSTree *tree = parse(lang, &in, NULL, &status);
  if (tree) ts_tree_delete(tree);
  return status;
}

// Some small hostile files take a gigabyte to parse, which libc would keep forever.
static void give_back(uint32_t nodes) {
#ifdef __GLIBC__
  if (nodes > 1 << 19) malloc_trim(0);
#else
  (void)nodes;
#endif
}

gitlet_parsed gitlet_parse(const void *lang, const char *src, uint32_t len, int64_t budget_ns) {
  gitlet_parsed out = {0};
  input in = started(src, len, budget_ns);
  out.tree = parse(lang, &in, past_deadline, &out.status);
  if (!out.tree) give_back(UINT32_MAX);
  else out.nodes = ts_node_descendant_count(ts_tree_root_node(out.tree));
  out.left_ns = budget_ns - (now_ns(CLOCK_THREAD_CPUTIME_ID) - in.cpu);
  return out;
}

void gitlet_drop(void *tree) {
  ts_tree_delete(tree);
  give_back(UINT32_MAX);
}

gitlet_flat gitlet_flatten(void *tree, gitlet_node *nodes, uint32_t cap, uint16_t error_kind, int64_t budget_ns) {
  uint32_t len = 0, depth = 0, deepest = 0;
  TSTreeCursor cur = ts_tree_cursor_new(ts_tree_root_node(tree));
  int32_t parent = -1;
  // A node below many hidden ones, as error recovery makes them, costs as many steps.
  input clock = started(NULL, 0, budget_ns);
  while (len < cap && (len % 1024 != 0 || !is_late(&clock))) {
    TSNode n = ts_tree_cursor_current_node(&cur);
    gitlet_node *r = &nodes[len];
    uint16_t sym = ts_node_symbol(n);
    r->sym = sym > error_kind ? error_kind : sym;
    r->field = ts_tree_cursor_current_field_id(&cur);
    r->flags = (ts_node_is_named(n) ? 1 : 0) | (ts_node_is_extra(n) ? 2 : 0) | (ts_node_is_missing(n) ? 4 : 0) |
               (ts_node_is_error(n) ? 8 : 0) | (ts_node_has_error(n) ? 16 : 0);
    r->start = ts_node_start_byte(n);
    r->end = ts_node_end_byte(n);
    r->row = ts_node_start_point(n).row;
    r->end_row = ts_node_end_point(n).row;
    r->parent = parent;
    int32_t self = (int32_t)len++;
    if (ts_tree_cursor_goto_first_child(&cur)) {
      parent = self;
      if (++depth > deepest) deepest = depth;
      continue;
    }
    nodes[self].next = (int32_t)len;
    while (!ts_tree_cursor_goto_next_sibling(&cur)) {
      if (parent < 0) goto done;
      ts_tree_cursor_goto_parent(&cur);
      nodes[parent].next = (int32_t)len;
      parent = nodes[parent].parent;
      depth--;
    }
  }
  len = 0; // late, or more nodes than the tree said it has
done:
  ts_tree_cursor_delete(&cur);
  ts_tree_delete(tree);
  give_back(len ? len : UINT32_MAX);
  return (gitlet_flat){len, deepest};
}

uint32_t gitlet_kind_count(const void *lang) { return ts_language_symbol_count(lang); }
const char *gitlet_kind_name(const void *lang, uint16_t sym) { return ts_language_symbol_name(lang, sym); }
uint32_t gitlet_field_count(const void *lang) { return ts_language_field_count(lang); }
const char *gitlet_field_name(const void *lang, uint16_t f) { return ts_language_field_name_for_id(lang, f); }
