import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { Answer } from './connection.ts';
import { createPlayers } from './workload.ts';
import type { Known, Scene, Step, Workload } from './workload.ts';

/** The properties of a player. The object is empty if the player does not exist. */
type Properties = Record<string, number>;

/** Sends identify calls: each sets one property and keeps the others. */
export function createIdentifyLoad(random: Random): Workload {
  const players = createPlayers('p', 20);
  const known = new Map<string, Known<Properties>>();
  let serial = 0;
  return {
    name: 'identify',
    next(client): Step {
      const player_id = players.choose(client, random.below(20), (name) => !known.get(name)?.maybe);
      const before = known.get(player_id)?.certain ?? {};
      const change = { [`k${random.below(3)}`]: ++serial };
      const after = { ...before, ...change };
      return {
        request: {
          method: 'POST',
          path: '/v1/identify',
          body: JSON.stringify({ player_id, properties: change }),
        },
        onOutcome(answer) {
          if (answer === null) {
            known.set(player_id, { certain: before, maybe: { state: after } });
            return null;
          }
          known.set(player_id, { certain: after });
          const { properties } = JSON.parse(answer.body) as { properties: Properties };
          return compare(properties, after) ? null : `identify of ${player_id}: ${answer.body}`;
        },
      };
    },
    async check({ database, game_id }) {
      const rows = await database.query<{ player_id: string; properties: Properties }>(sql`
        SELECT player_id, properties FROM players WHERE game_id = ${game_id}`);
      const stored = new Map(rows.map(({ player_id, properties }) => [player_id, properties]));
      return compareStates(known, (player_id) => stored.get(player_id) ?? {}, compare);
    },
  };
}

const compare = (one: Properties, other: Properties) =>
  ['k0', 'k1', 'k2'].every((name) => one[name] === other[name]);

/** Adds and removes tags. */
export function createTagLoad(random: Random): Workload {
  const players = createPlayers('t', 5);
  const known = new Map<string, Known<readonly string[]>>();
  return {
    name: 'tags',
    next(client): Step {
      const player_id = players.choose(client, random.below(5), (name) => !known.get(name)?.maybe);
      const before = known.get(player_id)?.certain ?? [];
      const tag = `tag-${random.below(12)}`;
      const had = before.includes(tag);
      const adds = random.below(5) < 3;
      const after = adds ? (had ? before : [...before, tag]) : before.filter((one) => one !== tag);
      const path = `/v1/players/${player_id}/tags`;
      return {
        request: adds
          ? { method: 'POST', path, body: JSON.stringify({ tag }) }
          : { method: 'DELETE', path: `${path}/${tag}` },
        accepts: [404],
        onOutcome(answer) {
          if (answer === null) {
            known.set(player_id, { certain: before, maybe: { state: after } });
            return null;
          }
          known.set(player_id, { certain: after });
          return explainTagAnswer(answer, { player_id, tag, adds, had });
        },
      };
    },
    async check({ database, game_id }: Scene) {
      const rows = await database.query<{ player_id: string; tags: string[] }>(sql`
        SELECT player_id, tags FROM players WHERE game_id = ${game_id} AND tags <> '{}'`);
      const stored = new Map(rows.map(({ player_id, tags }) => [player_id, tags]));
      const sort = (tags: readonly string[]) => tags.toSorted().join();
      return compareStates(
        known,
        (player_id) => stored.get(player_id) ?? [],
        (one, other) => sort(one) === sort(other),
      );
    },
  };
}

function explainTagAnswer(
  { status, body }: Answer,
  asked: { player_id: string; tag: string; adds: boolean; had: boolean },
): string | null {
  const { player_id, tag, adds, had } = asked;
  const expected = adds ? 200 : had ? 204 : 404;
  if (status === expected) return null;
  return `${adds ? 'adding' : 'deleting'} ${tag} of ${player_id}: ${status} ${body}`;
}

/**
 * Checks that each stored state is one of the states that are possible after the requests. Then remembers
 * the stored state as the certain state.
 */
export function compareStates<State>(
  known: Map<string, Known<State>>,
  read: (name: string) => State,
  equal: (one: State, other: State) => boolean,
): string[] {
  const problems: string[] = [];
  for (const [name, { certain, maybe }] of known) {
    const stored = read(name);
    if (!equal(stored, certain) && !(maybe && equal(stored, maybe.state))) {
      const expected = JSON.stringify(maybe ? [certain, maybe.state] : certain);
      problems.push(`${name}: stored is ${JSON.stringify(stored)}, and not ${expected}`);
    }
    known.set(name, { certain: stored });
  }
  return problems;
}
