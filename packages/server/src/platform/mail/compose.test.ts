import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail } from './compose.ts';

const message = {
  to: 'mira@studio.example',
  subject: 'Join a game',
  paragraphs: ['You are invited.'],
  action: { label: 'Accept', url: 'https://overworld.example/invitations#token=a&b=c' },
  note: 'The link works once.',
};

test('the text has the link on a line of its own, and the HTML has the link escaped', () => {
  const { text, html } = composeMail(message);
  assert.ok(text.split('\n').includes(message.action.url));
  assert.ok(html.includes('href="https://overworld.example/invitations#token=a&amp;b=c"'));
});

test('HTML that users have written is shown as text', () => {
  const { html } = composeMail({
    ...message,
    subject: '<title>',
    paragraphs: ['<script>alert("x")</script>', `<img src=x onerror='alert(1)'>`, '&amp;'],
  });
  assert.ok(!html.includes('<script'));
  assert.ok(!html.includes('<img'));
  assert.ok(html.includes('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;'));
  assert.ok(html.includes('&amp;amp;'));
});

test('a line break that users have written does not begin a line, paragraph or header', () => {
  const hostile = 'Sky\r\nBcc: all@studio.example\n\nhttps://evil.example\u2028\u0085end';
  const { subject, text } = composeMail({ ...message, subject: hostile, paragraphs: [hostile] });
  const flat = 'Sky Bcc: all@studio.example https://evil.example end';
  assert.equal(subject, flat);
  assert.equal(text.split('\n')[0], flat);
});
