import { RolldownMagicString } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

/** A node of the syntax tree, with the members that this file reads. */
interface Node {
  type: string;
  start: number;
  end: number;
  name: string;
  computed: boolean;
  shorthand: boolean;
  id: Node | null;
  key: Node;
  value: Node;
  left: Node;
  right: Node;
  object: Node;
  property: Node;
  param: Node | null;
  params: Node[];
  body: Node;
  init: Node | null;
  local: Node;
  exported: Node;
  declaration: Node | null;
  source: Node | null;
}

/** A block or a function, or all private members. */
interface Scope {
  declared: Set<string>;
  /** The names that the code inside uses, except those that inner scopes declare. */
  used: Set<string>;
  outer: Scope | undefined;
}

/** A place in the code that has a name. */
interface Use {
  node: Node;
  name: string;
  scope: Scope;
  write(short: string): string;
}

const SCOPES = /^(Program|BlockStatement|For\w*Statement|CatchClause|\w*Function\w*)$/;
const UNKNOWN =
  /^(TaggedTemplateExpression|SwitchStatement|MetaProperty|ImportDeclaration|Export(Default|All)Declaration)$/;
// Of many orders, this one makes the smallest client when compressed.
const LETTERS = [...'netaroisdclfgumqhpvybxkzSjTwNRIAOCLUDPFMHGVYBWKXJQZE_$'];
const SHORT_NAMES = [...LETTERS, ...LETTERS.flatMap((letter) => [`${letter}e`, `${letter}t`])];

/**
 * Makes code shorter that is to be compressed. Variables and private members get short names, and all of one
 * name get the same one, so code about the same things has the same text. The names of a minifier, which
 * chooses anew in each function, take 1% more. Templates become sums of texts, which take 0.3% less.
 * @param code A module that exports its names in a list.
 * @param members The names of the private members, besides those that begin with `#`.
 * @throws Error if the code has syntax whose names this function cannot replace.
 */
export function shortenCode(code: string, members: RegExp): RolldownMagicString {
  const { program } = parseSync('bundle.js', code);
  const uses = listUses(program as unknown as Node, members);
  const short_names = chooseNames(uses);
  const written = new RolldownMagicString(code);
  for (const { node, name, write } of uses) {
    const short = short_names.get(name);
    if (short) written.overwrite(node.start, node.end, write(short));
  }
  new Visitor({ TemplateLiteral: (template) => writeSum(template, written) }).visit(program);
  return written;
}

function writeSum(template: ESTree.TemplateLiteral, written: RolldownMagicString): void {
  const { start, end, quasis, expressions } = template;
  if (expressions.length === 0) return;
  const texts = quasis.map(({ value }) => value.cooked!);
  let from = start;
  for (const [index, text] of texts.entries()) {
    const expression = expressions[index];
    // Two numbers at the beginning would be added without a text.
    const isNeeded = text !== '' || (index === 0 && texts[1] === '');
    const parts = [index > 0 && ')', isNeeded && JSON.stringify(text), expression && '('];
    const sum = parts.filter(Boolean).join('+');
    const to = expression?.start ?? end;
    written.overwrite(from, to, `${index === 0 ? '(' : ''}${sum}${expression ? '' : ')'}`);
    from = expression?.end ?? end;
  }
}

/** Tells whether this file handles syntax of this kind. */
const isKnown = ({ type, left, declaration, source }: Node) =>
  !UNKNOWN.test(type) &&
  !(type === 'BinaryExpression' && left.type === 'PrivateIdentifier') &&
  !(type === 'ExportNamedDeclaration' && (declaration || source));

const isNode = (value: unknown): value is Node => value instanceof Object && 'type' in value;

const makeScope = (outer?: Scope): Scope => ({ declared: new Set(), used: new Set(), outer });

