import { Type } from 'typebox';
import { ErrorBody, errorAnswer, JsonObject } from './common.ts';
import { defineOperation } from './operation.ts';

const group = 'Running it';

export const getHealth = defineOperation({
  id: 'getHealth',
  method: 'GET',
  path: '/healthz',
  access: 'anyone',
  rate_limited: false,
  group,
  summary: 'Is the process alive?',
  description: 'Answers as long as the process runs, also while the database is away.',
  answers: {
    200: {
      description: 'The process runs.',
      body: Type.Object({ status: Type.Literal('ok') }),
      example: { status: 'ok' },
    },
  },
});

export const getReadiness = defineOperation({
  id: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  access: 'anyone',
  rate_limited: false,
  group,
  summary: 'Can requests be served?',
  description:
    'Asks the database, four times a second at most; for load balancers. At a stop it says no for `DRAIN_SECONDS`, in which all else is still served.',
  answers: {
    200: {
      description: 'The database answers.',
      body: Type.Object({ status: Type.Literal('ready') }),
      example: { status: 'ready' },
    },
    503: {
      description: 'The database is away, or the server is shutting down.',
      body: ErrorBody,
      example: { error: 'The database is unavailable, try again in a second' },
    },
  },
});

export const getMetrics = defineOperation({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  access: 'anyone',
  group,
  summary: 'Metrics for Prometheus',
  description:
    'Requests by operation and status, batches, queues, database connections and the process, in the text format of Prometheus. Answered to `Authorization: Bearer <METRICS_TOKEN>` where the server has that setting. Answered to this machine itself without it, unless `TRUST_PROXY` or a `PUBLIC_URL` with another host says that a proxy is in front: then everybody needs the token. What says that it was forwarded never counts as this machine.',
  answers: {
    200: {
      description: 'The metrics.',
      body: Type.String(),
      text_type: 'text/plain; version=0.0.4; charset=utf-8',
      example:
        'overworld_request_duration_seconds_count{operation="submitScore",status="200"} 48250\n',
    },
    401: errorAnswer('Neither this machine itself nor the token.', 'Invalid metrics token'),
  },
});

export const getOpenApi = defineOperation({
  id: 'getOpenApi',
  method: 'GET',
  path: '/v1/openapi.json',
  access: 'anyone',
  group,
  summary: 'This description',
  description: 'The whole API as an OpenAPI 3.1 document. `/docs` shows it as pages.',
  answers: {
    200: {
      description: 'The document.',
      body: JsonObject('An OpenAPI 3.1 document.'),
      example: { openapi: '3.1.1', info: { title: 'Overworld API', version: '0.1.0' } },
    },
  },
});
