import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../../platform/errors.ts';

const PREFIX = 'ow_refresh_';
const SESSION_BYTES = 16;
const GENERATION_BYTES = 4;
const MAC_BYTES = 24;
const HEAD_BYTES = SESSION_BYTES + GENERATION_BYTES + MAC_BYTES;

/** The content of a refresh token. */
export interface RefreshToken {
  player_id: string;
  session_id: string;
  generation: number;
  mac: Buffer;
}

const macOf = (token_secret: string, generation: number): Buffer =>
  createHmac('sha256', token_secret).update(String(generation)).digest().subarray(0, MAC_BYTES);

/**
 * Writes a refresh token. Each renewal of a session starts a new generation with a new token. The token is
 * computed from the session's secret and the generation, so a generation always has the same token.
 */
export function writeRefreshToken(
  { player_id, session_id }: { player_id: string; session_id: string },
  token_secret: string,
  generation: number,
): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(session_id.replaceAll('-', ''), 'hex');
  head.writeUInt32BE(generation, SESSION_BYTES);
  macOf(token_secret, generation).copy(head, SESSION_BYTES + GENERATION_BYTES);
  return PREFIX + Buffer.concat([head, Buffer.from(player_id)]).toString('base64url');
}

/** @throws ApiError 401 when the text is not a refresh token. */
export function readRefreshToken(text: string): RefreshToken {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64url');
  const player_id = bytes.subarray(HEAD_BYTES).toString();
  const hasOtherBytes = bytes.toString('base64url') !== encoded;
  const isText = Buffer.from(player_id).equals(bytes.subarray(HEAD_BYTES));
  if (bytes.length <= HEAD_BYTES || hasOtherBytes || !isText || player_id.includes('\0')) {
    throw invalidRefreshToken();
  }
  const id = bytes.toString('hex', 0, SESSION_BYTES);
  return {
    player_id,
    session_id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    generation: bytes.readUInt32BE(SESSION_BYTES),
    mac: bytes.subarray(SESSION_BYTES + GENERATION_BYTES, HEAD_BYTES),
  };
}

/** Tells whether the session has ever had this token. The comparison takes constant time. */
export const isOfSession = ({ mac, generation }: RefreshToken, token_secret: string): boolean =>
  timingSafeEqual(mac, macOf(token_secret, generation));

export const sessionEnded = () => new ApiError(401, 'This login has ended. Log in again.');

export const invalidRefreshToken = () => new ApiError(401, 'Invalid refresh token');
