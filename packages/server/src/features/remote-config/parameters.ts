import { findNameProblem } from '@overworld/contract/names';
import { MAX_PARAMETERS } from '@overworld/contract/remote-config/config';
import { putGameConfig, MAX_CONFIG_BYTES } from '@overworld/contract/remote-config/dashboard';
import type { ConfigParameter, ConfigRule } from '@overworld/contract/remote-config/config';
import { normalizeTag } from '@overworld/contract/players/tags';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../platform/errors.ts';
import { MAX_WIDE_NUMBERS, parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';

/** Parameters that can be stored. */
export interface ParametersText {
  /** JSON with every number as it was sent. */
  text: string;
  count: number;
}

const checkBody = compileBody(putGameConfig.body);

/**
 * Reads the body of a PUT of a config.
 * @throws ApiError 400 that names the place of the first mistake.
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
  return {
    expected_version: body.version,
    parameters: readParametersText(bytes, body.parameters),
  };
}

/**
 * Turns the member `parameters` of a body into the text that is stored.
 * @param parameters The same member, parsed and checked by its schema.
 * @throws ApiError 400 that names the place of the first mistake.
 */
export function readParametersText(
  bytes: Buffer,
  parameters: Record<string, ConfigParameter>,
): ParametersText {
  requireSoundParameters(parameters);
  const exact = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as { parameters: object };
  return { text: writeExactly(exact.parameters), count: Object.keys(parameters).length };
}

/** Checks the requirements on parameters that a schema cannot express. @throws as `readParametersText` does. */
export function requireSoundParameters(parameters: Record<string, ConfigParameter>): void {
  for (const [key, parameter] of Object.entries(parameters)) {
    requireKey(key);
    requireSoundRules(parameter.rules ?? [], `parameters.${key}.rules`);
  }
}

function requireKey(key: string): void {
  const problem = findNameProblem(key);
  if (problem !== null) throw badRequest(`A key in parameters ${problem}`);
  // Like all limits of lengths, this one counts characters, not UTF-16 units.
  if ([...key].length > 255) {
    throw badRequest('A key in parameters must have at most 255 characters');
  }
}

/**
 * Checks the requirements on rules that a schema cannot express.
 * @param path The place of the rules in the body.
 * @throws ApiError 400 that names the place of the first mistake.
 */
export function requireSoundRules(rules: readonly ConfigRule[], path: string): void {
  for (const [index, rule] of rules.entries()) requireSoundRule(rule, `${path}[${index}]`);
}

function requireSoundRule(rule: ConfigRule, path: string): void {
  const { has_tags, lacks_tags, properties, percentage } = rule;
  if (!has_tags && !lacks_tags && !properties && percentage === undefined) {
    throw badRequest(`${path} must state has_tags, lacks_tags, properties or percentage`);
  }
  for (const [name, tags] of Object.entries({ has_tags, lacks_tags })) {
    const empty = tags?.findIndex((tag) => normalizeTag(tag) === '') ?? -1;
    if (empty >= 0) throw badRequest(`${path}.${name}[${empty}] must not be empty`);
  }
  requireFittingValues(properties ?? [], `${path}.properties`);
}

/**
 * Parameters by key, with every number as it was sent. Their values can only be compared and written again.
 */
type ExactParameters = Map<string, unknown>;

export const readParameters = (text: string): ExactParameters =>
  new Map(Object.entries(parseExactly(text) as object));

export const writeParameters = (parameters: ExactParameters): ParametersText => ({
  text: writeExactly(Object.fromEntries(parameters)),
  count: parameters.size,
});

/** Finds the reason why a config cannot have these parameters; null when it can. */
export function findSizeProblem({ text, count }: ParametersText): string | null {
  if (count > MAX_PARAMETERS) {
    return `the config would have more than ${MAX_PARAMETERS.toLocaleString('en')} parameters`;
  }
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) {
    return `the config would have more than ${MAX_CONFIG_BYTES / 1024} KB`;
  }
  return null;
}
