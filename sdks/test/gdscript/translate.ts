// GDScript, as far as the Godot addon uses it, as JavaScript: every operation goes through the runtime
// (`$`), which knows the rules of GDScript's values. What is unknown is an error, a name that nothing
// declares too, so that a misspelt one fails a test.
import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';
import { flatten, isOperation, OPERATORS, readOperation } from './operations.ts';
import type { Operations } from './operations.ts';

export type SyntaxNode = Parser.SyntaxNode;

/** The scripts' grammar; null on a machine that its packages have no binary for. */
export function loadParser(): Parser | null {
  const require = createRequire(import.meta.url);
  try {
    const parser: Parser = new (require('tree-sitter') as typeof Parser)();
    parser.setLanguage(require('tree-sitter-gdscript'));
    return parser;
  } catch {
    return null;
  }
}

/** What can be named in a script, beside what it declares itself. */
export interface Surroundings {
  /** Members of the class that it extends, such as `add_child` of Node. */
  isInherited(base: string, name: string): boolean;
  /** Classes, functions and constants of the engine, and `class_name`s of other scripts. */
  isGlobal(name: string): boolean;
}

interface Member {
  kind: 'variable' | 'constant' | 'signal' | 'method';
  isStatic: boolean;
  type: string | null;
}

/** JavaScript that evaluates to the class of the script: the body of `function ($)`. */
export function translate(source: SyntaxNode, path: string, around: Surroundings): string {
  return new Translation(source, path, around).write();
}

const named = (node: SyntaxNode) => node.namedChildren.filter(({ type }) => type !== 'comment');

class Translation {
  readonly #source: SyntaxNode;
  readonly #path: string;
  readonly #around: Surroundings;
  readonly #members = new Map<string, Member>();
  #base = 'RefCounted';
  #className: string | null = null;
  /** Types of the names that are declared in a function, by block. */
  #scopes: Map<string, string | null>[] = [];
  #isAsync = false;
  #isStatic = false;
  #returnType: string | null = null;

  constructor(source: SyntaxNode, path: string, around: Surroundings) {
    this.#source = source;
    this.#path = path;
    this.#around = around;
  }

  write(): string {
    const statements = named(this.#source);
    for (const statement of statements) this.#declare(statement);
    const of = (...types: string[]) => statements.filter(({ type }) => types.includes(type));
    const constants = of('const_statement').map((node) => {
      const name = node.childForFieldName('name')!.text;
      return `Script[${quote(name)}] = ${this.#expression(node.childForFieldName('value')!)};`;
    });
    const variables = of('variable_statement').map((node) => {
      const name = node.childForFieldName('name')!.text;
      const value = node.childForFieldName('value');
      const type = this.#members.get(name)!.type;
      const initial = value ? this.#expression(value) : `$.initial(${quote(type ?? 'Variant')})`;
      return `this[${quote(name)}] = ${typed(initial, type)};`;
    });
    const signals = of('signal_statement').map((node) => {
      const name = node.childForFieldName('name')!.text;
      return `this[${quote(name)}] = $.signal();`;
    });
    const methods = of('function_definition', 'constructor_definition').map((node) =>
      this.#method(node),
    );
    const types = [...this.#members].flatMap(([name, { kind, type }]) =>
      kind === 'variable' && type !== null ? [`${quote(name)}: ${quote(type)}`] : [],
    );
    return [
      `class Script extends $.base(${quote(this.#base)}) {`,
      `static $path = ${quote(this.#path)};`,
      `static $class_name = ${quote(this.#className ?? '')};`,
      `static $types = {${types.join(', ')}};`,
      `$prepare() { ${signals.join(' ')} ${variables.join(' ')} }`,
      ...methods,
      '}',
      '$.classes.set(Script.$class_name || Script.$path, Script);',
      ...constants,
      'return Script;',
    ].join('\n');
  }

  #declare(node: SyntaxNode): void {
    const name = node.childForFieldName('name')?.text ?? '';
    const type = this.#typeOf(node.childForFieldName('type'));
    switch (node.type) {
      case 'extends_statement':
        this.#base = named(node)[0]!.text;
        return;
      case 'class_name_statement':
        this.#className = name;
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
        throw this.#unknown(node);
    }
  }

  #addMember(node: SyntaxNode, name: string, member: Member): void {
    if (this.#members.has(name)) throw this.#wrong(node, `${name} is declared twice`);
    this.#members.set(name, member);
  }

