import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '@overworld/contract/games/api-keys';
import { listLoginProviders, putLoginProvider } from '@overworld/contract/players/logins-dashboard';
import { ApiError } from '../errors.ts';
import { compilePlaces } from './member-places.ts';

const errorOf = (check: () => void): string | null => {
  try {
    check();
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 400);
    return error.body.error;
  }
};

test('the error names a query parameter that is in the body, or a body member that is in the query', () => {
  const put = compilePlaces(putLoginProvider)!;
  const environment = 'development';
  const settings = { issuer: 'https://login.example', audiences: ['game'] };
  assert.equal(
    errorOf(() => put({ environment }, settings)),
    null,
  );
  assert.equal(
    errorOf(() => put({}, { ...settings, environment })),
    'environment belongs in the query string, not in the body',
  );
  const create = compilePlaces(createApiKey)!;
  assert.equal(
    errorOf(() => create({}, { name: 'Live build', environment })),
    null,
  );
  assert.equal(
    errorOf(() => create({ environment }, { name: 'Live build' })),
    'environment belongs in the body, not in the query string',
  );
});

test('nothing is refused if the body is not an object, or if the operation has no body', () => {
  const put = compilePlaces(putLoginProvider)!;
  for (const body of [undefined, null, 'environment', Buffer.from('environment')]) {
    assert.equal(
      errorOf(() => put({}, body)),
      null,
    );
  }
  assert.equal(compilePlaces(listLoginProviders), undefined);
});
