import { badRequest } from '../../../platform/errors.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Loads the 18,000 most common passwords that are long enough, in lower case, from the list of zxcvbn.
 * Loading takes 30 ms and 5 MB, so the list is loaded only when the first password is chosen.
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
}

/**
 * Refuses a new password that attackers try first: one of the most common passwords, the e-mail
 * address or its part before the @, in upper or lower case. All characters are allowed.
 * @param field Name of the field with the password.
 * @throws ApiError 400 that tells how to choose a better password.
 */
export async function requireGoodPassword(
  field: string,
  password: string,
  email: string,
): Promise<void> {
  const given = normalize(password);
  const address = normalize(email);
  if (given === address || given === address.split('@')[0]) {
    throw badRequest(`${field} must not be the e-mail address or its beginning: choose another`);
  }
  common ??= readCommonPasswords();
  if ((await common).has(given)) {
    throw badRequest(
      `${field} is one of the most common passwords, which are guessed first: choose another, such as four words that you remember`,
    );
  }
}

const normalize = (text: string) => text.normalize('NFKC').trim().toLowerCase();
