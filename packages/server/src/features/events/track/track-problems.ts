import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';

/** Reports each event that breaks its schema once, however many problems it has. */
export function reportSchemaProblems(
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

/** Reports events that are malformed or were stored before. */
export function reportEvents(
  tell: OnTrackProblem,
  caller: KeyCaller,
  kind: 'refused' | 'repeated',
  event_count: number,
): void {
  if (event_count > 0) tell({ ...nameKey(caller), event_name: '', kind, event_count });
}

const nameKey = ({ game_id, environment, key_id }: KeyCaller) => ({ game_id, environment, key_id });
