import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { get, readAnswers, startSlowServer } from '../test/slow-server.ts';

const UPGRADE = 'connection: upgrade\r\nupgrade: websocket\r\n';
const CLOSE = 'connection: close\r\n';

describe('requests that Node leaves to the server', async () => {
  const server = await startSlowServer();
  before(() => server.listen());
  after(() => server.close());

  for (const [hosts, version, answer] of [
    [
      'host: x\r\nHost: y\r\n',
      '1.1',
      '400 {"error":"A request has one Host header, this one has 2"',
    ],
    [
      'host: x\r\nhost: x\r\n',
      '1.0',
      '400 {"error":"A request has one Host header, this one has 2"',
    ],
    ['', '1.1', '400 {"error":"A request has one Host header, this one has 0"'],
    ['host: x\r\n', '1.1', '200 fast'],
    ['', '1.0', '200 fast'],
  ] as const) {
    test(`"${hosts.trim()}" of HTTP/${version} is answered ${answer.slice(0, 3)}`, async () => {
      const said = await server.say(`GET /fast HTTP/${version}\r\n${hosts}${CLOSE}\r\n`);
      const [status] = readAnswers(said);
      assert.ok(status!.startsWith(answer), status);
    });
  }

  test('a request for another protocol is answered in HTTP, and then its connection closes', async () => {
    const said = await server.say(get('fast-first', UPGRADE) + get('fast-second'));
    assert.deepEqual(readAnswers(said), ['200 fast-first']);
    assert.match(said, /^connection: close\r$/im);
  });

  test('a CONNECT is answered 400, but a CONNECT that follows an unanswered request cuts the connection', async () => {
    const tunnel = 'CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n';
    assert.deepEqual(readAnswers(await server.say(tunnel)), [
      '400 {"error":"The request is not valid HTTP"}',
    ]);
    assert.equal(await server.say(get('slow') + tunnel), '');
    assert.deepEqual(readAnswers(await server.say(get('fast', CLOSE))), ['200 fast']);
  });
});
