import type {
  AskEffects,
  DefinitionsByKey,
} from '../../../platform/definitions/definition-kind.ts';
import type { FoundEffect } from '../../../platform/definitions/effects.ts';
import { ApiError } from '../../../platform/errors.ts';
import { readDateRange } from '../../../platform/reports/date-range.ts';
import type { SegmentConditions } from '../players/player-choice.ts';
import { readSavedQuery, readSegmentConditions } from '../request/players-request.ts';
import type { ChoiceServices } from '../request/players-request.ts';
import type { SegmentEffectInput } from './segment-effect.ts';

const MODULE = new URL('./segment-effect.ts', import.meta.url).href;

/** Asks how many players join and leave a saved segment, on the days that its page shows at first. */
export function askSegmentEffects(
  findRevenueSettings: ChoiceServices['findRevenueSettings'],
): AskEffects {
  return async ({ database, game_id, before, after }, { key }) => {
    const read = async (segments: DefinitionsByKey): Promise<SegmentConditions | null> => {
      const saved = segments.get(key);
      if (saved === undefined) return null;
      // A segment may use others, which the plan may change too.
      const findSegment = async (_game_id: string, name: string) =>
        (segments.get(name)?.query as string | undefined) ?? null;
      const services = { database, findSegment, findRevenueSettings };
      return readSegmentConditions(game_id, readSavedQuery(saved.query as string), services);
    };
    const { from, to, starts_at, ends_at } = await readDateRange(database, game_id, {});
    try {
      const conditions = { before: await read(before), after: await read(after) };
      const input: SegmentEffectInput = {
        selection: { game_id, starts_at, ends_at },
        days: { from, to },
        ...conditions,
      };
      const words = 'the players who join and leave it';
      const uncounted = { about: 'members' as const, environment: null, part: null, words };
      return [{ module: MODULE, input, uncounted }];
    } catch (error) {
      // Segments are stored unchecked, so an old one or a new one may have mistakes.
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return [unreadable(error.body.error)];
    }
  };
}

const unreadable = (reason: string): FoundEffect => ({
  about: 'members',
  environment: null,
  part: null,
  state: 'uncounted',
  numbers: {},
  words: `Its players cannot be counted: ${reason}.`,
});
