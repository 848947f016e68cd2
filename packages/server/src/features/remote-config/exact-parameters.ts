import { MAX_PARAMETERS } from '@overworld/contract/remote-config/config';
import { MAX_CONFIG_BYTES } from '@overworld/contract/remote-config/dashboard';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import type { ParametersText } from './parameters.ts';

/** Parameters by key, with every number as it was sent; only to be compared and written again. */
type ExactParameters = Map<string, unknown>;

export const readParameters = (text: string): ExactParameters =>
  new Map(Object.entries(parseExactly(text) as object));

export const writeParameters = (parameters: ExactParameters): ParametersText => ({
  text: writeExactly(Object.fromEntries(parameters)),
  count: parameters.size,
});

/** The reason why a config cannot have these parameters, or null. */
export function findSizeProblem({ text, count }: ParametersText): string | null {
  if (count > MAX_PARAMETERS) {
    return `the config would have more than ${MAX_PARAMETERS.toLocaleString('en')} parameters`;
  }
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) {
    return `the config would have more than ${MAX_CONFIG_BYTES / 1024} KB`;
  }
  return null;
}
