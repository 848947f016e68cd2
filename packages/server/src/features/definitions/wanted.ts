import { DEFINITION_KINDS, DEFINITION_SCHEMAS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import {
  Document,
  MAX_DEFINITION_BYTES,
  MAX_DEFINITIONS,
} from '@overworld/contract/definitions/definitions';
import type {
  Definition,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { Validate } from '../../platform/http/validation.ts';
import { MAX_WIDE_NUMBERS, parseExactly } from '../../platform/json/exact-json.ts';
import { findElements } from '../../platform/json/json-elements.ts';
import { readJsonBody, refuseCostly, scanBody } from '../../platform/json/parse-json.ts';
import { createPauses } from '../../platform/pauses.ts';

/** The definitions that a game should have. */
export interface Wanted {
  definitions: ReadonlyMap<DefinitionKindName, DefinitionsByKey>;
  /** True: the game's other definitions are deleted. */
  prune: boolean;
}

interface Given {
  kind: DefinitionKindName;
  key: string;
  definition: Definition;
}

interface Problem {
  index: number;
  kind: string;
  key: string;
  error: string;
}

/** The most problems that an answer lists. */
const MAX_PROBLEMS = 100;
/** The most bytes that a body may have besides its definitions. */
const MAX_REST_BYTES = 64 * 1024;

const checkDocument = compileBody(Document, 'it');
const checks = new Map(
  DEFINITION_KINDS.map((kind): [DefinitionKindName, { key: Validate; definition: Validate }] => [
    kind,
    {
      key: compileBody(DEFINITION_SCHEMAS[kind].key, 'key'),
      definition: compileBody(DEFINITION_SCHEMAS[kind].definition, 'The definition'),
    },
  ]),
);

/**
 * Checks the key and the definition of one document.
 * @throws ApiError 400 that names the member.
 */
export function checkDefinition({ kind, key, definition }: Given): void {
  const check = checks.get(kind)!;
  check.key(key);
  check.definition(definition);
}

/** Checks that a body is JSON, and nothing else of it. @throws ApiError 400 if it is not. */
export function requireJson(bytes: Buffer): Buffer {
  refuseCostly(scanBody(bytes, 'definitions'));
  return bytes;
}

/**
 * Reads the body of a plan or of an apply. Each definition is parsed and checked by itself, with pauses, because
 * a whole body could block the event loop for half a second.
 * @param checkBody Checks the body, but not the definitions in it.
 * @throws ApiError 400 whose `problems` list the mistakes of all definitions.
 */
export async function readWanted<Body extends { prune?: boolean }>(
  kinds: DefinitionKinds,
  bytes: Buffer,
  checkBody: Validate,
): Promise<{ body: Body; wanted: Wanted }> {
  const [start = 0, end = 0] = scanBody(bytes, 'definitions').member_place;
  const body = readRest(bytes, start, end) as Body;
  checkBody(body);
  const elements = findElements(bytes, start, end);
  if (elements === null) throw badRequest('definitions must be a list');
  const pause = createPauses();
  const definitions = new Map<DefinitionKindName, Map<string, Definition>>();
  const problems: Problem[] = [];
  let index = 0;
  for (const [from, to] of elements) {
    if (index >= MAX_DEFINITIONS) {
      throw badRequest(`definitions must have at most ${MAX_DEFINITIONS} entries`);
    }
    const text = bytes.subarray(from, to);
    const document = inPlace(index, () => parseDocument(text));
    await pause();
    inPlace(index, () => checkDocument(document));
    const { kind, key, definition } = document as Given;
    await pause();
    try {
      const byKey = definitions.get(kind) ?? new Map<string, Definition>();
      definitions.set(kind, byKey);
      checkDefinition({ kind, key, definition });
      if (byKey.has(key)) throw badRequest(`The key ${key} is given twice`);
      await pause();
      const exact = parseExactly(text.toString(), MAX_WIDE_NUMBERS) as Given;
      await pause();
      byKey.set(key, kinds.get(kind).complete(definition, exact.definition, key));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({ index, kind, key, error: error.body.error });
      if (problems.length >= MAX_PROBLEMS) break;
    }
    await pause();
    index++;
  }
  const [first] = problems;
  if (first !== undefined) {
    throw badRequest(`${first.kind} "${first.key}": ${first.error}`, { problems });
  }
  return { body, wanted: { definitions, prune: body.prune ?? false } };
}

/** Reads a body as if its list of definitions were empty. */
function readRest(bytes: Buffer, start: number, end: number): unknown {
  if (bytes.length - (end - start) > MAX_REST_BYTES) {
    throw badRequest(
      `The body must have at most ${MAX_REST_BYTES / 1024} KB besides its last definitions`,
    );
  }
  const list = end > 0 ? '[]' : '';
  return readJsonBody(
    Buffer.concat([bytes.subarray(0, start), Buffer.from(list), bytes.subarray(end)]),
  ).value;
}

function parseDocument(text: Buffer): unknown {
  if (text.length > MAX_DEFINITION_BYTES) {
    throw badRequest(`it must have at most ${MAX_DEFINITION_BYTES / 1024} KB`);
  }
  return readJsonBody(text).value;
}

/** Runs a check of a document. If it throws an error 400, puts the place before the message. */
function inPlace<T>(index: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badRequest(`definitions[${index}]: ${error.body.error}`);
  }
}
