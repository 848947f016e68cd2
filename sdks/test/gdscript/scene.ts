import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Control } from './engine.ts';
import { GODOT } from './runtime.ts';
import type { createRuntime } from './runtime.ts';

interface Section {
  kind: string;
  attributes: Map<string, string>;
  properties: Map<string, string>;
}

/** Reads the sections of a scene's text, such as `[node name="Top" type="Label" parent="."]`. */
function readSections(text: string): Section[] {
  const sections: Section[] = [];
  for (const line of text.split('\n')) {
    const head = /^\[(\w+)(.*)\]$/.exec(line);
    const pairs = [...(head?.[2] ?? '').matchAll(/ (\w+)="([^"]*)"/g)];
    const attributes = new Map(pairs.map(([, name, value]) => [name!, value!]));
    if (head) sections.push({ kind: head[1]!, attributes, properties: new Map() });
    const [name, value] = line.split(/ = (.*)/s);
    if (!head && value !== undefined) sections.at(-1)!.properties.set(name!, value);
  }
  return sections;
}

/** Makes the nodes of a scene, with its script on the root, and connects their signals. */
export function openScene(path: string, runtime: ReturnType<typeof createRuntime>) {
  const sections = readSections(readFileSync(join(GODOT, path), 'utf8'));
  const of = (kind: string) => sections.filter((section) => section.kind === kind);
  const [script] = of('ext_resource');
  const root = runtime.make(runtime.load(script!.attributes.get('path')!), []);
  const nodes = new Map<string, Control>([['.', root]]);
  for (const { attributes, properties } of of('node').slice(1)) {
    const parent = attributes.get('parent')!;
    if (!nodes.has(parent)) throw new Error(`there is no ${parent}`);
    const name = attributes.get('name')!;
    const node = new Control();
    node.text = JSON.parse(properties.get('text') ?? '""') as string;
    node.value = Number(properties.get('value') ?? 0);
    nodes.set(parent === '.' ? name : `${parent}/${name}`, node);
    if (properties.get('unique_name_in_owner') === 'true') root.$unique.set(name, node);
  }
  for (const { attributes } of of('connection')) {
    const [from, method] = [attributes.get('from')!, attributes.get('method')!];
    if (attributes.get('signal') !== 'pressed') throw new Error('only pressed is modelled');
    nodes.get(from)!.pressed.connect({ call: () => root[method]() });
  }
  root['_ready']();
  return root;
}
