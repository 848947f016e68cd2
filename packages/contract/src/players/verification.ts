import { t } from '../schema.ts';

/** Which calls about a player must carry that player's token. */
export const VERIFICATIONS = ['off', 'claimed', 'required'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** Whose calls may write an achievement or a board. */
export const WRITES_FROM = ['anyone', 'verified', 'server'] as const;
export type WritesFrom = (typeof WRITES_FROM)[number];
export const WritesFromName = t.Enum(
  WRITES_FROM,
  'Whose calls may write it: `anyone`; `verified`: calls with `x-player-token`, and calls with a server key; `server`: calls with a server key alone. Others are answered 403.',
);
