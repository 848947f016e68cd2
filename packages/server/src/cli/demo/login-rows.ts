import { createHash } from 'node:crypto';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame, PlayerTable } from './demo-game.ts';

/** For each platform, the login provider of the accounts that its players link. */
const PROVIDERS = {
  android: { provider: 'google', issuer: 'https://accounts.google.com' },
  ios: { provider: 'apple', issuer: 'https://appleid.apple.com' },
} as const;
/** The number of the session in which a player links an account, counted from 1. */
const LINKING_SESSION = 5;

export function* loginProviderLines({ game_id, until }: DemoGame): Generator<ArchiveLine> {
  yield table('login_providers', 'game_id, environment, provider, settings, updated_at');
  for (const environment of ENVIRONMENTS) {
    for (const { provider, issuer } of Object.values(PROVIDERS)) {
      const settings = {
        kind: 'oidc',
        public_key: null,
        app_id: null,
        identity: null,
        issuer,
        audiences: [`demo.${provider}`],
        jwks_url: null,
      };
      yield [game_id, environment, provider, JSON.stringify(settings), at(until)];
    }
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The logins of players. Players with at least two sessions have a login with their device. Players
 * with at least `LINKING_SESSION` sessions also have a login with an account of their platform's provider.
 */
export const LOGIN_TABLE: PlayerTable = {
  name: 'player_identities',
  columns: 'provider, subject, secret_hash, created_at',
  *rows({ player_id, properties, sessions }) {
    const [, second] = sessions;
    if (second === undefined) return;
    const digest = hashOf(player_id);
    yield ['device', digest.slice(0, 32), hashOf(digest), at(second.events[0]!.at)];
    const linking = sessions[LINKING_SESSION - 1];
    const known = PROVIDERS[properties.platform as keyof typeof PROVIDERS];
    if (linking === undefined || known === undefined) return;
    yield [known.provider, digest.slice(32, 53), null, at(linking.events[0]!.at)];
  },
};
