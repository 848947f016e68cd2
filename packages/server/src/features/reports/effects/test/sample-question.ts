import { once } from 'node:events';
import type { CountEffect } from '../../../../platform/definitions/effects.ts';
import { badRequest } from '../../../../platform/errors.ts';

/** Answers a question in the way that it asks for. */
export const count: CountEffect<{ way: 'count' | 'refuse' | 'stop' | 'stop with a part' }> = async (
  _database,
  { way },
  late,
) => {
  if (way === 'refuse') throw badRequest('there are too many');
  if (way !== 'count') await once(late, 'abort');
  if (way === 'stop') late.throwIfAborted();
  const state = way === 'count' ? 'counted' : 'partial';
  return [{ about: 'events', environment: null, part: null, state, numbers: {}, words: way }];
};
