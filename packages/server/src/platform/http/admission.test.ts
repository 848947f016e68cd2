import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { waitUntil } from '../../../test/wait-until.ts';
import { readConfig } from '../config.ts';
import { createAdmission } from './admission.ts';
import { createHttpServer } from './server.ts';

/** Begins as many as are let in; @returns how many. */
function fill(admission: ReturnType<typeof createAdmission>): number {
  let begun = 0;
  for (; admission.is_open; begun++) admission.begin();
  return begun;
}

test('as many requests are at work as are answered in 0.2 s, and never less than 1,100', () => {
  let now_ms = 0;
  const admission = createAdmission(() => now_ms);
  assert.equal(fill(admission), 1_100, 'a burst finds an idle server');

  // Ten are answered in a millisecond, and as many begin.
  for (let number = 0; number < 1_280; number++) {
    if (number % 10 === 0) now_ms += 1;
    admission.end();
    admission.begin();
  }
  const at_work = 1_100 + fill(admission);
  assert.ok(at_work > 1_900 && at_work < 2_200, `${at_work}`);

  // One is answered in ten.
  for (let number = 0; number < 128; number++) {
    now_ms += 10;
    admission.end();
  }
  assert.equal(admission.is_open, false);
  for (let left = at_work - 128; left > 1_099; left--) admission.end();
  assert.equal(admission.is_open, true);
});

test('one more than 100 unanswered requests on a connection cut it, and others are served', async () => {
  const app = await createHttpServer(readConfig({}), pino({ level: 'silent' }));
  const release = Promise.withResolvers<string>();
  app.get('/slow', () => release.promise);
  app.get('/fast', async () => 'answered');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const text = 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n';
  const [patient, greedy] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  greedy.on('error', () => undefined);
  const cut = once(greedy, 'close');
  patient.write(text.repeat(100));
  greedy.write(text.repeat(101));
  await cut;
  assert.equal(await (await fetch(`${url}/fast`)).text(), 'answered');

  let said = '';
  patient.setEncoding('latin1').on('data', (chunk: string) => (said += chunk));
  release.resolve('answered late');
  while (said.split('answered late').length <= 100) await once(patient, 'data');
  patient.destroy();
  await app.close();
});

test('requests that a connection sends ahead begin one by one, and none when it is cut', async () => {
  const app = await createHttpServer(readConfig({}), pino({ level: 'silent' }));
  const begun: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<string>>();
  app.get<{ Params: { name: string } }>('/:name', ({ params: { name } }) => {
    begun.push(name);
    const answer = Promise.withResolvers<string>();
    answers.set(name, answer);
    return answer.promise;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const get = (name: string) => `GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`;
  client.write(get('first') + get('second') + get('third'));
  await waitUntil('the first begins', async () => begun.length > 0);
  assert.deepEqual(begun, ['first']);
  answers.get('first')!.resolve('1');
  await waitUntil('the second begins', async () => begun.length > 1);
  assert.deepEqual(begun, ['first', 'second']);
  client.destroy();
  answers.get('second')!.resolve('2');
  await app.close();
  assert.deepEqual(begun, ['first', 'second']);
});
