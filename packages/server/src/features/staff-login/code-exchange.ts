import type { Discovered } from '../../platform/login-providers/issuers.ts';
import { isAsSafe } from '../../platform/login-providers/issuers.ts';
import type { ProviderFetch } from '../../platform/login-providers/provider-calls.ts';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';
import { loginRefused } from './login-refused.ts';

/** The errors by which an issuer refuses the client, whatever the code. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client'];
/** The most characters of an issuer's error in the log. */
const MAX_SHOWN_ERROR = 100;

/** The tokens that a provider gives for a code. */
export interface ExchangedTokens {
  id_token: string;
  /** Opens the UserInfo endpoint; null if the provider gave none. */
  access_token: string | null;
}

/** The document of the issuer, and the function that calls it. */
export interface OpenedIssuer {
  document: Discovered;
  fetch: ProviderFetch;
}

/**
 * Exchanges a code for tokens. The tokens are not checked yet.
 * @throws ApiError 401 when the provider does not know the code, Error when it gives no usable answer.
 */
export async function exchangeCode(
  { issuer, client_id, client_secret }: StaffLoginSettings,
  { document, fetch }: OpenedIssuer,
  given: { code: string; redirect_uri: string; code_verifier: string },
): Promise<ExchangedTokens> {
  const url = endpoint('token_endpoint', document.token_endpoint, issuer);
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, ...given });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (client_secret !== null) {
    if (takesBasic(document)) headers.authorization = basic(client_id, client_secret);
    else form.set('client_secret', client_secret);
  }
  const { status, text } = await fetch(url, { form, headers });
  const answer = readObject(text);
  const { id_token, access_token } = answer ?? {};
  if (status === 200 && typeof id_token === 'string') {
    return { id_token, access_token: typeof access_token === 'string' ? access_token : null };
  }
  const problem = String(answer?.error ?? '').slice(0, MAX_SHOWN_ERROR);
  const failure = new Error(`The token endpoint answered ${status} ${problem}`);
  // Anybody can send an invented code, and issuers refuse it in different ways. So this is a failure of the issuer
  // only if it does not accept the client.
  const isOfCode = status >= 400 && status < 500 && status !== 429;
  if (isOfCode && !CLIENT_REFUSED.includes(problem)) {
    throw loginRefused(
      'The identity provider does not know this login any more: begin again',
      failure,
    );
  }
  throw failure;
}

/** @returns null when the text is no JSON. */
function readObject(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

/**
 * Reads the claims that a provider has left out of the ID token.
 * @param subject The `sub` of the ID token.
 * @returns an empty object if the provider has no UserInfo endpoint.
 * @throws ApiError 401 when the claims are about somebody else, Error when the provider gives no usable answer.
 */
export async function readUserInfo(
  issuer: string,
  { document, fetch }: OpenedIssuer,
  { access_token }: ExchangedTokens,
  subject: string,
): Promise<Record<string, unknown>> {
  if (document.userinfo_endpoint === undefined || access_token === null) return {};
  const url = endpoint('userinfo_endpoint', document.userinfo_endpoint, issuer);
  const { status, text } = await fetch(url, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  if (status !== 200) throw new Error(`The UserInfo endpoint answered ${status}`);
  const claims = JSON.parse(text) as Record<string, unknown> | null;
  if (claims?.sub !== subject) throw loginRefused('The identity provider spoke of somebody else');
  return claims;
}

/** Reads the address of an endpoint out of the document. @throws Error when there is no usable one. */
export function endpoint(name: string, address: unknown, issuer: string): URL {
  if (typeof address !== 'string' || !URL.canParse(address) || !isAsSafe(address, issuer)) {
    throw new Error(`The document of the issuer has no usable ${name}`);
  }
  return new URL(address);
}

/** Without the member, the provider takes the header alone. */
function takesBasic(document: Discovered): boolean {
  const { token_endpoint_auth_methods_supported: methods } = document;
  return !Array.isArray(methods) || methods.includes('client_secret_basic');
}

/** Both parts are encoded as in a form (RFC 6749, 2.3.1). */
function basic(client_id: string, client_secret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const text = `${encode(client_id)}:${encode(client_secret)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
