import type { Answer } from '../../../api/operations.ts';

export type EventSchema = Answer<'GET /v1/games/{game_id}/event-schemas'>['event_schemas'][number];
