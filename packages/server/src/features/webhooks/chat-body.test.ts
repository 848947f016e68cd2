import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE_EVENTS } from '@overworld/contract/webhooks/service-events';
import { toChatBody } from './chat-body.ts';

const SLACK = 'https://hooks.slack.com/services/T0/B0/secret';
const DISCORD = 'https://discord.com/api/webhooks/1/secret';
const DATA = {
  game_id: '2f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
  environment: 'production',
  alert_name: 'Fewer payers <!channel> @everyone [here](https://bad.example)',
  rule: 'Conversion of a day: down by 20% or more',
  reading: 'It was 1.2%, −40% against the usual of this weekday, 2%.',
  test: false,
};
const body = (type: string, data: object = DATA) =>
  JSON.stringify({ type, timestamp: '2026-03-01T00:00:00.000Z', data });

const chatBody = (url: string, text: string): string => toChatBody(url, text)!;

test('an alert is a text for Slack, in which names neither call people nor become links', () => {
  const { text } = JSON.parse(chatBody(SLACK, body('alert.fired')));
  assert.equal(
    text,
    ':rotating_light: *Alert: Fewer payers &lt;!channel&gt; @everyone [here](https://\u200Bbad.\u200Bexample) (production)*\nConversion of a day: down by 20% or more\nIt was 1.2%, −40% against the usual of this weekday, 2%.',
  );
  const resolved = JSON.parse(chatBody(SLACK, body('alert.resolved')));
  assert.match(resolved.text, /^:white_check_mark: \*Alert resolved: /);
  const tried = JSON.parse(chatBody(SLACK, body('alert.fired', { ...DATA, test: true })));
  assert.match(tried.text, /^:information_source: \*Test of an alert: /);
});

test('an alert is a box for Discord that mentions nobody', () => {
  const sent = JSON.parse(chatBody(DISCORD, body('alert.fired')));
  assert.deepEqual(sent.allowed_mentions, { parse: [] });
  const [{ title, description, color }] = sent.embeds;
  assert.match(title, /^Alert\\: Fewer payers \\<!channel\\> \\@everyone \\\[here\\\]/);
  assert.equal(
    description,
    'Conversion of a day\\: down by 20% or more\nIt was 1.2%, −40% against the usual of this weekday, 2%.',
  );
  assert.equal(color, 0xc0392b);
  const asSlack = JSON.parse(chatBody(`${DISCORD}/slack`, body('alert.fired')));
  assert.match(asSlack.text, /Alert: Fewer payers/);
});

test('every other event has its label and its members, and long texts are cut', () => {
  for (const [type, { example }] of Object.entries(SERVICE_EVENTS)) {
    const { text } = JSON.parse(chatBody(SLACK, body(type, example)));
    assert.ok(text.split('\n').length > 1, text);
    const { embeds } = JSON.parse(chatBody(DISCORD, body(type, example)));
    assert.ok(embeds[0].title.length > 0);
  }
  const long = { ...DATA, alert_name: '*'.repeat(255), reading: '@😀'.repeat(3_000) };
  const { embeds } = JSON.parse(chatBody(DISCORD, body('alert.fired', long)));
  assert.ok(embeds[0].title.length <= 256 && embeds[0].description.length <= 4_096);
  assert.ok(chatBody(SLACK, body('alert.fired', long)).isWellFormed());
});

test('all other addresses get no form of a chat', () => {
  for (const url of [
    'https://hooks.slack.com.evil.example/x',
    'https://discord.com/other',
    'https://studio.example/hooks.slack.com',
  ]) {
    assert.equal(toChatBody(url, body('alert.fired')), null);
  }
});
