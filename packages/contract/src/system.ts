import { answer, errorAnswer, ErrorBody } from './answers.ts';
import { operationsIn } from './operation.ts';
import { t } from './schema.ts';

const operation = operationsIn('Running it');

export const getHealth = operation('GET /healthz', {
  id: 'getHealth',
  access: 'anyone',
  rate_limited: false,
  summary: 'Is the process alive?',
  description: 'Answers as long as the process runs, also while the database is away.',
  answers: {
    200: answer('The process runs.', t.Object({ status: t.Literal('ok') }), { status: 'ok' }),
  },
});

export const getReadiness = operation('GET /readyz', {
  id: 'getReadiness',
  access: 'anyone',
  rate_limited: false,
  summary: 'Can requests be served?',
  description:
    'Asks the database, four times a second at most; for load balancers. At a stop it says no for `DRAIN_SECONDS`, in which all else is still served.',
  answers: {
    200: answer('The database answers.', t.Object({ status: t.Literal('ready') }), {
      status: 'ready',
    }),
    503: answer('The database is away, or the server is shutting down.', ErrorBody, {
      error: 'The database is unavailable, try again in a second',
    }),
  },
});

export const getMetrics = operation('GET /metrics', {
  id: 'getMetrics',
  access: 'anyone',
  summary: 'Metrics for Prometheus',
  description:
    'Requests by operation and status, batches, queues, database connections and the process, in the text format of Prometheus. Answered to `Authorization: Bearer <METRICS_TOKEN>` where the server has that setting. Answered to this machine itself without it, unless `TRUST_PROXY` or a `PUBLIC_URL` with another host says that a proxy is in front: then everybody needs the token. What says that it was forwarded never counts as this machine.',
  answers: {
    200: {
      description: 'The metrics.',
      body: t.String(),
      text_type: 'text/plain; version=0.0.4; charset=utf-8',
      example:
        'overworld_request_duration_seconds_count{operation="submitScore",status="200"} 48250\n',
    },
    401: errorAnswer('Neither this machine itself nor the token.', 'Invalid metrics token'),
  },
});

export const getOpenApi = operation('GET /v1/openapi.json', {
  id: 'getOpenApi',
  access: 'anyone',
  summary: 'This description',
  description: 'The whole API as an OpenAPI 3.1 document. `/docs` shows it as pages.',
  answers: {
    200: answer('The document.', t.JsonObject('An OpenAPI 3.1 document.'), {
      openapi: '3.1.1',
      info: { title: 'Overworld API', version: '0.1.0' },
    }),
  },
});
