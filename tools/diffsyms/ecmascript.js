// Reads file names from standard input, one JSON string a line, and prints what the
// TypeScript compiler's parser says each file defines, one JSON object a line.
const fs = require("fs");
const path = require("path");
const library = process.env.DIFFSYMS_LIBRARY;
const ts = require(library ? path.resolve(library, "node_modules/typescript") : "typescript");
const K = ts.SyntaxKind;

const scriptKinds = { ".ts": ts.ScriptKind.TS, ".mts": ts.ScriptKind.TS, ".cts": ts.ScriptKind.TS, ".tsx": ts.ScriptKind.TSX };

function unwrap(n) {
  while (n && (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) ||
    ts.isNonNullExpression(n) || ts.isTypeAssertionExpression(n))) n = n.expression;
  return n;
}

const isFunction = (n) => n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));

// dotted spells a.b.c, or gives null.
function dotted(n) {
  if (ts.isIdentifier(n)) return [n.text];
  if (n.kind === K.ThisKeyword) return ["this"];
  if (ts.isPropertyAccessExpression(n)) {
    const inner = dotted(n.expression);
    return inner && [...inner, n.name.text];
  }
  return null;
}

class Reader {
  constructor(file) {
    this.file = file;
    this.defs = [];
    this.open = new Map(); // overloads that wait for their implementation
    this.statements(file.statements, { container: "" });
  }

  line(n) {
    return this.file.getLineAndCharacterOfPosition(n.getStart(this.file, false)).line + 1;
  }