function listUses(program: Node, members: RegExp): Use[] {
  const uses: Use[] = [];
  const members_scope = makeScope();
  const addMember = (node: Node) => {
    const { name } = node;
    const isPrivate = node.type === 'PrivateIdentifier';
    if (!isPrivate && !members.test(name)) return;
    members_scope.declared.add(name);
    const write = (short: string) => (isPrivate ? `#${short}` : short);
    uses.push({ node, name, scope: members_scope, write });
  };
  /** @param declares True in a pattern that declares its names. Blocks with `var` are not expected. */
  const walk = (node: Node, outer: Scope | undefined, declares = false): void => {
    if (!isKnown(node)) throw new Error(`Names cannot be replaced in ${node.type}`);
    const scope = SCOPES.test(node.type) ? makeScope(outer) : outer!;
    const addVariable = (variable: Node, write = (short: string) => short) => {
      if (declares) scope.declared.add(variable.name);
      uses.push({ node: variable, name: variable.name, scope, write });
    };
    const walkKey = ({ computed, key }: Node) => (computed ? walk(key, scope) : addMember(key));

    if (node.type === 'Identifier') return addVariable(node);
    if (node.type === 'ExportSpecifier') {
      const { local, exported } = node;
      const write = (short: string) => `${short} as ${exported.name}`;
      return void uses.push({ node, name: local.name, scope, write });
    }
    if (node.type === 'MemberExpression') {
      walk(node.object, scope);
      return node.computed ? walk(node.property, scope) : addMember(node.property);
    }
    if (node.type === 'Property' && node.shorthand) {
      const variable = node.value.left ?? node.value;
      const { name } = node.key;
      addVariable(variable, (short) => (members.test(name) ? short : `${name}:${short}`));
      // The variable writes the name. As a member, the name must differ from those of other members.
      if (members.test(name)) {
        members_scope.declared.add(name);
        uses.push({ node: variable, name, scope: members_scope, write: (short) => short });
      }
      if (node.value.right) walk(node.value.right, scope);
      return;
    }
    if (node.type === 'AssignmentPattern') {
      walk(node.left, scope, declares);
      return walk(node.right, scope);
    }
    for (const [member, value] of Object.entries(node)) {
      const declared = ['id', 'params', 'param'].includes(member);
      for (const child of [value].flat()) {
        if (!isNode(child)) continue;
        if (member === 'key') walkKey(node);
        // The name of a function is declared outside of it, and a declarator's in its block.
        else walk(child, member === 'id' ? outer : scope, declared || declares);
      }
    }
  };
  walk(program, undefined);
  return uses;
}

/** Chooses short names for the names that the code declares. */
function chooseNames(uses: Use[]): Map<string, string> {
  const counts = new Map<string, number>();
  const globals = new Set<string>();
  const scopes = new Map<string, Scope[]>();
  for (const { name, scope } of uses) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    let each: Scope | undefined = scope;
    while (each && !each.used.has(name)) {
      each.used.add(name);
      scopes.set(name, [...(scopes.get(name) ?? []), each]);
      if (each.declared.has(name)) break;
      each = each.outer;
    }
    if (!each) globals.add(name);
  }
  const chosen = new Map<string, string>();
  const totals = new Map(SHORT_NAMES.map((short) => [short, 0]));
  for (const [name, count] of [...counts].toSorted((a, b) => b[1] - a[1])) {
    if (globals.has(name)) continue;
    const taken = new Set<string | undefined>();
    for (const { declared, used } of scopes.get(name) ?? []) {
      for (const other of declared.has(name) ? used : declared) taken.add(chosen.get(other));
    }
    const free = SHORT_NAMES.filter((short) => !taken.has(short));
    // The fewer letters the code has, the smaller it is when compressed.
    const short = free.reduce((best, next) =>
      next.length === best.length && totals.get(next)! > totals.get(best)! ? next : best,
    );
    chosen.set(name, short);
    totals.set(short, totals.get(short)! + count);
  }
  return chosen;
}
