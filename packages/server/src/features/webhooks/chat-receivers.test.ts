import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { startReceiver } from './test/receiver.ts';
import type { Receiver } from './test/receiver.ts';
import { makeStudio } from './test/studio.ts';

let server: TestServer;
let receiver: Receiver;
const { lookup } = dns;

before(async () => {
  // The names of Slack and Discord lead to the receiver here, as by a file of hosts.
  const lookHere = (host: string, options: dns.LookupAllOptions, callback: Callback) =>
    ['hooks.slack.com', 'discord.com'].includes(host)
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : lookup(host, options, callback);
  Object.assign(dns, { lookup: lookHere });
  syncBuiltinESMExports();
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  receiver = await startReceiver();
});
after(async () => {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
  receiver.close();
  await server.close();
});

type Callback = (error: Error | null, addresses: dns.LookupAddress[]) => void;

const portOf = ({ url }: Receiver) => new URL(url).port;

test('Slack and Discord get texts without a signature, and every other receiver the message', async () => {
  const studio = await makeStudio(server);
  // Slack refuses a body without a text, and Discord one without boxes or a text.
  receiver.answer = (response, { headers, body }) => {
    const isShown =
      headers.host!.startsWith('127.') ||
      (headers.host!.startsWith('hooks.slack.com')
        ? typeof body.text === 'string' && body.text !== ''
        : Array.isArray(body.embeds) && body.embeds.length > 0);
    response.writeHead(isShown ? 200 : 400).end(isShown ? 'ok' : 'no_text');
  };
  const slack = await studio.makeWebhook(
    `http://hooks.slack.com:${portOf(receiver)}/services/T/B/x`,
  );
  const discord = await studio.makeWebhook(
    `http://discord.com:${portOf(receiver)}/api/webhooks/1/secret`,
  );
  const own = await studio.makeWebhook(receiver.url);
  await studio.unlock('ann <!channel>');
  for (const { id } of [slack, discord, own]) await studio.waitFor(id, 'delivered');
  assert.equal(receiver.received.length, 3);
  const sentTo = (path: string) =>
    receiver.received.find((received) => received.path.startsWith(path))!;
  const toSlack = sentTo('/services/');
  assert.match(toSlack.body.text, /player id: ann &lt;!channel&gt;\nachievement: Boss\n/);
  const toDiscord = sentTo('/api/webhooks/');
  assert.match(toDiscord.body.embeds[0].description, /ann \\<!channel\\>/);
  assert.deepEqual(toDiscord.body.allowed_mentions, { parse: [] });
  const signed = Object.entries({ toSlack, toDiscord, own: sentTo('/hook') }).map(
    ([name, { headers }]) => [name, headers['webhook-signature'] !== undefined],
  );
  assert.deepEqual(signed, [
    ['toSlack', false],
    ['toDiscord', false],
    ['own', true],
  ]);
  assert.equal(sentTo('/hook').body.type, 'achievement.unlocked');
  // The record shows the message as other receivers get it.
  const [delivery] = await studio.list(slack.id);
  assert.equal(JSON.parse(delivery!.body).type, 'achievement.unlocked');
});
