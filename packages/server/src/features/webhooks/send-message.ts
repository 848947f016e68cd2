import { DELIVERY_TIMEOUT_S, MAX_ANSWER_EXCERPT } from '@overworld/contract/webhooks/deliveries';
import type { IncomingMessage } from 'node:http';
import { RELEASE } from '../../platform/release.ts';
import { requestPublic } from '../../platform/network/public-request.ts';
import { toChatBody } from './chat-body.ts';
import { signatureHeaders } from './signature.ts';

/** A message, ready to be sent. */
export interface Message {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
}

/** The outcome of an attempt. */
export interface Attempt {
  /** Null if the receiver sent no answer. */
  answer_status: number | null;
  answer_text: string | null;
  /** Null if the receiver has accepted the message. */
  error: string | null;
  duration_ms: number;
}

/** The most bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends a message once. Only a status of 2xx is a success; a redirect is not followed.
 * @param cut_off Ends the attempt when the server stops.
 */
export async function sendMessage(
  message: Message,
  options: { allow_private: boolean; cut_off: AbortSignal; timeout_ms?: number },
): Promise<Attempt> {
  const { allow_private, cut_off, timeout_ms = DELIVERY_TIMEOUT_S * 1_000 } = options;
  const { id, url, secrets } = message;
  const began = performance.now();
  const end = (attempt: Omit<Attempt, 'duration_ms'>) => ({
    ...attempt,
    duration_ms: Math.round(performance.now() - began),
  });
  const timeout = AbortSignal.timeout(timeout_ms);
  const signal = AbortSignal.any([cut_off, timeout]);
  const text = toChatBody(url, message.body);
  const body = Buffer.from(text ?? message.body);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': `Overworld/${RELEASE}`,
    accept: '*/*',
    'accept-encoding': 'identity',
    // Slack and Discord check no signatures: the secret of such a webhook is its address.
    ...(text === null && signatureHeaders(secrets, id, message.body, new Date())),
  };
  let answer: IncomingMessage;
  try {
    answer = await requestPublic(new URL(url), {
      method: 'POST',
      headers,
      body,
      signal,
      allow_private,
    });
  } catch (error) {
    const words = timeout.aborted
      ? `There was no answer within ${timeout_ms / 1_000} seconds`
      : describeFailure(error);
    return end({ answer_status: null, answer_text: null, error: words });
  }
  const answer_status = answer.statusCode!;
  const answer_text = await readExcerpt(answer);
  const isTaken = answer_status >= 200 && answer_status < 300;
  const error = isTaken ? null : describeStatus(answer_status);
  return end({ answer_status, answer_text, error });
}

/**
 * Reads the beginning of an answer, without characters that PostgreSQL cannot store. If the answer breaks
 * off, returns what has arrived.
 */
async function readExcerpt(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status has already decided the outcome.
  }
  answer.destroy();
  const text = Buffer.concat(chunks).toString().replaceAll('\0', '');
  return text.slice(0, MAX_ANSWER_EXCERPT).toWellFormed();
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `Redirects are not followed (${status})`;
  return `The answer was ${status}`;
}

const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EHOSTUNREACH: 'The network does not reach the address',
  ENETUNREACH: 'The network does not reach the address',
  ETIMEDOUT: 'The connection took too long',
  ENOTFOUND: 'The name has no address',
};

function describeFailure(error: unknown): string {
  // Several IP addresses were tried. Only the first failure is described.
  const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (!(cause instanceof Error)) return 'The message could not be sent';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return FAILURES[code] ?? cause.message.slice(0, 255).replaceAll('\0', '').toWellFormed();
}
