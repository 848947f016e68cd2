import type { Config } from '../config.ts';
import { findValueProblem, writeParameter } from '../rules/parameter-draft.ts';
import type { ParameterDraft } from '../rules/parameter-draft.ts';
import { momentOf } from '../../../ui/time/zoned-time.ts';

/** A parameter of a scheduled change that is being edited. */
export interface ScheduledDraft {
  key: string;
  draft: ParameterDraft;
}

/** A scheduled change that is being edited. Its times are local times of the game's zone. */
export interface ScheduleDraft {
  name: string;
  starts_at: string;
  ends_at: string;
  parameters: ScheduledDraft[];
}

/** @throws Error that names the field whose text is no time. */
export function readTimes(
  { starts_at, ends_at }: ScheduleDraft,
  zone: string,
): { starts_at?: string; ends_at: string | null } {
  const read = (name: string, clock: string) => {
    const moment = momentOf(clock, zone);
    if (moment === null) throw new Error(`${name} must be a valid time`);
    return moment;
  };
  return {
    ...(starts_at === '' ? {} : { starts_at: read('starts_at', starts_at) }),
    ends_at: ends_at === '' ? null : read('ends_at', ends_at),
  };
}

/** @throws Error that names the first mistake. */
export function writeParameters(parameters: readonly ScheduledDraft[]): Config['parameters'] {
  if (parameters.length === 0) throw new Error('Choose at least one parameter');
  return Object.fromEntries(
    parameters.map(({ key, draft }) => {
      const problem = findValueProblem(draft.value);
      if (problem !== null) throw new Error(`The value of ${key} is not JSON. Put text in quotes.`);
      return [key, writeParameter(draft)];
    }),
  );
}
