import { systemClock } from '../src/platform/clock.ts';
import type { Clock } from '../src/platform/clock.ts';
import { createJwtSecretKeeper } from '../src/platform/auth/jwt-secrets.ts';
import { createPlayerTokens } from '../src/platform/players/player-tokens.ts';
import type { PlayerKey } from '../src/platform/players/player-key.ts';
import { UNUSED_ID } from './sample-request.ts';
import type { TestServer } from './harness.ts';

/** Makes a player token like the one that a login returns. */
export async function makePlayerToken(
  { database }: TestServer,
  player: PlayerKey,
  clock: Clock = systemClock,
): Promise<string> {
  const configured = { jwt_secret: null, jwt_secret_previous: null };
  const secrets = await createJwtSecretKeeper(database, configured);
  return createPlayerTokens(secrets, clock).sign(player, UNUSED_ID).player_token;
}
