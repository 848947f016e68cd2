import type { Tenant } from './players/player-key.ts';

/** Events of one request that have the same problem, which the stored events do not show. */
export interface TrackProblem extends Tenant {
  key_id: string;
  /** Empty unless the events break a schema, so there are never more names than schemas. */
  event_name: string;
  kind: 'warned' | 'refused' | 'repeated';
  event_count: number;
}

export type OnTrackProblem = (problem: TrackProblem) => void;
