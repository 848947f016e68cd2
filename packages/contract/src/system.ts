import { answer, errorAnswer, ErrorBody } from './answers.ts';
import { operationsIn } from './operations-in.ts';
import { t } from './schema.ts';

const operation = operationsIn('Running it');

export const getHealth = operation('GET /healthz', {
  access: 'anyone',
  rate_limited: false,
  summary: 'Check that the process is alive',
  description: 'Answers while the process runs, even when the database is away.',
  answers: {
    200: answer('The process runs.', t.Object({ status: t.Literal('ok') }), { status: 'ok' }),
  },
});

export const getReadiness = operation('GET /readyz', {
  access: 'anyone',
  rate_limited: false,
  summary: 'Check that requests can be served',
  description:
    'For load balancers. Asks the database at most four times a second. When the server is told to stop, this answers 503 for `DRAIN_SECONDS` while all other requests are still served.',
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
  access: 'anyone',
  summary: 'Metrics for Prometheus',
  description:
    'Requests by operation and status, batches, queues, database connections and the process, in the text format of Prometheus. Needs `Authorization: Bearer <METRICS_TOKEN>`. Requests from this machine need no token, unless `TRUST_PROXY` or a `PUBLIC_URL` with another host says that a proxy is in front of the server. A forwarded request never counts as a request from this machine.',
  answers: {
    200: {
      description: 'The metrics.',
      body: t.String(),
      text_type: 'text/plain; version=0.0.4; charset=utf-8',
      example:
        'overworld_request_duration_seconds_count{operation="submitScore",status="200"} 48250\n',
    },
    401: errorAnswer(
      'The request comes from another machine and has no valid token.',
      'Invalid metrics token',
    ),
  },
});

export const getOpenApi = operation('GET /v1/openapi.json', {
  access: 'anyone',
  summary: 'Read this description',
  description:
    'The whole API as an OpenAPI 3.1 document. `/docs` shows it as pages. An address gets 20 of them in ten seconds.',
  answers: {
    200: answer('The document.', t.JsonObject('An OpenAPI 3.1 document.'), {
      openapi: '3.1.1',
      info: { title: 'Overworld API', version: '0.1.0' },
    }),
  },
});