  #method(node: SyntaxNode): string {
    const name = node.childForFieldName('name')?.text ?? '_init';
    this.#isStatic = isStatic(node);
    this.#isAsync = false;
    this.#returnType = this.#typeOf(node.childForFieldName('return_type'));
    this.#scopes = [new Map()];
    const parameters = named(node.childForFieldName('parameters')!).map((parameter) => {
      const parameterName = named(parameter)[0]?.text ?? parameter.text;
      const value = parameter.childForFieldName('value');
      const type = this.#typeOf(parameter.childForFieldName('type'));
      this.#scopes[0]!.set(parameterName, type);
      return { name: parameterName, type, value: value && this.#expression(value) };
    });
    const required = parameters.filter(({ value }) => !value).length;
    const checks = parameters.map(
      ({ name: each, type }) => `${local(each)} = ${typed(local(each), type)};`,
    );
    const body = this.#block(node.childForFieldName('body')!);
    const list = parameters
      .map(({ name: each, value }) => (value ? `${local(each)} = ${value}` : local(each)))
      .join(', ');
    return [
      `${this.#isStatic ? 'static ' : ''}${this.#isAsync ? 'async ' : ''}${name}(${list}) {`,
      `$.checkArguments(arguments.length, ${required}, ${parameters.length}, ${quote(this.#place(node))});`,
      ...checks,
      body,
      'return null; }',
    ].join('\n');
  }

  #block(node: SyntaxNode): string {
    this.#scopes.push(new Map());
    const lines = named(node).map((statement) => this.#statement(statement));
    this.#scopes.pop();
    return `{ ${lines.join('\n')} }`;
  }

