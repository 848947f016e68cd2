import { DEFINITION_KINDS, DEFINITION_SCHEMAS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { Validate } from '../../platform/http/validation.ts';
import { MAX_WIDE_NUMBERS, parseExactly } from '../../platform/json/exact-json.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import type {
  Definition,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';

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
  path: string | null;
  error: string;
}

/** The most problems that an answer lists. */
const MAX_PROBLEMS = 100;

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
 * Reads the body of a plan or of an apply.
 * @param checkBody Checks the body, but not the definitions in it.
 * @throws ApiError 400 whose `problems` list the mistakes of all definitions.
 */
export function readWanted<Body>(kinds: DefinitionKinds, bytes: Buffer, checkBody: Validate) {
  const body = readJsonBody(bytes).value as Body & { definitions: Given[]; prune?: boolean };
  checkBody(body);
  const exact = (parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as typeof body).definitions;
  const definitions = new Map<DefinitionKindName, Map<string, Definition>>();
  const problems: Problem[] = [];
  for (const [index, { kind, key, definition }] of body.definitions.entries()) {
    try {
      const check = checks.get(kind)!;
      check.key(key);
      check.definition(definition);
      const byKey = definitions.get(kind) ?? new Map<string, Definition>();
      definitions.set(kind, byKey);
      if (byKey.has(key)) throw badRequest(`The key ${key} is given twice`);
      byKey.set(key, kinds.get(kind).complete(definition, exact[index]!.definition));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({ index, kind, key, path: null, error: error.body.error });
      if (problems.length >= MAX_PROBLEMS) break;
    }
  }
  const [first] = problems;
  if (first !== undefined) {
    throw badRequest(`${first.kind} "${first.key}": ${first.error}`, { problems });
  }
  return { body, wanted: { definitions, prune: body.prune ?? false } };
}
