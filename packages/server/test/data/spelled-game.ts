import assert from 'node:assert/strict';
import { numberText } from '../../src/platform/json/number-text.ts';
import type { TestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';

/**
 * Makes a game in which players and events have the property `n`. Each spelling of a number belongs to one
 * player, and further players have texts.
 * @param spelled Lists of spellings. Two lists may have the same number.
 * @param texts By default all spellings that are no names of groups.
 */
export async function makeSpelledGame(
  server: TestServer,
  spelled: readonly string[][],
  texts = spelled.flat().filter((spelling) => numberText(spelling) !== spelling),
) {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const spellings = [...new Set(spelled.flat())];
  const numbers = Map.groupBy(spellings, numberText);
  const values = [...spellings, ...new Set(texts.map((text) => `"${text}"`))];
  for (const [index, value] of values.entries()) {
    const body = `{"player_id":"p${index}","properties":{"n":${value}}}`;
    assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
  }
  const events = values.map(
    (value, index) =>
      `{"event_name":"hit","session_id":"s${index}","player_id":"p${index}","properties":{"n":${value},"price":1}}`,
  );
  const tracked = await server.request('POST', '/v1/track', { key, body: `[${events.join(',')}]` });
  assert.equal(tracked.status, 202, tracked.text);
  await waitForIngest(server.database, game_id);

  const ask = async (method: string, path: string, query: object, body?: unknown) => {
    const parameters = new URLSearchParams({ ...query });
    const address = `/v1/games/${game_id}/${path}?${parameters}`;
    const answer = await server.request(method, address, { token, body });
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    return answer;
  };
  const list = async (path: string, query: object) => (await ask('GET', path, query)).body;
  const get = (report: string, query: object) => list(`analytics/${report}`, query);
  await ask(
    'PUT',
    'revenue-settings',
    {},
    {
      event_name: 'hit',
      amount_property: 'price',
      currency: 'EUR',
    },
  );

  /** The ids of the players of each value, as reports name the values. */
  const players = new Map<string, string[]>();
  for (const [index, value] of values.entries()) {
    const label = value.startsWith('"') ? value.slice(1, -1) : numberText(value);
    players.set(label, [...(players.get(label) ?? []), `p${index}`].toSorted());
  }
  const conditionOf = (spelling: string, operator = 'eq') =>
    `{"property":"n","operator":"${operator}","value":${spelling}}`;

  return {
    players,
    /** The numbers of the game, as reports name them, with their spellings. */
    numbers: [...numbers].map(([value, of_value]) => ({ value, spellings: of_value })),
    /** Returns the JSON text of a condition on the property. */
    conditionOf,
    /** Returns the JSON text of an object whose member is a list with this condition. */
    filterOf: (member: string, spelling: string) => `{"${member}":[${conditionOf(spelling)}]}`,
    list,
    get,
    getText: async (report: string, query: object) =>
      (await ask('GET', `analytics/${report}`, query)).text,
    put: (path: string, body: object) => ask('PUT', path, {}, body),
    /** @param body Text is sent as it is. */
    post: async (path: string, query: object, body: object | string) =>
      (await ask('POST', path, query, body)).body,
    /** Stores a parameter for each condition, whose value is 1 for the players that match, and else 0. */
    async putRules(conditions: ReadonlyMap<string, string>) {
      const parameters = [...conditions].map(
        ([name, condition]) =>
          `"${name}":{"value":0,"rules":[{"value":1,"properties":[${condition}]}]}`,
      );
      await ask('PUT', 'config', {}, `{"parameters":{${parameters.join(',')}}}`);
    },
    /** Reads the config of a player as the game does. */
    readConfig: async (player_id: string) =>
      (await server.request('GET', `/v1/config?player_id=${player_id}`, { key })).body.config,
    /** Checks that a report has exactly one group for each value. */
    expectLabels(groups: readonly { value: string }[], report: string) {
      const labels = groups.map(({ value }) => value);
      assert.deepEqual(labels.toSorted(), [...players.keys()].toSorted(), report);
    },
    /** Checks that a segment has exactly the players with this value. */
    async expectSegment(query: object, value: string) {
      const { count, players: found } = await get('segment', { ...query, limit: '100' });
      const ids = found.map(({ player_id }: { player_id: string }) => player_id);
      assert.deepEqual([count, ids.toSorted()], [ids.length, players.get(value)], `${value}`);
    },
  };
}

export type SpelledGame = Awaited<ReturnType<typeof makeSpelledGame>>;
