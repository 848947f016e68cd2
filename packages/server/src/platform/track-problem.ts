import type { Tenant } from './players/player-key.ts';

/** Events of one request with a problem that the stored events do not show. */
export interface TrackProblem extends Tenant {
  key_id: string;
  /** Empty where no schema is broken, so that there are no more names than schemas. */
  event_name: string;
  kind: 'warned' | 'refused' | 'repeated';
  event_count: number;
}

export type OnTrackProblem = (problem: TrackProblem) => void;
