import { MAX_PARAMETERS } from '@overworld/contract/remote-config/config';
import { putGameConfig } from '@overworld/contract/remote-config/dashboard';
import type { ConfigParameter, ConfigRule } from '@overworld/contract/remote-config/config';
import { normalizeTag } from '@overworld/contract/players/tags';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../platform/errors.ts';
import { parseExactly, writeExactly } from '../../platform/http/exact-json.ts';
import { readJsonBody } from '../../platform/http/json-text.ts';
import { compileBody } from '../../platform/http/validation.ts';

/** Parameters that can be stored. */
export interface ParametersText {
  /** JSON with every number as it was sent. */
  text: string;
  count: number;
}

/** Each costs twenty times as much as another number. */
const MAX_WIDE_NUMBERS = 5_000;

const checkBody = compileBody(putGameConfig.body);

/**
 * Reads the body of a PUT of a config.
 * @throws ApiError 400 that names the place of the first thing that is wrong.
 */
export function readConfigBody(bytes: Buffer): {
  expected_version: number | undefined;
  parameters: ParametersText;
} {
  const body = readJsonBody(bytes).value as BodyOf<typeof putGameConfig>;
  checkBody(body);
  const count = Object.keys(body.parameters).length;
  if (count > MAX_PARAMETERS) {
    throw badRequest(`parameters must have at most ${MAX_PARAMETERS} entries`);
  }
  for (const [key, parameter] of Object.entries(body.parameters)) {
    const problem = findKeyProblem(key) ?? findParameterProblem(key, parameter);
    if (problem !== null) throw badRequest(problem);
  }
  const { parameters } = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as { parameters: object };
  return {
    expected_version: body.version,
    parameters: { text: writeExactly(parameters), count },
  };
}

function findKeyProblem(key: string): string | null {
  if (key === '') return 'A key in parameters must not be empty';
  // Characters, not UTF-16 units, as everywhere.
  return [...key].length > 255 ? 'A key in parameters must have at most 255 characters' : null;
}

/** What the schema cannot say. */
function findParameterProblem(key: string, { rules = [] }: ConfigParameter): string | null {
  for (const [index, rule] of rules.entries()) {
    const problem = findRuleProblem(rule, `parameters.${key}.rules[${index}]`);
    if (problem !== null) return problem;
  }
  return null;
}

function findRuleProblem(rule: ConfigRule, path: string): string | null {
  const { has_tags, lacks_tags, properties, percentage } = rule;
  if (!has_tags && !lacks_tags && !properties && percentage === undefined) {
    return `${path} must state has_tags, lacks_tags, properties or percentage`;
  }
  for (const [name, tags] of Object.entries({ has_tags, lacks_tags })) {
    const empty = tags?.findIndex((tag) => normalizeTag(tag) === '') ?? -1;
    if (empty >= 0) return `${path}.${name}[${empty}] must not be empty`;
  }
  for (const [index, { operator, value }] of (properties ?? []).entries()) {
    const problem = findValueProblem(operator, value);
    if (problem !== null) return `${path}.properties[${index}].value ${problem}`;
  }
  return null;
}

/** What is wrong with the value that an operator compares with. */
function findValueProblem(operator: string, value: unknown): string | null {
  if (operator === 'exists' || operator === 'not_exists') {
    return value === undefined ? null : `is not allowed with ${operator}`;
  }
  if (value === undefined) return 'is required';
  const isEquality = operator === 'eq' || operator === 'ne' || operator === 'contains';
  if (isEquality || typeof value === 'number' || typeof value === 'string') return null;
  return `must be a number or a string with ${operator}`;
}
