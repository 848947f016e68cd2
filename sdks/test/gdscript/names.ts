import { named } from './parser.ts';
import type { SyntaxNode } from './parser.ts';

/** Names that a script can use besides those that it declares. */
export interface Surroundings {
  /** Tells whether the class that the script extends has this member, such as `add_child` of Node. */
  isInherited(base: string, name: string): boolean;
  /** Tells whether this is a class, function or constant of the engine, or the `class_name` of a script. */
  isGlobal(name: string): boolean;
}

interface Member {
  kind: 'variable' | 'constant' | 'signal' | 'method';
  isStatic: boolean;
  type: string | null;
}

/** The names that a script declares, and the names in scope at the place that is being translated. */
export class Names {
  base = 'RefCounted';
  className: string | null = null;
  readonly members = new Map<string, Member>();
  readonly #path: string;
  readonly #around: Surroundings;
  /**
   * For each block around the current place in a function, the types of the names that the block declares.
   */
  #scopes: Map<string, string | null>[] = [];

  constructor(path: string, around: Surroundings) {
    this.#path = path;
    this.#around = around;
  }

  /** Adds the names that a statement of the script declares. */
  declare(node: SyntaxNode): void {
    const name = node.childForFieldName('name')?.text ?? '';
    const type = this.typeOf(node.childForFieldName('type'));
    switch (node.type) {
      case 'extends_statement':
        this.base = named(node)[0]!.text;
        return;
      case 'class_name_statement':
        this.className = name;
        return;
      case 'annotation':
        return;
      case 'const_statement':
        this.#addMember(node, name, { kind: 'constant', isStatic: true, type });
        return;
      case 'variable_statement':
        this.#addMember(node, name, { kind: 'variable', isStatic: false, type });
        return;
      case 'signal_statement':
        this.#addMember(node, name, { kind: 'signal', isStatic: false, type: null });
        return;
      case 'function_definition':
        this.#addMember(node, name, { kind: 'method', isStatic: isStatic(node), type: null });
        return;
      case 'constructor_definition':
        return;
      default:
        throw this.unknown(node);
    }
  }

  #addMember(node: SyntaxNode, name: string, member: Member): void {
    if (this.members.has(name)) throw this.wrong(node, `${name} is declared twice`);
    this.members.set(name, member);
  }

  /** Runs `make` with these names in scope. */
  within<Made>(names: Iterable<[string, string | null]>, make: () => Made): Made {
    this.#scopes.push(new Map(names));
    const made = make();
    this.#scopes.pop();
    return made;
  }

  addLocal(name: string, type: string | null): void {
    this.#scopes.at(-1)!.set(name, type);
  }

  /** The type of a local name, null if it has none; undefined if there is no such name. */
  findLocal(name: string): string | null | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  isInherited(name: string): boolean {
    return this.#around.isInherited(this.base, name);
  }

  isGlobal(name: string): boolean {
    return this.#around.isGlobal(name);
  }

  typeOf(node: SyntaxNode | null): string | null {
    if (!node || node.type === 'inferred_type') return null;
    const base = /^[A-Za-z]\w*/.exec(node.text)![0];
    const isKnown = TYPES.has(base) || this.members.has(base) || this.#around.isGlobal(base);
    if (!isKnown && base !== this.className) throw this.wrong(node, `no such type: ${base}`);
    return TYPES.has(base) ? base : 'Object';
  }

  place(node: SyntaxNode): string {
    return `${this.#path}:${node.startPosition.row + 1}`;
  }

  wrong(node: SyntaxNode, what: string): Error {
    return new Error(`${this.place(node)}: ${what}`);
  }

  unknown(node: SyntaxNode): Error {
    return this.wrong(node, `not translated: ${node.type} ${node.text.slice(0, 60)}`);
  }
}

/** Types to which GDScript converts values, or against which it checks them. */
const TYPES = new Set([
  'int',
  'float',
  'bool',
  'String',
  'Array',
  'Dictionary',
  'PackedStringArray',
  'PackedByteArray',
  'Variant',
  'Callable',
  'Vector2',
  'Vector2i',
  'Vector3',
  'Vector3i',
  'Color',
  'void',
]);

export const isStatic = (node: SyntaxNode) =>
  node.children.some(({ type }) => type === 'static_keyword');
