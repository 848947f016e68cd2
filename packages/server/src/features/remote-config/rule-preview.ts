import { setImmediate } from 'node:timers/promises';
import type { BodyOf } from '@overworld/contract/operation';
import { MAX_SAMPLED_PLAYERS } from '@overworld/contract/remote-config/rule-preview';
import type { previewConfigRules } from '@overworld/contract/remote-config/rule-preview';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import { createConfig } from './config.ts';
import { chooseVariants, joinNeeds } from './experiments.ts';
import type { PlayerExperiments } from './experiments.ts';
import { findUnmatched, locate } from './rules.ts';
import { getTraits, NO_TRAITS, readTraits, selectTraits } from './store.ts';
import type { StoredTraits } from './store.ts';

type Body = BodyOf<typeof previewConfigRules>;
/** The traits of a named player. */
type PlayerTraits = Traits & { player_id: string };

/**
 * The number of players on whom the rules are tried before other work gets a turn. Trying 50 rules that use
 * every kind of condition on this many players takes 10 ms.
 */
const PART = 100;

/**
 * Tries rules on the players who were seen last, and on one more player if the call names one. A player to
 * whom a running experiment gives the value counts for the experiment.
 * @param body With rules as `parseExactly` reads them.
 */
export async function previewRules(
  database: Database,
  tenant: Tenant,
  { key, rules, player_id }: Body,
  running: PlayerExperiments,
): Promise<JsonText> {
  const config = createConfig(0, writeExactly({ [key]: { value: null, rules } }));
  const experiment = running.findWith(key);
  const needs = experiment === null ? config.needs : joinNeeds(config.needs, running.needs);
  const listVariantNames = async (players: readonly PlayerTraits[]) => {
    if (experiment === null) return players.map(() => null);
    const keys = players.map((each) => ({ ...tenant, player_id: each.player_id }));
    const variants = await running.listVariants(database, keys);
    return players.map((traits, index) =>
      findVariantName(chooseVariants(running, keys[index]!, traits, variants[index]!), key),
    );
  };

  const ids = await listLastSeen(database, tenant);
  const by_rule = rules.map(() => 0);
  let by_default = 0;
  let by_experiment = 0;
  let sample_size = 0;
  for (let from = 0; from < ids.length; from += PART) {
    const part = ids.slice(from, from + PART);
    const players =
      needs === null ? part.map(withoutTraits) : await listTraits(database, tenant, part, needs);
    const variant_names = await listVariantNames(players);
    for (const [index, traits] of players.entries()) {
      const rule = config.decide(traits)[0]?.rule ?? null;
      if (variant_names[index] !== null) by_experiment += 1;
      else if (rule === null) by_default += 1;
      else by_rule[rule]! += 1;
    }
    sample_size += players.length;
    await setImmediate();
  }

  const describePlayer = async (id: string) => {
    const player = { ...tenant, player_id: id };
    const traits = { ...(await getTraits(database, player, needs)), player_id: id };
    const [variant_name = null] = await listVariantNames([traits]);
    const is_known = await isKnown(database, player);
    return { is_known, variant_name, ...explain(key, rules, traits) };
  };
  const preview = {
    sample_size,
    by_rule,
    by_default,
    experiment: experiment && { ...experiment, players: by_experiment },
    player: player_id === undefined ? null : await describePlayer(player_id),
  };
  return new JsonText(writeJson(preview));
}

/** Finds the name of the player's variant that has a value for the parameter; null when there is none. */
const findVariantName = (chosen: ReturnType<typeof chooseVariants>, key: string): string | null =>
  chosen.list().find(({ keys }) => keys.includes(key))?.variant_name ?? null;

function explain(key: string, rules: Body['rules'], traits: PlayerTraits) {
  const tried = rules.map((rule) => ({
    unmatched: findUnmatched(rule, key, traits),
    place: rule.percentage === undefined ? null : locate(rule.salt ?? key, traits.player_id),
  }));
  const rule = tried.findIndex(({ unmatched }) => unmatched === null);
  return {
    rule: rule < 0 ? null : rule,
    rules: tried,
    tags: [...traits.tags],
    properties: new JsonText(writeExactly(traits.properties)),
    stats: new JsonText(writeExactly(traits.stats)),
  };
}

async function listLastSeen(database: Database, tenant: Tenant): Promise<string[]> {
  const rows = await database.query<{ player_id: string }>(sql`
    SELECT player_id FROM players
    WHERE ${isOfTenant(tenant)} AND last_seen_at > '-infinity'
    ORDER BY last_seen_at DESC, player_id DESC
    LIMIT ${MAX_SAMPLED_PLAYERS}`);
  return rows.map(({ player_id }) => player_id);
}

const withoutTraits = (player_id: string): PlayerTraits => ({
  player_id,
  ...NO_TRAITS,
});

async function listTraits(
  database: Database,
  tenant: Tenant,
  player_ids: string[],
  needs: TraitNeeds,
): Promise<PlayerTraits[]> {
  const isSampled = sql`${isOfTenant(tenant)} AND player_id = ANY(${player_ids}::text[])`;
  const rows = await database.query<StoredTraits>(selectTraits(needs, isSampled));
  return rows.map(readTraits);
}

async function isKnown(
  database: Database,
  { player_id, ...tenant }: Tenant & { player_id: string },
): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT 1 AS known FROM players WHERE ${isOfTenant(tenant)} AND player_id = ${player_id}`);
  return row !== null;
}
