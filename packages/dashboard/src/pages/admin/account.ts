import type { Answer } from '../../api/operations.ts';

export type Account = Answer<'GET /v1/admin/users'>['users'][number];
