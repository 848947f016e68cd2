import type { Answer } from '../../api/operations.ts';

export type Annotation = Answer<'GET /v1/games/{game_id}/annotations'>['annotations'][number];
