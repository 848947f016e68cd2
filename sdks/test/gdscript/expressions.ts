import type { Names } from './names.ts';
import { flatten, isOperation, OPERATORS, readOperation } from './operations.ts';
import type { Operations } from './operations.ts';
import { named } from './parser.ts';
import type { SyntaxNode } from './parser.ts';

/** Translates the expressions of a GDScript function to JavaScript. */
export class Expressions {
  /** True if the function awaits an expression, which makes it async. */
  hasWaited = false;
  readonly #names: Names;
  readonly #isStatic: boolean;

  constructor(names: Names, isStatic: boolean) {
    this.#names = names;
    this.#isStatic = isStatic;
  }

  write(node: SyntaxNode): string {
    if (isOperation(node)) return readOperation(flatten(node), this.#operations);
    const field = (name: string) => this.write(node.childForFieldName(name)!);
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
        return `(${this.write(named(node)[0]!)})`;
      case 'array':
        return `[${named(node)
          .map((item) => this.write(item))
          .join(', ')}]`;
      case 'dictionary': {
        const pairs = named(node).map((pair) => {
          const [key, value] = named(pair);
          return `[${this.write(key!)}, ${this.write(value!)}]`;
        });
        return `$.dictionary([${pairs.join(', ')}])`;
      }
      case 'call': {
        const [callee, list] = named(node);
        return this.#call(callee!, this.#arguments(list!));
      }
      case 'subscript': {
        const [object, index] = named(node);
        return `$.index(${this.write(object!)}, ${this.#arguments(index!)})`;
      }
      case 'assignment':
        return this.#assign(node.childForFieldName('left')!, field('right'));
      case 'augmented_assignment': {
        const operator = node.children.find(({ isNamed }) => !isNamed)!.text.slice(0, -1);
        const left = node.childForFieldName('left')!;
        return this.#assign(left, `${OPERATORS[operator]}(${this.write(left)}, ${field('right')})`);
      }
      default:
        throw this.#names.unknown(node);
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
    throw this.#names.unknown(part);
  }

  readonly #operations: Operations = {
    operand: (node) => this.write(node),
    part: (object, part) => this.#part(object, part),
    wait: (value) => {
      this.hasWaited = true;
      return `(await $.wait(${value}))`;
    },
  };

  #assign(left: SyntaxNode, value: string): string {
    if (left.type === 'identifier') {
      const type = this.#names.findLocal(left.text);
      if (type !== undefined) return `${local(left.text)} = ${typed(value, type)}`;
      return `$.set(this, ${quote(left.text)}, ${value})`;
    }
    const parts = named(left);
    const last = parts.at(-1)!;
    if (left.type === 'subscript') {
      return `$.setIndex(${this.write(parts[0]!)}, ${this.#arguments(last)}, ${value})`;
    }
    const object = parts
      .slice(1, -1)
      .reduce((each, part) => this.#part(each, part), this.write(parts[0]!));
    if (last.type === 'identifier') return `$.set(${object}, ${quote(last.text)}, ${value})`;
    const [name, list] = named(last);
    return `$.setIndex($.get(${object}, ${quote(name!.text)}), ${this.#arguments(list!)}, ${value})`;
  }

  #arguments(list: SyntaxNode): string {
    return named(list)
      .filter(({ type }) => type !== 'line_continuation')
      .map((argument) => this.write(argument))
      .join(', ');
  }

  #call(callee: SyntaxNode, given: string): string {
    const name = callee.text;
    const member = this.#names.members.get(name);
    if (member?.kind === 'method') {
      if (!member.isStatic && this.#isStatic) {
        throw this.#names.wrong(callee, `${name} needs an instance`);
      }
      return `${member.isStatic ? 'Script' : 'this'}.${name}(${given})`;
    }
    if (this.#names.isInherited(name)) {
      return `$.call(this, ${quote(name)}, [${given}])`;
    }
    if (this.#names.isGlobal(name)) return `$.global(${quote(name)})(${given})`;
    throw this.#names.wrong(callee, `${name} is not declared`);
  }

  #identifier(node: SyntaxNode): string {
    const name = node.text;
    if (this.#names.findLocal(name) !== undefined) return local(name);
    if (name === 'self') return 'this';
    const member = this.#names.members.get(name);
    if (member?.kind === 'method') return `$.callable(this, ${quote(name)})`;
    if (member?.isStatic) return `Script[${quote(name)}]`;
    if (member && this.#isStatic) throw this.#names.wrong(node, `${name} needs an instance`);
    if (member || this.#names.isInherited(name)) return `$.get(this, ${quote(name)})`;
    if (this.#names.isGlobal(name)) return `$.global(${quote(name)})`;
    throw this.#names.wrong(node, `${name} is not declared`);
  }
}

export const quote = (text: string) => JSON.stringify(text);
/** Adds a prefix to a name, because it may be a keyword of JavaScript, such as `new` or `default`. */
export const local = (name: string) => `v_${name}`;
export const typed = (value: string, type: string | null) =>
  type === null ? value : `$.typed(${value}, ${quote(type)})`;
