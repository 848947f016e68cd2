// Translates GDScript to JavaScript: the part of the language that the Godot addon uses. Every operation goes
// through the runtime (`$`), which implements the rules of GDScript's values. Unknown syntax and undeclared
// names are errors, so a misspelt name fails a test.
import { Expressions, local, quote, typed } from './expressions.ts';
import { isStatic, Names } from './names.ts';
import type { Surroundings } from './names.ts';
import { named } from './parser.ts';
import type { SyntaxNode } from './parser.ts';
import { Statements } from './statements.ts';

/** Writes JavaScript that evaluates to the class of the script, as the body of `function ($)`. */
export function translate(source: SyntaxNode, path: string, around: Surroundings): string {
  const names = new Names(path, around);
  const expressions = new Expressions(names, false);
  const statements = named(source);
  for (const statement of statements) names.declare(statement);
  const of = (...types: string[]) => statements.filter(({ type }) => types.includes(type));
  const constants = of('const_statement').map((node) => {
    const name = node.childForFieldName('name')!.text;
    return `Script[${quote(name)}] = ${expressions.write(node.childForFieldName('value')!)};`;
  });
  const variables = of('variable_statement').map((node) => {
    const name = node.childForFieldName('name')!.text;
    const value = node.childForFieldName('value');
    const type = names.members.get(name)!.type;
    const initial = value ? expressions.write(value) : `$.initial(${quote(type ?? 'Variant')})`;
    return `this[${quote(name)}] = ${typed(initial, type)};`;
  });
  const signals = of('signal_statement').map((node) => {
    const name = node.childForFieldName('name')!.text;
    return `this[${quote(name)}] = $.signal();`;
  });
  const methods = of('function_definition', 'constructor_definition').map((node) =>
    writeMethod(node, names),
  );
  const types = [...names.members].flatMap(([name, { kind, type }]) =>
    kind === 'variable' && type !== null ? [`${quote(name)}: ${quote(type)}`] : [],
  );
  return [
    `class Script extends $.base(${quote(names.base)}) {`,
    `static $path = ${quote(path)};`,
    `static $class_name = ${quote(names.className ?? '')};`,
    `static $types = {${types.join(', ')}};`,
    `$prepare() { ${signals.join(' ')} ${variables.join(' ')} }`,
    ...methods,
    '}',
    '$.classes.set(Script.$class_name || Script.$path, Script);',
    ...constants,
    'return Script;',
  ].join('\n');
}

function writeMethod(node: SyntaxNode, names: Names): string {
  const name = node.childForFieldName('name')?.text ?? '_init';
  const expressions = new Expressions(names, isStatic(node));
  const return_type = names.typeOf(node.childForFieldName('return_type'));
  const parameters = named(node.childForFieldName('parameters')!).map((parameter) => {
    const parameterName = named(parameter)[0]?.text ?? parameter.text;
    const value = parameter.childForFieldName('value');
    const type = names.typeOf(parameter.childForFieldName('type'));
    return { name: parameterName, type, value: value && expressions.write(value) };
  });
  const required = parameters.filter(({ value }) => !value).length;
  const checks = parameters.map(
    ({ name: each, type }) => `${local(each)} = ${typed(local(each), type)};`,
  );
  const types = parameters.map(({ name: each, type }): [string, string | null] => [each, type]);
  const statements = new Statements(names, expressions, return_type);
  const body = statements.writeBlock(node.childForFieldName('body')!, types);
  const list = parameters
    .map(({ name: each, value }) => (value ? `${local(each)} = ${value}` : local(each)))
    .join(', ');
  return [
    `${isStatic(node) ? 'static ' : ''}${expressions.hasWaited ? 'async ' : ''}${name}(${list}) {`,
    `$.checkArguments(arguments.length, ${required}, ${parameters.length}, ${quote(names.place(node))});`,
    ...checks,
    body,
    'return null; }',
  ].join('\n');
}
