import assert from 'node:assert/strict';
import type { Effect } from '@overworld/contract/definitions/effects';
import { makeFilesStudio } from '../../src/features/definitions/test/studio.ts';
import type { TestDocument } from '../../src/features/definitions/test/studio.ts';
import type { TestServer } from '../harness.ts';

type CountedEffect = Omit<Effect, 'numbers'> & { numbers: Record<string, number> };

/** Makes a game whose plans say what they do, and what is then counted by other means. */
export async function makeEffectStudio(server: TestServer) {
  const studio = await makeFilesStudio(server);
  return {
    ...studio,
    /** Plans, and returns the effects by their kind, key, environment and part. */
    async planEffects(definitions: readonly TestDocument[], more = {}) {
      const { status, body, text } = await studio.plan(definitions, more);
      assert.equal(status, 200, text);
      return { plan: body.plan as string, effects: body.effects as CountedEffect[] };
    },
    async applyPlan(definitions: readonly TestDocument[], plan: string, more = {}) {
      const { status, text } = await studio.apply(definitions, { plan, ...more });
      assert.equal(status, 200, text);
    },
  };
}

export type EffectStudio = Awaited<ReturnType<typeof makeEffectStudio>>;
