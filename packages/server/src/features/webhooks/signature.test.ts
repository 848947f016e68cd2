import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWebhookSecret, signatureHeaders } from './signature.ts';

test('a message is signed as in the example of Standard Webhooks', () => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const now = new Date(1_614_265_330_000);
  assert.deepEqual(signatureHeaders(secrets, id, '{"test": 2432232314}', now), {
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret has 32 random bytes', () => {
  const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()];
  assert.equal(Buffer.from(secret.replace('whsec_', ''), 'base64').length, 32);
  assert.notEqual(secret, other);
});
