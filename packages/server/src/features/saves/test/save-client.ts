import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

let players = 0;
export const makePlayer = () => `player-${++players}`;

export const pathOf = (player_id: string) => `/v1/saves?player_id=${encodeURIComponent(player_id)}`;

/** Returns the text of `data` in an answer, exactly as the server sent it. */
export const dataTextOf = (answer: { text: string }) =>
  /^\{"data":(.*),"version":\d+,"updated_at":"[^"]+"\}$/s.exec(answer.text)![1];

/** Requests about saves, sent with the production key of a game. */
export interface SaveClient {
  put(body: unknown): Promise<TestAnswer>;
  /** Stores a save whose `data` has exactly this text. `more` is the JSON text of other body fields. */
  putText(player_id: string, data: string, more?: string): Promise<TestAnswer>;
  get(player_id: string): Promise<TestAnswer>;
  remove(player_id: string): Promise<TestAnswer>;
}

export function makeSaveClient(server: TestServer, { production_key: key }: TestGame): SaveClient {
  const put = (body: unknown) => server.request('PUT', '/v1/saves', { key, body });
  return {
    put,
    putText: (player_id, data, more = '') =>
      put(`{"player_id":${JSON.stringify(player_id)},"data":${data}${more}}`),
    get: (player_id) => server.request('GET', pathOf(player_id), { key }),
    remove: (player_id) => server.request('DELETE', pathOf(player_id), { key }),
  };
}
