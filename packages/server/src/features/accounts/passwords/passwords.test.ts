import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as argon2 from '@node-rs/argon2';
import { ApiError } from '../../../platform/errors.ts';
import { createPasswords, HASH_COST } from './passwords.ts';
import type { Passwords } from './passwords.ts';

const OWNER = { ip: '192.0.2.1', email: 'a@studio.example' };

/** Makes an engine that hashes and verifies for real, and records the hashes that it verifies. */
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

test('without a hash a password is verified against a decoy of the same cost', async () => {
  const engine = watchEngine();
  const passwords = createPasswords({ engine });
  const known = await passwords.use(OWNER, ({ hash }) => hash('the password'));
  assert.equal(await passwords.use(OWNER, ({ verify }) => verify(known, 'the password')), true);
  assert.equal(await passwords.use(OWNER, ({ verify }) => verify(known, 'another')), false);
  assert.equal(await passwords.use(OWNER, ({ verify }) => verify(null, 'the password')), false);
  assert.equal(engine.verified.length, 3);
  const [first, , dummy] = engine.verified.map((hash) => argon2.parseOptions(hash));
  assert.deepEqual(dummy, first);
  assert.equal(dummy?.memoryCost, HASH_COST.memoryCost);
});

test('while some hashes have another cost, every password is verified at both costs', async () => {
  const engine = watchEngine();
  const old = { memoryCost: 64, timeCost: 1, parallelism: 1 };
  const passwords = createPasswords({ engine, listCosts: async () => ['m=64,t=1,p=1'] });
  const outdated = await argon2.hash('the password', old);
  const current = await argon2.hash('the password', HASH_COST);
  const costsOf = async (password_hash: string | null, password: string, expected: boolean) => {
    engine.verified.length = 0;
    const matches = await passwords.use(OWNER, ({ verify }) => verify(password_hash, password));
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

/** Makes functions for a test: `begin` starts a use of passwords, and `finishNext` ends the oldest one. */
function holdPlaces(passwords: Passwords) {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const begin = (ip: string, email: string) =>
    passwords.use({ ip, email }, async () => {
      begun.push(`${ip} ${email}`);
      await new Promise<void>((resolve) => finish.push(resolve));
    });
  const finishNext = async () => {
    while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
    finish.shift()!();
  };
  return { begun, begin, finishNext };
}

test('sixty accounts on one address and one account on another address take turns', async () => {
  const { begun, begin, finishNext } = holdPlaces(createPasswords({ queue: { slots: 1 } }));
  const flood = Array.from({ length: 60 }, (_, index) => begin('192.0.2.1', `a${index}@a.example`));
  const others = [1, 2, 3].map(() => begin('192.0.2.2', 'b@b.example'));
  // This is the IP address of the flood in another notation, with another e-mail address.
  const neighbour = begin('::ffff:192.0.2.1', 'c@c.example');
  for (let turn = 0; turn < 64; turn++) await finishNext();
  await Promise.all([...flood, ...others, neighbour]);
  const turns = begun.flatMap((who, turn) => (who === '192.0.2.2 b@b.example' ? [turn] : []));
  assert.deepEqual(turns, [2, 4, 6]);
  assert.equal(begun.length, 64);
});

test('requests of an account past its share are refused, while other accounts on its address wait', async () => {
  const limits = [
    { max_running: 1, max_waiting: 3 },
    { max_running: 1, max_waiting: 2 },
  ];
  const { begun, begin, finishNext } = holdPlaces(createPasswords({ queue: { slots: 1, limits } }));
  const greedy = [1, 2, 3, 4].map(() => begin('192.0.2.1', 'A@a.example'));
  const late = begin('192.0.2.1', 'a@a.example');
  const is503 = (error: unknown) =>
    error instanceof ApiError && error.status === 503 && Number(error.headers['retry-after']) > 0;
  await Promise.all([assert.rejects(greedy[3]!, is503), assert.rejects(late, is503)]);
  const neighbour = begin('192.0.2.1', 'b@b.example');
  for (let turn = 0; turn < 4; turn++) await finishNext();
  await Promise.all([...greedy.slice(0, 3), neighbour]);
  assert.equal(begun.indexOf('192.0.2.1 b@b.example'), 2);
});
