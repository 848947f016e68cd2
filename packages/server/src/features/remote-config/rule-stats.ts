import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { badRequest } from '../../platform/errors.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { createPauses } from '../../platform/pauses.ts';
import { listUnknownStats } from '../../platform/players/stat-conditions.ts';
import { getCurrentVersion } from './store.ts';

/** A condition of a rule on a statistic. */
interface RuleStat {
  stat: string;
  /** The key of the parameter. */
  parameter: string;
  place: string;
}

/** Lists the conditions on statistics in the JSON text of parameters. */
function listRuleStats(text: string): RuleStat[] {
  // Few configs name statistics, and parsing a large one takes milliseconds.
  if (!text.includes('"stat"')) return [];
  // What a scheduled change will bring back has null for a parameter that was not there.
  const parameters = parseJsonText(text) as Record<string, ConfigParameter | null>;
  return Object.entries(parameters).flatMap(([parameter, definition]) =>
    (definition?.rules ?? []).flatMap(({ properties = [] }, rule) =>
      properties.flatMap((condition, index) => {
        if (!('stat' in condition)) return [];
        const place = `parameters.${parameter}.rules[${rule}].properties[${index}].stat`;
        return [{ stat: condition.stat, parameter, place }];
      }),
    ),
  );
}

/**
 * Checks that a game has the statistics of all rules.
 * @param text The JSON text of parameters.
 * @throws ApiError 400 that names the place of one that the game lacks.
 */
export async function requireRuleStats(
  tx: Queryable,
  game_id: string,
  text: string,
): Promise<void> {
  const named = listRuleStats(text);
  const keys = named.map(({ stat }) => stat);
  const [unknown] = await listUnknownStats(tx, game_id, keys);
  if (unknown === undefined) return;
  const { place } = named.find(({ stat }) => stat === unknown)!;
  throw badRequest(`${place}: the game has no statistic ${JSON.stringify(unknown)}`);
}

/** Lists the parameters and the scheduled changes of configs whose rules are about a statistic. */
export async function listRuleUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'stat')) return lists;
  const pause = createPauses();
  const note = (named: readonly RuleStat[], nameUser: (parameter: string) => string) => {
    for (const [index, thing] of things.entries()) {
      if (thing.kind !== 'stat') continue;
      const users = named.filter(({ stat }) => stat === thing.key);
      lists[index]!.push(...new Set(users.map(({ parameter }) => nameUser(parameter))));
    }
  };
  for (const environment of ENVIRONMENTS) {
    await pause();
    const { parameters } = await getCurrentVersion(tx, { game_id, environment });
    note(
      listRuleStats(parameters),
      (parameter) => `the parameter "${parameter}" in ${environment}`,
    );
  }
  const schedules = await tx.query<{ name: string; parameters: string; previous: string | null }>(
    sql`
      SELECT name, parameters, previous FROM config_schedules
      WHERE game_id = ${game_id} AND next_at IS NOT NULL
      ORDER BY starts_at, id`,
  );
  for (const { name, parameters, previous } of schedules) {
    await pause();
    const named = [...listRuleStats(parameters), ...listRuleStats(previous ?? '{}')];
    note(named, () => `the scheduled change "${name}"`);
  }
  return lists;
}
