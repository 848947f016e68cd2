import { Type } from 'typebox';
import { GivenPassword, group, wrongPassword } from './accounts.ts';
import { errorAnswer, Nullable } from '../common.ts';
import { defineOperation } from '../operation.ts';

export const RECOVERY_CODE_COUNT = 10;

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Codes that each replace the second step once. They are shown here and never again.',
});
export const NewRecoveryCodes = Nullable(RecoveryCodes);
export const codesExample = ['K7QF-2M4X-PW5T-ZB6A', 'H3RD-9N8C-VY2J-LE7G'];

/** Of operations that need the password again. */
export const passwordBody = Type.Object({
  password: GivenPassword('The password of the account.'),
});
export const passwordExample = { password: 'correct horse battery staple' };
export const makeRecoveryCodes = defineOperation({
  id: 'makeRecoveryCodes',
  method: 'POST',
  path: '/v1/auth/second-factors/recovery-codes',
  access: 'account',
  group,
  summary: 'Make new recovery codes',
  description: `Makes ${RECOVERY_CODE_COUNT}; those that there were work no more. The owner gets an e-mail. A wrong password counts as a failed login.`,
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: {
      description: 'The new codes.',
      body: Type.Object({ recovery_codes: RecoveryCodes }),
      example: { recovery_codes: codesExample },
    },
    ...wrongPassword,
    409: errorAnswer(
      'The account has no second factor.',
      'Set up an authenticator app or a passkey first',
    ),
  },
});
