import { randomUUID } from 'node:crypto';
import { makeTypedCode } from '../../packages/server/src/platform/auth/typed-code.ts';
import type { Attack } from './attacker.ts';

/** As many characters as the server's codes have. */
const CODE_LENGTH = 12;

const post = (path: string, body: unknown) => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});
const anyId = () => `invented-${randomUUID()}`;

/**
 * Attacks by strangers who have taken a key out of a copy of the honest game. No honest player sends with
 * this key, because a stranger can use up the requests of a key.
 */
export const ATTACKS_ON_PLAYERS: readonly Attack[] = [
  {
    // The events of a second name as many players as the honest game may have.
    name: 'invented players of the honest game',
    run: (attacker) => {
      const headers = () => ({ 'x-game-api-key': attacker.scene.honest.leaked_key });
      const next = (client: number) => {
        if (client % 2 === 0) {
          return post('/v1/identify', { player_id: anyId(), properties: { gold: 1 } });
        }
        const events = Array.from({ length: 100 }, () => ({
          event_name: 'turn',
          session_id: 's',
          player_id: anyId(),
        }));
        return post('/v1/track', events);
      };
      return attacker.loop({ addresses: 1, clients: 8, headers, next, pause_ms: 100 });
    },
  },
  {
    name: 'guesses of codes that move players to other devices',
    wins_nothing: true,
    run: (attacker) => {
      const headers = () => ({ 'x-game-api-key': attacker.scene.honest.leaked_key });
      const next = () =>
        post('/v1/players/move', {
          provider: 'device',
          code: makeTypedCode(CODE_LENGTH),
          device_id: randomUUID(),
          secret: randomUUID().repeat(2),
        });
      return attacker.loop({ addresses: 200, clients: 200, headers, next, pause_ms: 2_000 });
    },
  },
];
