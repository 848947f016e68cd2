import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { readConfig } from './config.ts';

const GAME = '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42';
const REQUIRED = {
  OIDC_ISSUER: 'https://id.studio.example/realms/studio',
  OIDC_CLIENT_ID: 'overworld',
  OIDC_DOMAINS: 'Studio.example, games.studio.example',
};

test('staff log in with passwords unless an issuer is set', () => {
  assert.equal(readConfig({}).staff_login, null);
});

test('three settings are enough', () => {
  assert.deepEqual(readConfig(REQUIRED).staff_login, {
    issuer: 'https://id.studio.example/realms/studio',
    client_id: 'overworld',
    client_secret: null,
    name: 'id.studio.example',
    domains: ['studio.example', 'games.studio.example'],
    trusts_emails: false,
    scopes: 'openid email profile',
    groups_claim: 'groups',
    group_roles: [],
    only: false,
  });
  assert.equal(readConfig({ ...REQUIRED, OIDC_DOMAINS: '*' }).staff_login!.domains, null);
});

test('a group may contain the signs that divide the parts of a role', () => {
  const OIDC_ROLES = `cn=artists@studio=Viewer@${GAME.toUpperCase()}; leads=admin@${GAME};`;
  assert.deepEqual(readConfig({ ...REQUIRED, OIDC_ROLES }).staff_login!.group_roles, [
    { group: 'cn=artists@studio', role: 'viewer', game_id: GAME },
    { group: 'leads', role: 'admin', game_id: GAME },
  ]);
});

test('a wrong setting is refused by its name, without the secret in the sentence', () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ OIDC_ISSUER: '' }, /^OIDC_CLIENT_ID is set, and OIDC_ISSUER is not/],
    [{ OIDC_CLIENT_ID: '' }, /^OIDC_ISSUER is set, and OIDC_CLIENT_ID is not/],
    [{ OIDC_DOMAINS: ' ' }, /^OIDC_ISSUER is set, and OIDC_DOMAINS is not/],
    ...[
      'id.studio.example',
      'ftp://id.example',
      'https://me:hunter2@id.example',
      'https://x/?a',
    ].flatMap((OIDC_ISSUER) =>
      ['', 'Studio'].map((OIDC_NAME): [Record<string, string>, RegExp] => [
        { OIDC_ISSUER, OIDC_NAME },
        /^OIDC_ISSUER must be an address that starts with https:/,
      ]),
    ),
    ...['studio', '@studio.example', 'https://studio.example', 'a.example,,', '*.example'].map(
      (OIDC_DOMAINS): [Record<string, string>, RegExp] => [
        { OIDC_DOMAINS },
        /^OIDC_DOMAINS must be \* or domains such as studio\.example/,
      ],
    ),
    ...['artists', 'artists=viewer', `artists=guest@${GAME}`, `=viewer@${GAME}`, 'a=viewer@x'].map(
      (OIDC_ROLES): [Record<string, string>, RegExp] => [
        { OIDC_ROLES },
        /^OIDC_ROLES must be parts such as artists=viewer@/,
      ],
    ),
    [{ OIDC_SCOPES: 'email profile' }, /^OIDC_SCOPES must be scopes/],
    [{ OIDC_TRUST_EMAILS: 'yes' }, /^OIDC_TRUST_EMAILS must be true or false/],
    [{ OIDC_ONLY: '1' }, /^OIDC_ONLY must be true or false/],
  ];
  for (const [change, sentence] of wrong) {
    const env = { ...REQUIRED, OIDC_CLIENT_SECRET: 'hunter2', ...change };
    assert.throws(
      () => readConfig(env),
      (error) => {
        assert.ok(error instanceof ConfigError, JSON.stringify(change));
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  }
});
