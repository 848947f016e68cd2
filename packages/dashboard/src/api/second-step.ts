import { Failure } from './failure.ts';

/** The second step of a login, which the server asks for after the right password. */
export interface SecondStep {
  challenge: string;
  methods: readonly string[];
  passkey_options?: object;
}

/** Returns the second step that a login asks for, or null if the login failed for another reason. */
export function readSecondStep(error: unknown): SecondStep | null {
  if (!(error instanceof Failure) || error.code !== 'SECOND_FACTOR_REQUIRED') return null;
  return error.body as unknown as SecondStep;
}
