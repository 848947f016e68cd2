import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { openServerLog } from './server-log.ts';

/** Shows the lines that `work` logs as a terminal would, but without the time. */
function show(level: 'info' | 'silent', work: (log: ReturnType<typeof openServerLog>) => void) {
  const terminal = new PassThrough();
  work(openServerLog({ log_level: level }, terminal));
  const text = String(terminal.read() ?? '');
  return text.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'TIME '));
}

test('a terminal shows messages as words, and of all requests only those that failed', () => {
  const request = { request_id: 'id-1', method: 'GET', route: '/v1/saves', duration_ms: 1.5 };
  const shown = show('info', ({ say, logger }) => {
    say('Overworld is running');
    logger.info({ ...request, status: 200 }, 'request');
    logger.info({ ...request, status: 404 }, 'request');
    logger.warn({ err: new Error('connect ECONNREFUSED') }, 'Redis is unavailable');
    logger.debug('not shown');
  });
  assert.deepEqual(shown, [
    'Overworld is running',
    'TIME GET /v1/saves 404, 1.5 ms, id-1',
    'TIME warn Redis is unavailable: connect ECONNREFUSED',
    '',
  ]);
});

test('lines for the person at the terminal appear at every log level', () => {
  const shown = show('silent', ({ say, logger }) => {
    say('Overworld is running');
    logger.fatal('not shown');
  });
  assert.deepEqual(shown, ['Overworld is running', '']);
});
