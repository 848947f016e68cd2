import { local, quote, typed } from './expressions.ts';
import type { Expressions } from './expressions.ts';
import type { Names } from './names.ts';
import { named } from './parser.ts';
import type { SyntaxNode } from './parser.ts';

/** A translator of the statements of one GDScript function into JavaScript. */
export class Statements {
  readonly #names: Names;
  readonly #expressions: Expressions;
  readonly #returnType: string | null;

  constructor(names: Names, expressions: Expressions, return_type: string | null) {
    this.#names = names;
    this.#expressions = expressions;
    this.#returnType = return_type;
  }

  /** @param names The names, with their types, that are in scope only within the block. */
  writeBlock(node: SyntaxNode, names: Iterable<[string, string | null]> = []): string {
    const lines = this.#names.within(names, () =>
      named(node).map((statement) => this.#write(statement)),
    );
    return `{ ${lines.join('\n')} }`;
  }

  #write(node: SyntaxNode): string {
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'expression_statement':
        return `${this.#expressions.write(named(node)[0]!)};`;
      case 'variable_statement': {
        const name = field('name')!.text;
        const type = this.#names.typeOf(field('type'));
        const value = field('value');
        const text = value
          ? this.#expressions.write(value)
          : `$.initial(${quote(type ?? 'Variant')})`;
        const isHidden = this.#names.findLocal(name) !== undefined;
        if (isHidden) throw this.#names.wrong(node, `${name} is hidden`);
        this.#names.addLocal(name, type);
        return `let ${local(name)} = ${typed(text, type)};`;
      }
      case 'return_statement': {
        const [value] = named(node);
        if (!value) return 'return null;';
        return `return ${typed(this.#expressions.write(value), this.#returnType)};`;
      }
      case 'if_statement':
      case 'elif_clause': {
        const others = node.namedChildren.filter(({ type }) => /^(elif|else)_clause$/.test(type));
        const start = `if ($.truth(${this.#expressions.write(field('condition')!)})) ${this.writeBlock(field('body')!)}`;
        return [start, ...others.map((other) => `else ${this.#write(other)}`)].join(' ');
      }
      case 'else_clause':
        return this.writeBlock(field('body')!);
      case 'while_statement':
        return `while ($.truth(${this.#expressions.write(field('condition')!)})) ${this.writeBlock(field('body')!)}`;
      case 'for_statement': {
        const name = field('left')!.text;
        const items = this.#expressions.write(field('right')!);
        const body = this.writeBlock(field('body')!, [[name, this.#names.typeOf(field('type'))]]);
        return `for (const ${local(name)} of $.iterate(${items})) ${body}`;
      }
      case 'match_statement': {
        const value = this.#expressions.write(field('value')!);
        const sections = named(field('body')!).map((section) => {
          const body = section.childForFieldName('body')!;
          const patterns = named(section).filter(({ id }) => id !== body.id);
          const tests = patterns.map((pattern) =>
            pattern.text === '_' ? 'true' : `$.equals($match, ${this.#expressions.write(pattern)})`,
          );
          return `if (${tests.join(' || ')}) ${this.writeBlock(body)}`;
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
        throw this.#names.unknown(node);
    }
  }
}
