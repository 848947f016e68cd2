import { createHmac, randomBytes } from 'node:crypto';

/**
 * Secrets and signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com): a secret is
 * `whsec_` and base64, a signature is `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
 */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const makeWebhookSecret = (): string =>
  SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * Makes the headers by which a receiver checks the sender and the time of a message.
 * @param secrets The current secret, and also the previous secret as long as messages are signed with both.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
