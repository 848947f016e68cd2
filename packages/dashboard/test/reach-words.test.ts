import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registrationWords } from '../src/pages/admin/registration-words.ts';
import { recipientWords, reachesNobody, testWords } from '../src/pages/alerts/reached.ts';

const nameOf = (id: string) => `Hook ${id}`;
const ALERT = { account_ids: ['ann'], webhook_ids: ['1', '2'], disabled_webhook_ids: ['2'] };
const ONLY_MAIL = { account_ids: ['ann'], webhook_ids: [], disabled_webhook_ids: [] };

test('the test of an alert names the webhooks that are disabled and get nothing', () => {
  assert.equal(
    testWords(ALERT, true, nameOf),
    'The test is on its way to 1 member and 1 webhook. Disabled, and without it: Hook 2',
  );
  const disabled = { ...ALERT, account_ids: [], webhook_ids: ['2'] };
  assert.equal(
    testWords(disabled, true, nameOf),
    'Nobody gets the test. Disabled, and without it: Hook 2',
  );
  assert.equal(recipientWords(ALERT, true), '1 member, 2 webhooks (1 disabled)');
  assert.ok(reachesNobody(disabled, true));
});

test('an alert by mail alone reaches nobody where no mail is sent, and says so', () => {
  assert.ok(reachesNobody(ONLY_MAIL, false));
  assert.ok(!reachesNobody(ONLY_MAIL, true));
  assert.match(testWords(ONLY_MAIL, false, nameOf), /^Nobody gets the test\. 1 member without it/);
  assert.equal(recipientWords(ONLY_MAIL, false), '1 member (no mail is sent)');
});

test('the words about registration follow the settings', () => {
  const words = (registration_open: boolean, account_activation: 'none' | 'email' | 'admin') =>
    registrationWords(
      { registration_open, account_activation },
      registration_open && account_activation !== 'admin',
    );
  assert.match(words(false, 'none'), /closed/);
  assert.match(words(true, 'none'), /open: anybody .* can make an account\./);
  assert.match(words(true, 'email'), /open: anybody .* that they confirm/);
  assert.match(words(true, 'admin'), /open, .* after an administrator has activated it/);
  const local = registrationWords({ registration_open: true, account_activation: 'none' }, false);
  assert.match(local, /open, but .* its own machine alone/);
});
