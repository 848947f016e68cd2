import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortenCode } from '../shorten-code.ts';

/** Runs code that has the members `shared` and `twice`, and returns its variable `result`. */
async function run(code: string): Promise<{ result: unknown; text: string }> {
  const text = shortenCode(code, /^(shared|twice)$/).toString();
  const load = (each: string) => import(`data:text/javascript,${encodeURIComponent(each)}`);
  const { result } = await load(text);
  assert.deepEqual(result, (await load(code)).result);
  return { result, text };
}

test('code with short names does the same', async () => {
  const { result } = await run(`
    const outer = 1, unused = 2, list = [];
    function sum(first, { shared: second, third = first + outer } = {}, ...others) {
      for (const [index, other] of others.entries()) {
        const outer = index * 10;
        list.push(outer + other);
      }
      for (let index = 0; index < 2; index++) list.push(index);
      try { throw new Error(\`\${first}\${second}\`); } catch ({ message }) { list.push(message); }
      return first + second + third;
    }
    class Counter {
      #count = 0;
      shared = 5;
      get twice() { return this.#count * 2; }
      add(shared = this.shared) { this.#count += shared; return this; }
    }
    const { twice, shared } = new Counter().add().add(2);
    const named = { shared, twice, list, outer, [outer]: 7, add() { return outer; } };
    const inner = () => { const e = 3, t = 4; return [e, t, outer, \`\${e + t} of \${t}, "\${e}"\`]; };
    const result = [sum(1, { shared: 2 }, 3, 4), twice, named.list, named.twice,
      Object.keys(named).length, named.add(), inner(), typeof globalThis.process, unused];
    export { result };`);
  assert.deepEqual((result as unknown[]).slice(0, 2), [5, 14]);
});

test('variables and private members of one name get one short name, other members keep theirs', async () => {
  const { text } = await run(`
    const read = ({ shared, open }) => [shared, open];
    const write = (shared, open) => ({ shared, open });
    const result = read(write(1, 2));
    export { result };`);
  assert.match(text, /\(\{ (\w), open:(\w) \}\) => \[\1, \2\]/);
  assert.match(text, /\((\w), (\w)\) => \(\{ \1, open:\2 \}\)/);
});

test('members that the code names only together with variables keep different names', async () => {
  const { result } = await run(`
    const first = () => { const shared = 1; return { shared }; };
    const second = () => { const twice = 2; return { twice }; };
    const all = { ...first(), ...second() };
    const result = Object.keys(all).length;
    export { result };`);
  assert.equal(result, 2);
});

for (const code of [
  'const a = (text) => text, b = a`text`; export { b };',
  'const a = 1; switch (a) { case 1: { const b = 2; } } export { a };',
  'const a = import.meta.url; export { a };',
  'class A { #b = 1; static has(c) { return #b in c; } } export { A };',
  'export const a = 1;',
  'export default 1;',
  "export * from 'node:fs';",
  "import { a } from 'node:fs'; export { a };",
]) {
  test(`names are not replaced in syntax that is not known: ${code}`, () => {
    assert.throws(() => shortenCode(code, /^(shared|twice)$/), /^Error: Names cannot be replaced/);
  });
}
