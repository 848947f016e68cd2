import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../unity/', import.meta.url));

/** The methods of a MonoBehaviour that Unity calls by their names. */
const MESSAGES = /private void (Awake|Start|Update|On[A-Z]\w+)\(/g;

/** Operators by the names of their pages. */
const OPERATORS: { [sign: string]: string } = { '==': 'operator_eq', '!=': 'operator_ne' };

/**
 * Lists the members of Unity that the package uses, such as `UnityEngine.Application.version`. The package
 * compiles against `Test~/Declarations` alone, so it uses no other members.
 */
export function listUsedMembers(): string[] {
  const members = new Set<string>();
  for (const file of ['UnityEngine.cs', 'UnityEditor.cs']) {
    const text = readFileSync(`${root}Test~/Declarations/${file}`, 'utf8');
    let namespace = '';
    /** The types that enclose a line, with their indentation. */
    let types: { name: string; indent: number }[] = [];
    for (const line of text.split('\n')) {
      if (line.trim() === '{') continue;
      const indent = line.search(/\S/);
      namespace = /^namespace (\S+)/.exec(line)?.[1] ?? namespace;
      const type = /\b(class|struct|enum|interface) (\w+)/.exec(line);
      types = types.filter((outer) => outer.indent < indent || indent === -1);
      const place = [namespace, ...types.map(({ name }) => name)].join('.');
      if (type) {
        const name = `${place}.${type[2]}`;
        members.add(name);
        types.push({ name: type[2]!, indent });
        const listed = /\{ (.*) \}/.exec(line)?.[1] ?? '';
        const values = type[1] === 'enum' ? listed.split(', ') : [];
        for (const value of values) members.add(`${name}.${value}`);
        for (const [, axis] of listed.matchAll(/\b([xyz])\b/g)) members.add(`${name}.${axis}`);
        continue;
      }
      if (types.length === 0 || !/[({;]/.test(line) || line.trim().startsWith('//')) continue;
      const sign = /operator (\S+)\(/.exec(line)?.[1];
      const member = sign
        ? OPERATORS[sign]
        : /(\w+)(<\w+>)?(\(| \{|;)/.exec(line.replace(/\[.*\]/, ''))?.[1];
      if (member) members.add(`${place}.${member}`);
    }
  }
  for (const file of globSync('{Runtime/Unity,Editor}/**/*.cs', { cwd: root })) {
    for (const [, name] of readFileSync(root + file, 'utf8').matchAll(MESSAGES)) {
      members.add(`UnityEngine.MonoBehaviour.${name}`);
    }
  }
  return [...members].sort();
}

/** Reads the table of `Test~/unity-reference.md`. @returns each member with its page and its check. */
export function readReferenceTable(): Map<string, { page: string; check: string }> {
  const text = readFileSync(`${root}Test~/unity-reference.md`, 'utf8');
  return new Map(
    [...text.matchAll(/^\| `([\w.]+)` \| (\S+) \| (.+) \|$/gm)].map(([, member, page, check]) => [
      member!,
      { page: page!, check: check! },
    ]),
  );
}
