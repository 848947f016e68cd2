import type { Answer } from '../../../api/operations.ts';

export type Factors = Answer<'GET /v1/auth/second-factors'>;
