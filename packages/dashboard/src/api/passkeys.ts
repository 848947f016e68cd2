import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Input } from './operations.ts';

type NewPasskey = Input<'POST /v1/auth/second-factors/passkeys'>['body']['credential'];
type PasskeyAnswer = NonNullable<Input<'POST /v1/auth/login/second-factor'>['body']['passkey']>;

/** The library is loaded only when a passkey is used, because most visits use none. */
const library = () => import('@simplewebauthn/browser');

/** Tells whether passkeys work at this address: browsers require https and a host name. */
export const passkeysWorkHere = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !isAddress(location.hostname);

const isAddress = (host: string) => /^[\d.]+$|^\[/.test(host);

/**
 * Asks the browser to make a passkey for the server's options.
 * @throws Error with a message for people, also when the person declines.
 */
export async function makePasskey(options: object): Promise<NewPasskey> {
  const { startRegistration } = await library();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const made = await startRegistration({ optionsJSON }).catch(rethrow);
  return made as unknown as NewPasskey;
}

/**
 * Asks the browser to answer with a passkey.
 * @throws Error with a message for people, also when the person declines.
 */
export async function usePasskey(options: object): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const answer = await startAuthentication({ optionsJSON }).catch(rethrow);
  return answer as unknown as PasskeyAnswer;
}

function rethrow(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : '';
  const words =
    name === 'InvalidStateError'
      ? 'This device has a passkey of your account already'
      : name === 'NotAllowedError' || name === 'AbortError'
        ? 'The passkey was not used: the browser’s question was closed, or took too long'
        : 'The browser could not use a passkey here';
  throw new Error(words, { cause });
}
