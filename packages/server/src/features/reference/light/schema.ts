import { html, NOTHING } from './html.ts';
import type { Html } from './html.ts';
import { toSpans } from './markdown.ts';

/** The part of a JSON schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  const?: unknown;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
}

export type Schemas = Record<string, Schema>;

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

const count = (value: number) => value.toLocaleString('en-US');

/** Says between which bounds a number is, such as `1 to 255 characters`. */
function toBounds(least: number | undefined, most: number | undefined, unit = ''): string[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return least === 0 && unit ? [] : [`at least ${count(least!)}${unit}`];
  if (least === undefined) return [`at most ${count(most)}${unit}`];
  return [`${count(least)} to ${count(most)}${unit}`];
}

/** Says the type of a value in a few words, without the members of an object. */
function toType(schema: Schema, schemas: Schemas): string {
  if (schema.$ref) return toType(schemas[nameOf(schema.$ref)]!, schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((each) => toType(each, schemas)))].join(' or ');
  }
  if (schema.type === 'array') return `list of ${toType(schema.items ?? {}, schemas)}`;
  if (schema.type === undefined) return 'any JSON';
  return schema.format ? `${schema.type} (${schema.format})` : schema.type;
}

/** Says the type, the bounds and the default of a value. */
export function toWords(schema: Schema, schemas: Schemas): string {
  const words = [toType(schema, schemas)];
  words.push(...toBounds(schema.minLength, schema.maxLength, ' characters'));
  words.push(...toBounds(schema.minimum, schema.maximum));
  if (schema.exclusiveMinimum !== undefined) words.push(`above ${count(schema.exclusiveMinimum)}`);
  words.push(...toBounds(schema.minItems, schema.maxItems, ' entries'));
  words.push(...toBounds(schema.minProperties, schema.maxProperties, ' members'));
  if (schema.uniqueItems) words.push('none twice');
  if (schema.default !== undefined) words.push(`${JSON.stringify(schema.default)} by default`);
  return words.join(', ');
}

/** Describes one value by its name. */
export const toField = (
  name: string,
  note: string,
  words: string,
  description = '',
  inside: Html = NOTHING,
): Html =>
  html`<li>
    <code>${name}</code> <span class="type">${note}${words}</span>${
      description ? html`<p>${toSpans(description)}</p>` : NOTHING
    }${inside}
  </li>`;

/**
 * Describes all members of a value, and the members of those. Schemas that contain themselves are described
 * once.
 */
export function toFields(schema: Schema, schemas: Schemas, around: readonly string[] = []): Html {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    if (around.includes(name)) return NOTHING;
    return toFields(schemas[name]!, schemas, [...around, name]);
  }
  if (schema.anyOf) {
    const variants = schema.anyOf
      .map((each) => toFields(each, schemas, around))
      .filter(({ text }) => text !== '');
    if (variants.length < 2) return variants[0] ?? NOTHING;
    return html`${variants.map(
      (each, index) =>
        html`<p>${index === 0 ? 'Either:' : 'Or:'}</p>
          ${each}`,
    )}`;
  }
  if (schema.items) return toFields(schema.items, schemas, around);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    toField(
      name,
      schema.required?.includes(name) ? 'needed, ' : '',
      toWords(member, schemas),
      member.description ?? describeRef(member, schemas),
      toFields(member, schemas, around),
    ),
  );
  const others = schema.additionalProperties;
  if (typeof others === 'object' && Object.keys(others).length > 0) {
    const inside = toFields(others, schemas, around);
    members.push(
      toField('…', 'each further member: ', toWords(others, schemas), others.description, inside),
    );
  }
  return members.length === 0
    ? NOTHING
    : html`<ul class="fields">
        ${members}
      </ul>`;
}

const describeRef = ({ $ref }: Schema, schemas: Schemas) =>
  $ref ? schemas[nameOf($ref)]?.description : undefined;
