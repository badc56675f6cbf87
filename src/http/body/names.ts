import { malformed } from './errors.ts';
import { depthMax } from './text.ts';

/** The values of a form, nested by their names. Trees have no prototype, so `__proto__` is a key like any other. */
export type FormTree = { [key: string]: FormValue };
type FormValue = string | string[] | FormTree;
type Path = { parents: string[]; key: string; isList: boolean };

/** A tree with nothing in it. */
export function emptyTree(): FormTree {
  return Object.create(null);
}

/**
 * Assigns a value to the path in its name: `a`, `a[b]`, `a[b][c]`, and `a[]` for lists. The last of equal names wins. A
 * name of any other form is used as a literal key; a name that is both a value and a parent is malformed.
 */
export function assignValue(tree: FormTree, name: string, value: string): void {
  const { parents, key, isList } = parseName(name);
  const node = parents.reduce(descend, tree);
  const before = node[key];
  if (isList && before === undefined) node[key] = [value];
  else if (isList && Array.isArray(before)) before.push(value);
  else if (!isList && (before === undefined || typeof before === 'string')) node[key] = value;
  else throw conflict();
}

function descend(node: FormTree, key: string): FormTree {
  const child = node[key] ?? emptyTree();
  if (typeof child === 'string' || Array.isArray(child)) throw conflict();
  node[key] = child;
  return child;
}

function conflict(): Error {
  return malformed(
    'The form uses one name both as a value and as a parent of values, or as one value and as a list.',
  );
}

/** Scans the name instead of using a regular expression, which overflows the stack on megabytes of brackets. */
function parseName(name: string): Path {
  const literal = { parents: [], key: name, isList: false };
  let open = name.indexOf('[');
  if (open < 1) return literal;
  const parents: string[] = [];
  let key = name.slice(0, open);
  while (open < name.length) {
    const close = name.indexOf(']', open);
    const next = name.slice(open + 1, close);
    if (name[open] !== '[' || close === -1 || next.includes('[')) return literal;
    open = close + 1;
    if (next === '') return open === name.length ? { parents, key, isList: true } : literal;
    parents.push(key);
    key = next;
    // A list, if one follows, is another level.
    if (parents.length + (name.startsWith('[]', open) ? 2 : 1) > depthMax)
      throw malformed('The form nests too deeply.');
  }
  return { parents, key, isList: false };
}
