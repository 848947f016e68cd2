import type { BodyOf } from '@overworld/contract/operation';
import { changeStats } from '@overworld/contract/stats/stats';
import { STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';
import { badRequest } from '../../../platform/errors.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { readJsonBody } from '../../../platform/json/parse-json.ts';
import { shorten } from '../../../platform/json/json-text.ts';
import type { Catalogue } from '../catalogue.ts';
import { hasFewDecimals, millionthsOf } from './decimals.ts';
import type { StatChange } from './units.ts';
import { movedByEvents, unknownStat } from './units.ts';

const validate = compileBody(changeStats.body);

/** Names a field of a change in the body of a request. */
export const fieldOf = (index: number): string => `changes[${index}].value`;

/** Reads the body of a request that changes statistics. @throws ApiError 400 that names the invalid field. */
export function readStatChanges(bytes: Buffer): BodyOf<typeof changeStats> {
  const { value } = readJsonBody(bytes);
  validate(value);
  const body = value as BodyOf<typeof changeStats>;
  const keys = new Set<string>();
  for (const [index, { key, value: sent }] of body.changes.entries()) {
    if (!hasFewDecimals(sent)) {
      throw badRequest(`${fieldOf(index)} must have at most ${STAT_DECIMALS} decimals`);
    }
    if (keys.size === keys.add(key).size) {
      throw badRequest(`changes[${index}].key names ${shorten(key)} a second time`);
    }
  }
  return body;
}

/**
 * Gives each change the aggregation of its statistic.
 * @throws ApiError 404 for a statistic that the game does not have, 400 for a change that is too large.
 */
export function toChanges(
  changes: readonly { key: string; value: number }[],
  { stats }: Catalogue,
): StatChange[] {
  return changes.map(({ key, value }, index) => {
    const stat = stats.get(key);
    if (stat === undefined) throw unknownStat(`changes[${index}].key`, key);
    const { aggregation, max_change, source } = stat;
    if (source !== null) throw movedByEvents(`changes[${index}].key`, key);
    if (max_change !== null && Math.abs(value) > max_change) {
      throw badRequest(
        `${fieldOf(index)}: one call may change ${shorten(key)} by at most ${max_change}`,
      );
    }
    return { key, aggregation, value: millionthsOf(value) };
  });
}
