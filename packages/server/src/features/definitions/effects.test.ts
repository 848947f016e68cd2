import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDefinitionKinds } from '../../platform/definitions/definition-kind.ts';
import { TookTooLong, unavailable } from '../../platform/errors.ts';
import { answerEffects } from './effects.ts';
import type { EffectServices } from './effects.ts';

const known = {
  about: 'uses' as const,
  environment: null,
  part: null,
  state: 'counted' as const,
  numbers: { uses: 1 },
  words: 'One thing uses it.',
};
const question = (words: string) => ({
  module: '',
  input: {},
  uncounted: { about: 'players' as const, environment: null, part: null, words },
});
const changes = [
  { kind: 'segment' as const, key: 'A', asked: [question('these'), known] },
  { kind: 'segment' as const, key: 'B', asked: [question('those')] },
];

/** Answers the questions about both changes, and lists the sentences. */
async function listWords(
  countEffects: EffectServices['countEffects'],
  signal = new AbortController().signal,
) {
  const services = {
    kinds: createDefinitionKinds(),
    listUses: async () => [],
    waitForInbox: async () => undefined,
    countEffects,
  };
  const asker = { owner: ['n', 'a', 'g'], signal };
  const effects = await answerEffects(services, 'game', changes, asker);
  return effects.map(({ key, words }) => `${key}: ${words}`);
}

test('a plan is complete although some of its effects were not counted in time', async () => {
  const counted = { ...known, about: 'players' as const, words: 'Two players.' };
  assert.deepEqual(await listWords(async () => [null, [counted, counted]]), [
    'A: There was no time to count these.',
    'A: One thing uses it.',
    'B: Two players.',
    'B: Two players.',
  ]);
});

test('a plan is complete although the turn of its effects did not come', async () => {
  const late = async () => {
    throw unavailable('The report was not ready', new TookTooLong());
  };
  assert.deepEqual(await listWords(late), [
    'A: The server was too busy to count these.',
    'A: One thing uses it.',
    'B: The server was too busy to count those.',
  ]);
  await assert.rejects(listWords(late, AbortSignal.abort()));
  const fail = async () => {
    throw new Error('a fault');
  };
  await assert.rejects(listWords(fail), /a fault/);
});
