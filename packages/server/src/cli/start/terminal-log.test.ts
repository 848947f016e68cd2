import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { openServerLog } from './server-log.ts';

/** Returns the text that a terminal shows for the messages that `work` logs, without the times. */
function show(level: 'info' | 'silent', work: (log: ReturnType<typeof openServerLog>) => void) {
  const terminal = new PassThrough();
  work(openServerLog({ log_level: level }, terminal));
  const text = String(terminal.read() ?? '');
  return text.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'TIME '));
}

test('a terminal shows messages as plain sentences, and shows only the requests that failed', () => {
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

test('messages for the person at the terminal are shown at every log level', () => {
  const shown = show('silent', ({ say, logger }) => {
    say('Overworld is running');
    logger.fatal('not shown');
  });
  assert.deepEqual(shown, ['Overworld is running', '']);
});
