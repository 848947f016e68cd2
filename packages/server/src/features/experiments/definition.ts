import type { BodyOf } from '@overworld/contract/operation';
import type {
  ExperimentCondition,
  ExperimentMetric,
  ExperimentVariant,
} from '@overworld/contract/remote-config/experiment-definition';
import { createExperiment, updateExperiment } from '@overworld/contract/remote-config/experiments';
import { normalizeTag } from '@overworld/contract/players/tags';
import { badRequest } from '../../platform/errors.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { Validate } from '../../platform/http/validation.ts';
import { MAX_WIDE_NUMBERS, parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { parseJsonText, readJsonBody } from '../../platform/json/parse-json.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';

/** The parts of an experiment that can no longer change once the experiment has started. */
export interface Definition {
  condition: ExperimentCondition | null;
  variants: ExperimentVariant[];
  metrics: ExperimentMetric[];
}

/**
 * The body of a new experiment. In `exact`, each number is the text that was sent, so callers may pass the
 * numbers on but not calculate with them.
 */
export type SentExperiment = Omit<BodyOf<typeof createExperiment>, keyof Definition> & {
  exact: Omit<Definition, 'condition'> & Partial<Definition>;
};
/** The body of a change. In `exact`, each number is the text that was sent. */
export type SentChange = Omit<BodyOf<typeof updateExperiment>, keyof Definition> & {
  exact: Partial<Definition>;
};

const checkNew = compileBody(createExperiment.body);
const checkChange = compileBody(updateExperiment.body);

/** @throws ApiError 400 that names the place of the first mistake. */
export function readExperiment(bytes: Buffer): SentExperiment {
  return readSound(bytes, checkNew) as SentExperiment;
}

/** @throws ApiError 400 that names the place of the first mistake. */
export function readChange(bytes: Buffer): SentChange {
  return readSound(bytes, checkChange);
}

function readSound(bytes: Buffer, check: Validate): SentChange {
  const body = readJsonBody(bytes).value as BodyOf<typeof updateExperiment>;
  check(body);
  const { condition, variants, metrics, ...rest } = body;
  requireSound(body);
  const all = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as Definition;
  const exact: Partial<Definition> = {};
  if (condition !== undefined) exact.condition = all.condition;
  if (variants !== undefined) exact.variants = all.variants;
  if (metrics !== undefined) exact.metrics = all.metrics;
  return { ...rest, exact };
}

/** Checks what a schema cannot express. @throws ApiError 400 that names the place of the first mistake. */
export function requireSound({
  condition,
  variants,
  metrics,
}: Partial<BodyOf<typeof updateExperiment>>): void {
  if (condition) requireSoundCondition(condition);
  if (variants) requireSoundVariants(variants);
  if (metrics) requireSoundMetrics(metrics);
}

export const readDefinition = (text: string): Definition => parseJsonText(text) as Definition;

/**
 * Reads a definition. Each number in it stays the text that was sent, so callers may pass the numbers on, but
 * not calculate with them.
 */
export const readExactDefinition = (text: string): Definition => parseExactly(text) as Definition;

export const writeDefinition = (definition: Definition): string => writeExactly(definition);

/** Keys of the parameters for which a variant has a value. */
export const parametersOf = ({ variants }: Definition): string[] => [
  ...new Set(variants.flatMap(({ values = {} }) => Object.keys(values))),
];

function requireSoundCondition(condition: ExperimentCondition): void {
  const { has_tags, lacks_tags, properties } = condition;
  if (!has_tags && !lacks_tags && !properties) {
    throw badRequest('condition must state has_tags, lacks_tags or properties');
  }
  for (const [name, tags] of Object.entries({ has_tags, lacks_tags })) {
    const empty = tags?.findIndex((tag) => normalizeTag(tag) === '') ?? -1;
    if (empty >= 0) throw badRequest(`condition.${name}[${empty}] must not be empty`);
  }
  requireFittingValues(properties ?? [], 'condition.properties');
}

function requireSoundVariants(variants: readonly ExperimentVariant[]): void {
  const names = new Set<string>();
  for (const [index, { name, values }] of variants.entries()) {
    const path = `variants[${index}]`;
    if (names.has(name)) throw badRequest(`${path}.name must differ from the names before it`);
    names.add(name);
    const count = Object.keys(values ?? {}).length;
    if (index === 0 && values !== undefined) {
      throw badRequest(`${path} is the control and must not have values`);
    }
    if (index > 0 && count === 0) throw badRequest(`${path}.values must have at least one member`);
  }
}

function requireSoundMetrics(metrics: readonly ExperimentMetric[]): void {
  if (metrics[0]!.guardrail) {
    throw badRequest('metrics[0] decides about the experiment and must not be a guardrail');
  }
  for (const [index, { kind, event_name, property, cap }] of metrics.entries()) {
    const allow = (name: string, value: unknown, is_fit: boolean) => {
      const path = `metrics[${index}].${name}`;
      if (value !== undefined && !is_fit) throw badRequest(`${path} is not allowed for ${kind}`);
    };
    const require = (name: string, value: unknown) => {
      const path = `metrics[${index}].${name}`;
      if (value === undefined) throw badRequest(`${path} is required for ${kind}`);
    };
    const has_event = kind !== 'retention' && kind !== 'revenue';
    allow('event_name', event_name, has_event);
    allow('property', property, kind === 'event_sum');
    allow('cap', cap, kind === 'event_count' || kind === 'event_sum' || kind === 'revenue');
    if (has_event) require('event_name', event_name);
    if (kind === 'event_sum') require('property', property);
  }
}
