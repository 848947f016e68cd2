import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { RECOVERY_CODE_COUNT } from './limits.ts';
import { ownerConfirmation, wrongPassword } from './login-answers.ts';

const operation = operationsIn('Dashboard authentication');

export const RecoveryCodes = t.Array(t.String(), {
  description: 'Each code replaces the second step once. The codes are shown here and never again.',
});
export const NewRecoveryCodes = t.Nullable(RecoveryCodes);
export const codesExample = ['K7QF-2M4X-PW5T-ZB6A', 'H3RD-9N8C-VY2J-LE7G'];

/** Body of an operation that asks for the password again. */
export const passwordBody = t.Object(ownerConfirmation);
export const passwordExample = { password: 'correct horse battery staple' };

export const makeRecoveryCodes = operation('POST /v1/auth/second-factors/recovery-codes', {
  access: 'account',
  summary: 'Make new recovery codes',
  description: `Makes ${RECOVERY_CODE_COUNT} codes; earlier codes stop working. The owner gets an e-mail. A wrong password counts as a failed login.`,
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: answer('The new codes.', t.Object({ recovery_codes: RecoveryCodes }), {
      recovery_codes: codesExample,
    }),
    ...wrongPassword('password'),
    409: errorAnswer(
      'The account has no second factor.',
      'Set up an authenticator app or a passkey first',
    ),
  },
});
