import type { Environment } from '@overworld/contract/common';
import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';

/** What was wrong with events of a request, which what is stored does not tell. */
export interface TrackProblem {
  game_id: string;
  environment: Environment;
  key_id: string;
  /** Empty where it is not about a schema, so that there are not more names than schemas. */
  event_name: string;
  kind: 'warned' | 'refused' | 'repeated';
  event_count: number;
}

export type OnTrackProblem = (problem: TrackProblem) => void;

/** Tells of events that break their schemas, each once by its name, however many its faults. */
export function tellOfSchemas(
  tell: OnTrackProblem,
  caller: KeyCaller,
  kind: 'warned' | 'refused',
  violations: readonly EventViolation[],
): void {
  const names = new Map(violations.map(({ index, event_name }) => [index, event_name ?? '']));
  for (const event_name of names.values()) {
    tell({ ...nameKey(caller), event_name, kind, event_count: 1 });
  }
}

/** Tells of events that are malformed, or were stored before. */
export function tellOfEvents(
  tell: OnTrackProblem,
  caller: KeyCaller,
  kind: 'refused' | 'repeated',
  event_count: number,
): void {
  if (event_count > 0) tell({ ...nameKey(caller), event_name: '', kind, event_count });
}

const nameKey = ({ game_id, environment, key_id }: KeyCaller) => ({ game_id, environment, key_id });
