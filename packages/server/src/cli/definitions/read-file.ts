import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, ParsedNode } from 'yaml';
import { numberText } from '../../platform/json/number-text.ts';
import type { Problem } from './problems.ts';
import { DOCUMENT_OPTIONS } from './yaml-numbers.ts';

export interface Definition {
  kind: DefinitionKindName;
  key: string;
  definition: Record<string, unknown>;
}

/** A definition with the file that has it. */
export interface FileDefinition extends Definition {
  file: string;
  document: Document;
  /** Returns the line of a member, such as `points`; the first line if the file lacks it. */
  lineOf: (member: string) => number;
}

/** A value that JSON lacks, or that would change on its way. */
class Mistake extends Error {
  readonly offset: number;

  constructor(message: string, node: ParsedNode | null) {
    super(message);
    this.offset = node?.range[0] ?? 0;
  }
}

/**
 * Reads the definition of a file.
 * @returns the definition, with numbers as `parseExactly` reads them, or the first mistake.
 */
export function readDefinition(
  kind: DefinitionKindName,
  file: string,
  text: string,
): FileDefinition | Problem {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const mistake = (line: number, words: string): Problem => ({ file, line, error: words });
  if (file.endsWith('.json') && !isJson(text)) return mistake(1, 'the file is not valid JSON');
  try {
    const document = parseDocument(text, { ...DOCUMENT_OPTIONS, lineCounter: lines });
    const [error] = document.errors;
    if (error !== undefined) {
      return mistake(error.linePos?.[0].line ?? 1, error.message.split('\n', 1)[0]!);
    }
    const { contents } = document;
    if (!isMap(contents)) return mistake(1, 'the file must have members, such as key');
    const lineOf = (member: string) => {
      const pair = contents.items.find(({ key }) => isScalar(key) && String(key.value) === member);
      return pair === undefined ? 1 : lineAt((pair.key as ParsedNode).range[0]);
    };
    const { key, ...definition } = valueOf(contents) as Record<string, unknown>;
    if (typeof key !== 'string' || key.startsWith('\0')) {
      return mistake(lineOf('key'), 'key must be a string');
    }
    return { kind, key, definition, file, document, lineOf };
  } catch (error) {
    if (error instanceof Mistake) return mistake(lineAt(error.offset), error.message);
    if (error instanceof RangeError) return mistake(1, 'the file is nested too deeply');
    throw error;
  }
}

/** Turns a node into a value. `toJS` would change long numbers, and follow aliases. */
function valueOf(node: ParsedNode | null): unknown {
  if (node === null) return null;
  // An alias could make a small file huge.
  if (isAlias(node)) throw new Mistake('aliases are not allowed', node);
  if (isSeq(node)) return node.items.map((item) => valueOf(item as ParsedNode));
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        if (!isScalar(key) || typeof key.value !== 'string') {
          throw new Mistake('names must be texts: put them in quotation marks', key as ParsedNode);
        }
        return [key.value, valueOf(value as ParsedNode | null)];
      }),
    );
  }
  if (!isScalar(node)) throw new Mistake('the value is not one of JSON', node);
  const { value, source = '' } = node;
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw new Mistake('texts must not contain \\0', node);
      return value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : `\0${value}`;
    case 'number': {
      if (!Number.isFinite(value)) throw new Mistake(`${source} is not a number of JSON`, node);
      const digits = JSON_NUMBER.test(source) ? numberText(source) : numberText(String(value));
      return digits === numberText(String(value)) ? value : `\0${digits}`;
    }
    case 'boolean':
      return value;
    default:
      if (value === null) return null;
      throw new Mistake(`${source} is not a value of JSON`, node);
  }
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