  nameText(n) {
    if (ts.isStringLiteralLike(n)) return n.getText(this.file).replace(/^["'`]+|["'`]+$/g, "");
    return n.getText(this.file);
  }

  add(name, kind, at, ctx, more = {}) {
    const d = { name: ctx.container ? ctx.container + "." + name : name, kind, line: this.line(at), params: -1, ...more };
    if (ctx.extra) d.extra = true;
    this.defs.push(d);
    return d;
  }

  // callable adds a function or method. A declaration without a body is an overload:
  // the next one of that name takes its place.
  callable(name, kind, at, fn, ctx, hasBody) {
    const params = fn.parameters.filter((p) => !(ts.isIdentifier(p.name) && p.name.text === "this")).length;
    const isStatic = ts.canHaveModifiers(fn) && (ts.getModifiers(fn) || []).some((m) => m.kind === K.StaticKeyword);
    const key = [ctx.container, name, kind, isStatic].join("\0");
    const earlier = this.open.get(key);
    if (earlier) {
      earlier.params = params;
      earlier.line = this.line(at);
      if (hasBody) this.open.delete(key);
      return;
    }
    const d = this.add(name, kind, at, ctx, { params });
    if (!hasBody) this.open.set(key, d);
  }

  statements(list, ctx) {
    for (const s of list) this.statement(s, ctx);
  }

  statement(s, ctx) {
    const inBlock = ctx.block;
    if (ts.isFunctionDeclaration(s)) {
      this.callable(s.name ? s.name.text : "default", "function", s.name || s, s, ctx, !!s.body);
    } else if (ts.isVariableStatement(s)) {
      const isVar = !(s.declarationList.flags & ts.NodeFlags.BlockScoped);
      for (const d of s.declarationList.declarations) {
        if (ts.isIdentifier(d.name)) this.bind(d.name.text, d.name, d.initializer, inBlock && !isVar ? { ...ctx, extra: true } : ctx);
      }
    } else if (ts.isBlock(s)) {
      this.statements(s.statements, { ...ctx, block: true });
    } else if (ts.isIfStatement(s)) {
      for (const part of [s.thenStatement, s.elseStatement]) if (part) this.statement(part, { ...ctx, block: true });
    } else if (ts.isTryStatement(s)) {
      for (const part of [s.tryBlock, s.catchClause && s.catchClause.block, s.finallyBlock]) {
        if (part) this.statement(part, { ...ctx, block: true });
      }
    } else if (ts.isLabeledStatement(s)) {
      this.statement(s.statement, { ...ctx, block: true });
    } else if (!inBlock) {
      this.moduleStatement(s, ctx);
    }
  }

  moduleStatement(s, ctx) {
    if (ts.isClassDeclaration(s)) {
      this.classLike(s.name ? s.name.text : "default", s.name || s, s, ctx);
    } else if (ts.isInterfaceDeclaration(s)) {
      this.add(s.name.text, "interface", s.name, ctx);
    } else if (ts.isTypeAliasDeclaration(s)) {
      this.add(s.name.text, "type", s.name, ctx);
    } else if (ts.isEnumDeclaration(s)) {
      this.add(s.name.text, "enum", s.name, ctx);
    } else if (ts.isModuleDeclaration(s)) {
      this.namespace(s, ctx);
    } else if (ts.isExportAssignment(s)) {
      this.bind("default", s.expression, s.expression, ctx, true);
    } else if (ts.isExpressionStatement(s)) {
      this.expression(s.expression, ctx);
    }
  }

  namespace(s, ctx) {
    if (s.flags & ts.NodeFlags.GlobalAugmentation) {
      this.statements(s.body.statements, { container: ctx.container ? ctx.container + ".global" : "global" });
      return;
    }
    let name = this.nameText(s.name);
    let inner = s;
    while (inner.body && ts.isModuleDeclaration(inner.body)) {
      inner = inner.body;
      name += "." + this.nameText(inner.name);
    }
    this.add(name, "module", s.name, ctx);
    if (inner.body) this.statements(inner.body.statements, { container: ctx.container ? ctx.container + "." + name : name });
  }

  classLike(name, at, c, ctx) {
    this.add(name, "class", at, ctx);
    const inner = { container: ctx.container ? ctx.container + "." + name : name, extra: ctx.extra };
    for (const m of c.members) {
      if (ts.isConstructorDeclaration(m)) this.callable("constructor", "method", m, m, inner, !!m.body);
      else if (ts.isMethodDeclaration(m)) this.callable(this.nameText(m.name), "method", m.name, m, inner, !!m.body);
      else if (ts.isGetAccessor(m)) this.callable(this.nameText(m.name), "method", m.name, m, inner, true);
      else if (ts.isSetAccessor(m)) this.callable(this.nameText(m.name) + "@set", "method", m.name, m, inner, true);
      else if (ts.isPropertyDeclaration(m) && isFunction(unwrap(m.initializer))) {
        this.callable(this.nameText(m.name), "method", m.name, unwrap(m.initializer), inner, true);
      }
    }
  }

  // bind reads what a value defines under a name. A function or class is one; what
  // stands behind calls or in objects may be one.
  bind(name, at, value, ctx, anonymous, kind = "function") {
    value = unwrap(value);
    if (!value) return;
    const likely = { ...ctx, extra: true };
    if (anonymous && value.name && ts.isIdentifier(value.name)) name = value.name.text;
    if (isFunction(value)) {
      this.callable(name, kind, at, value, ctx, true);
    } else if (ts.isClassExpression(value)) {
      this.classLike(name, at, value, ctx);
    } else if (ts.isObjectLiteralExpression(value)) {
      this.object(value, { ...likely, container: ctx.container ? ctx.container + "." + name : name });
    } else if (ts.isCallExpression(value)) {
      this.wrapped(name, at, value, likely, anonymous, kind);
    } else if (ts.isBinaryExpression(value) && value.operatorToken.kind === K.EqualsToken) {
      this.bind(name, at, value.right, likely, anonymous, kind);
    }
  }

  wrapped(name, at, call, ctx, anonymous, kind) {
    for (let a of call.arguments) {
      a = unwrap(a);
      if (isFunction(a)) {
        this.callable(anonymous && a.name ? a.name.text : name, kind, at, a, ctx, true);
      } else if (ts.isCallExpression(a)) {
        this.wrapped(name, at, a, ctx, anonymous, kind);
      } else if (ts.isObjectLiteralExpression(a)) {
        this.object(a, { ...ctx, container: ctx.container ? ctx.container + "." + name : name });
      }
    }
  }

  object(o, ctx, kind = "function") {
    for (const p of o.properties) {
      if (ts.isMethodDeclaration(p) || ts.isGetAccessor(p)) this.callable(this.nameText(p.name), kind, p.name, p, ctx, true);
      else if (ts.isSetAccessor(p)) this.callable(this.nameText(p.name) + "@set", kind, p.name, p, ctx, true);
      else if (ts.isPropertyAssignment(p)) this.bind(this.nameText(p.name), p.name, p.initializer, ctx, false, kind);
    }
  }

  // expression reads assignments: CommonJS exports are definitions, functions put on
  // prototypes and other objects may be.
  expression(e, ctx) {
    if (!ts.isBinaryExpression(e) || e.operatorToken.kind !== K.EqualsToken) return;
    const right = unwrap(e.right);
    const names = dotted(e.left);
    if (ts.isBinaryExpression(right)) this.expression(right, ctx);
    if (!names) return;
    const likely = { ...ctx, extra: true };
    const exported = names[0] === "module" ? names.slice(1) : names;
    if (exported[0] === "exports" && exported.length <= 2) {
      if (exported.length === 2) {
        this.bind(exported[1], e.left.name, right, ctx);
      } else if (ts.isObjectLiteralExpression(right)) {
        this.object(right, likely);
      } else {
        this.bind("default", right, right, ctx, true);
      }
      return;
    }
    const at = e.left.name || e.left;
    if (names[1] === "prototype" && names.length === 2 && ts.isObjectLiteralExpression(right)) {
      this.object(right, { ...likely, container: names[0] }, "method");
    } else if (names[1] === "prototype" && names.length === 3) {
      this.bind(names[2], at, right, { ...likely, container: names[0] }, false, "method");
    } else if (names.length === 2) {
      this.bind(names[1], at, right, { ...likely, container: names[0] }, false, "method");
    }
  }
}

const out = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const name = JSON.parse(line);
  const kind = scriptKinds[path.extname(name).toLowerCase()] || ts.ScriptKind.JSX;
  const reading = { path: name, defs: [] };
  try {
    const text = fs.readFileSync(name, "utf8");
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
    if (file.parseDiagnostics.length) reading.error = ts.flattenDiagnosticMessageText(file.parseDiagnostics[0].messageText, " ");
    reading.defs = new Reader(file).defs;
  } catch (e) {
    reading.error = String(e);
  }
  out.push(JSON.stringify(reading));
  if (out.length === 200) fs.writeSync(1, out.splice(0).join("\n") + "\n");
}
if (out.length) fs.writeSync(1, out.join("\n") + "\n");