  #statement(node: SyntaxNode): string {
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'expression_statement':
        return `${this.#expression(named(node)[0]!)};`;
      case 'variable_statement': {
        const name = field('name')!.text;
        const type = this.#typeOf(field('type'));
        const value = field('value');
        const text = value ? this.#expression(value) : `$.initial(${quote(type ?? 'Variant')})`;
        if (this.#findLocal(name) !== undefined) throw this.#wrong(node, `${name} is hidden`);
        this.#scopes.at(-1)!.set(name, type);
        return `let ${local(name)} = ${typed(text, type)};`;
      }
      case 'return_statement': {
        const [value] = named(node);
        if (!value) return 'return null;';
        return `return ${typed(this.#expression(value), this.#returnType)};`;
      }
      case 'if_statement':
      case 'elif_clause': {
        const others = node.namedChildren.filter(({ type }) => /^(elif|else)_clause$/.test(type));
        const start = `if ($.truth(${this.#expression(field('condition')!)})) ${this.#block(field('body')!)}`;
        return [start, ...others.map((other) => `else ${this.#statement(other)}`)].join(' ');
      }
      case 'else_clause':
        return this.#block(field('body')!);
      case 'while_statement':
        return `while ($.truth(${this.#expression(field('condition')!)})) ${this.#block(field('body')!)}`;
      case 'for_statement': {
        const name = field('left')!.text;
        const items = this.#expression(field('right')!);
        this.#scopes.push(new Map([[name, this.#typeOf(field('type'))]]));
        const body = this.#block(field('body')!);
        this.#scopes.pop();
        return `for (const ${local(name)} of $.iterate(${items})) ${body}`;
      }
      case 'match_statement': {
        const value = this.#expression(field('value')!);
        const sections = named(field('body')!).map((section) => {
          const body = section.childForFieldName('body')!;
          const patterns = named(section).filter(({ id }) => id !== body.id);
          const tests = patterns.map((pattern) =>
            pattern.text === '_' ? 'true' : `$.equals($match, ${this.#expression(pattern)})`,
          );
          return `if (${tests.join(' || ')}) ${this.#block(body)}`;
        });
        return `{ const $match = ${value}; ${sections.join(' else ')} }`;
      }
      case 'break_statement':
        return 'break;';
      case 'continue_statement':
        return 'continue;';
      case 'pass_statement':
        return ';';
      default:
        throw this.#unknown(node);
    }
  }

  #expression(node: SyntaxNode): string {
    if (isOperation(node)) return readOperation(flatten(node), this.#operations);
    const field = (name: string) => this.#expression(node.childForFieldName(name)!);
    switch (node.type) {
      case 'integer':
        return `${node.text.replaceAll('_', '')}n`;
      case 'float':
        return node.text;
      case 'string':
        return quote(JSON.parse(node.text) as string);
      case 'true':
      case 'false':
      case 'null':
        return node.text;
      case 'identifier':
        return this.#identifier(node);
      case 'parenthesized_expression':
        return `(${this.#expression(named(node)[0]!)})`;
      case 'array':
        return `[${named(node)
          .map((item) => this.#expression(item))
          .join(', ')}]`;
      case 'dictionary': {
        const pairs = named(node).map((pair) => {
          const [key, value] = named(pair);
          return `[${this.#expression(key!)}, ${this.#expression(value!)}]`;
        });
        return `$.dictionary([${pairs.join(', ')}])`;
      }
      case 'call': {
        const [callee, list] = named(node);
        return this.#call(callee!, this.#arguments(list!));
      }
      case 'subscript': {
        const [object, index] = named(node);
        return `$.index(${this.#expression(object!)}, ${this.#arguments(index!)})`;
      }
      case 'assignment':
        return this.#assign(node.childForFieldName('left')!, field('right'));
      case 'augmented_assignment': {
        const operator = node.children.find(({ isNamed }) => !isNamed)!.text.slice(0, -1);
        const left = node.childForFieldName('left')!;
        return this.#assign(
          left,
          `${OPERATORS[operator]}(${this.#expression(left)}, ${field('right')})`,
        );
      }
      default:
        throw this.#unknown(node);
    }
  }

  #part(object: string, part: SyntaxNode): string {
    if (part.type === 'identifier') return `$.get(${object}, ${quote(part.text)})`;
    const [name, list] = named(part);
    const given = this.#arguments(list!);
    if (part.type === 'attribute_call') {
      return `$.call(${object}, ${quote(name!.text)}, [${given}])`;
    }
    if (part.type === 'attribute_subscript') {
      return `$.index($.get(${object}, ${quote(name!.text)}), ${given})`;
    }
    throw this.#unknown(part);
  }

  readonly #operations: Operations = {
    operand: (node) => this.#expression(node),
    part: (object, part) => this.#part(object, part),
    wait: (value) => {
      this.#isAsync = true;
      return `(await $.wait(${value}))`;
    },
  };

  #assign(left: SyntaxNode, value: string): string {
    if (left.type === 'identifier') {
      const type = this.#findLocal(left.text);
      if (type !== undefined) return `${local(left.text)} = ${typed(value, type)}`;
      return `$.set(this, ${quote(left.text)}, ${value})`;
    }
    const parts = named(left);
    const last = parts.at(-1)!;
    if (left.type === 'subscript') {
      return `$.setIndex(${this.#expression(parts[0]!)}, ${this.#arguments(last)}, ${value})`;
    }
    const object = parts
      .slice(1, -1)
      .reduce((each, part) => this.#part(each, part), this.#expression(parts[0]!));
    if (last.type === 'identifier') return `$.set(${object}, ${quote(last.text)}, ${value})`;
    const [name, list] = named(last);
    return `$.setIndex($.get(${object}, ${quote(name!.text)}), ${this.#arguments(list!)}, ${value})`;
  }

  #arguments(list: SyntaxNode): string {
    return named(list)
      .filter(({ type }) => type !== 'line_continuation')
      .map((argument) => this.#expression(argument))
      .join(', ');
  }

  #call(callee: SyntaxNode, given: string): string {
    const name = callee.text;
    const member = this.#members.get(name);
    if (member?.kind === 'method') {
      if (!member.isStatic && this.#isStatic) {
        throw this.#wrong(callee, `${name} needs an instance`);
      }
      return `${member.isStatic ? 'Script' : 'this'}.${name}(${given})`;
    }
    if (this.#around.isInherited(this.#base, name)) {
      return `$.call(this, ${quote(name)}, [${given}])`;
    }
    if (this.#around.isGlobal(name)) return `$.global(${quote(name)})(${given})`;
    throw this.#wrong(callee, `${name} is not declared`);
  }

  #identifier(node: SyntaxNode): string {
    const name = node.text;
    if (this.#findLocal(name) !== undefined) return local(name);
    if (name === 'self') return 'this';
    const member = this.#members.get(name);
    if (member?.kind === 'method') return `$.callable(this, ${quote(name)})`;
    if (member?.isStatic) return `Script[${quote(name)}]`;
    if (member && this.#isStatic) throw this.#wrong(node, `${name} needs an instance`);
    if (member || this.#around.isInherited(this.#base, name)) return `$.get(this, ${quote(name)})`;
    if (this.#around.isGlobal(name)) return `$.global(${quote(name)})`;
    throw this.#wrong(node, `${name} is not declared`);
  }

  /** The type of a local name, null where it has none; undefined when there is no such name. */
  #findLocal(name: string): string | null | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  #typeOf(node: SyntaxNode | null): string | null {
    if (!node || node.type === 'inferred_type') return null;
    const base = /^[A-Za-z]\w*/.exec(node.text)![0];
    const isKnown = TYPES.has(base) || this.#members.has(base) || this.#around.isGlobal(base);
    if (!isKnown && base !== this.#className) throw this.#wrong(node, `no such type: ${base}`);
    return TYPES.has(base) ? base : 'Object';
  }

  #place(node: SyntaxNode): string {
    return `${this.#path}:${node.startPosition.row + 1}`;
  }

  #wrong(node: SyntaxNode, what: string): Error {
    return new Error(`${this.#place(node)}: ${what}`);
  }

  #unknown(node: SyntaxNode): Error {
    return this.#wrong(node, `not translated: ${node.type} ${node.text.slice(0, 60)}`);
  }
}

/** Types whose values are held against them, and turned into them, where GDScript does that. */
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
  'void',
]);

const quote = (text: string) => JSON.stringify(text);
/** Names of GDScript may be words of JavaScript, such as `new` or `default`. */
const local = (name: string) => `v_${name}`;
const typed = (value: string, type: string | null) =>
  type === null ? value : `$.typed(${value}, ${quote(type)})`;
const isStatic = (node: SyntaxNode) => node.children.some(({ type }) => type === 'static_keyword');
