import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as argon2 from '@node-rs/argon2';
import { ApiError } from '../../platform/errors.ts';
import { createPasswords, HASH_COST } from './passwords.ts';

/** The real functions, with what they were asked for. */
function watchEngine() {
  const verified: string[] = [];
  return {
    verified,
    hash: argon2.hash,
    verify: (password_hash: string | Uint8Array, password: string | Uint8Array) => {
      verified.push(String(password_hash));
      return argon2.verify(password_hash, password);
    },
  };
}

test('without a hash a password is verified all the same, against one of the same cost', async () => {
  const engine = watchEngine();
  const passwords = createPasswords({ engine });
  const known = await passwords.use(({ hash }) => hash('the password'));
  assert.equal(await passwords.use(({ verify }) => verify(known, 'the password')), true);
  assert.equal(await passwords.use(({ verify }) => verify(known, 'another')), false);
  assert.equal(await passwords.use(({ verify }) => verify(null, 'the password')), false);
  assert.equal(engine.verified.length, 3);
  const [first, , dummy] = engine.verified.map((hash) => argon2.parseOptions(hash));
  assert.deepEqual(dummy, first);
  assert.equal(dummy?.memoryCost, HASH_COST.memoryCost);
});

test('while some hashes have another cost, every password is verified at each of both', async () => {
  const engine = watchEngine();
  const old = { memoryCost: 64, timeCost: 1, parallelism: 1 };
  const passwords = createPasswords({ engine, listCosts: async () => ['m=64,t=1,p=1'] });
  const outdated = await argon2.hash('the password', old);
  const current = await argon2.hash('the password', HASH_COST);
  const costsOf = async (password_hash: string | null, password: string, expected: boolean) => {
    engine.verified.length = 0;
    const matches = await passwords.use(({ verify }) => verify(password_hash, password));
    assert.equal(matches, expected);
    return engine.verified.map((known) => argon2.parseOptions(known).memoryCost);
  };
  const both = [HASH_COST.memoryCost, 64];
  assert.deepEqual(await costsOf(current, 'the password', true), both);
  assert.deepEqual(await costsOf(current, 'another', false), both);
  assert.deepEqual(await costsOf(outdated, 'the password', true), both);
  assert.deepEqual(await costsOf(outdated, 'another', false), both);
  assert.deepEqual(await costsOf(null, 'the password', false), both);
  const unheard = await argon2.hash('the password', { ...old, timeCost: 2 });
  assert.deepEqual(await costsOf(unheard, 'the password', true), [...both, 64]);
});

test('only so many hash at a time, the rest waits in order, and past the limit is 503', async () => {
  const passwords = createPasswords({ max_concurrent: 2, max_waiting: 3 });
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const runs = Array.from({ length: 6 }, (_, index) =>
    passwords.use(async () => {
      started.push(index);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (index === 1) throw new Error('its own failure');
      return index;
    }),
  );
  const settled = Promise.allSettled(runs);
  await assert.rejects(runs[5]!, (error) => error instanceof ApiError && error.status === 503);
  assert.deepEqual(started, [0, 1]);
  for (let index = 0; index < 5; index++) {
    while (finish.length <= index) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(started.length - index <= 2);
    finish[index]!();
  }
  const results = await settled;
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  );
});
