import { Type } from 'typebox';
import { ErrorBody } from './common.ts';
import { defineOperation } from './operation.ts';

const group = 'Running it';

export const getHealth = defineOperation({
  id: 'getHealth',
  method: 'GET',
  path: '/healthz',
  access: 'anyone',
  group,
  summary: 'Is the process alive?',
  description: 'Answers as long as the process runs, also while the database is away.',
  answers: {
    200: {
      description: 'The process runs.',
      body: Type.Object({ status: Type.String() }),
      example: { status: 'ok' },
    },
  },
});

export const getReadiness = defineOperation({
  id: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  access: 'anyone',
  group,
  summary: 'Can requests be served?',
  description: 'Asks the database; for load balancers.',
  answers: {
    200: {
      description: 'The database answers.',
      body: Type.Object({ status: Type.String() }),
      example: { status: 'ready' },
    },
    503: {
      description: 'The database is away, or the server is shutting down.',
      body: ErrorBody,
      example: { error: 'The database is unavailable, try again in a second' },
    },
  },
});
