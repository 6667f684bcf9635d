# Reads file names from standard input, one JSON string a line, and prints what
# Python's own parser says each file defines, one JSON object a line.
import ast
import json
import re
import sys

sys.setrecursionlimit(20000)
CONSTANT = re.compile(r"^[A-Z0-9_]*[A-Z][A-Z0-9_]*$", re.ASCII)


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return inner + "." + node.attr if inner else ""
    return ""


def overload_names(tree):
    names = {"overload", "typing.overload", "typing_extensions.overload"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                if a.name in ("typing", "typing_extensions"):
                    names.add((a.asname or a.name) + ".overload")
        elif isinstance(node, ast.ImportFrom) and node.module in ("typing", "typing_extensions"):
            for a in node.names:
                if a.name == "overload":
                    names.add(a.asname or a.name)
    return names


class Reader:
    def __init__(self, tree):
        self.defs = []
        self.overload = overload_names(tree)
        self.scope(tree.body, "", False)

    def add(self, name, kind, line, params=-1):
        self.defs.append({"name": name, "kind": kind, "line": line, "params": params})

    def scope(self, body, container, in_class):
        pending = {}
        self.statements(body, container, in_class, pending)
        for name, kind, line, params in pending.values():
            self.add(name, kind, line, params)

    def statements(self, body, container, in_class, pending):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function(node, container, in_class, pending)
            elif isinstance(node, ast.ClassDef):
                name = container + node.name
                self.add(name, "class", node.lineno)
                self.scope(node.body, name + ".", True)
            elif isinstance(node, ast.Assign) and not in_class:
                for target in node.targets:
                    self.constant(target)
            elif isinstance(node, ast.AnnAssign) and not in_class:
                self.constant(node.target)
            elif type(node).__name__ == "TypeAlias" and not in_class:
                self.add(node.name.id, "type", node.lineno)
            else:
                for field in ("body", "orelse", "finalbody"):
                    part = getattr(node, field, None)
                    if isinstance(part, list):
                        self.statements(part, container, in_class, pending)
                for field in ("handlers", "cases"):
                    for part in getattr(node, field, None) or []:
                        self.statements(part.body, container, in_class, pending)

    def constant(self, target):
        if isinstance(target, ast.Name):
            if CONSTANT.match(target.id):
                self.add(target.id, "const", target.lineno)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for t in target.elts:
                self.constant(t)
        elif isinstance(target, ast.Starred):
            self.constant(target.value)

    def function(self, node, container, in_class, pending):
        static = overload = False
        suffix = ""
        for d in node.decorator_list:
            name = dotted(d)
            if name in ("staticmethod", "builtins.staticmethod"):
                static = True
            if name in self.overload:
                overload = True
            if isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter"):
                suffix = "@" + d.attr
        a = node.args
        positional = len(a.posonlyargs) + len(a.args)
        count = positional + len(a.kwonlyargs) + bool(a.vararg) + bool(a.kwarg)
        if in_class and not static and positional:
            count -= 1
        if not in_class:
            suffix = ""
        name = container + node.name + suffix
        entry = (name, "method" if in_class else "function", node.lineno, count)
        if overload:
            pending[name] = entry
        else:
            pending.pop(name, None)
            self.add(*entry)


for line in sys.stdin:
    path = json.loads(line)
    reading = {"path": path, "defs": []}
    try:
        with open(path, "rb") as f:
            reading["defs"] = Reader(ast.parse(f.read(), path)).defs
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        reading["error"] = type(e).__name__ + ": " + str(e)
    print(json.dumps(reading))
