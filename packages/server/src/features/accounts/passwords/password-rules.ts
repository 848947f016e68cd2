import { badRequest } from '../../../platform/errors.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * The 18,000 most common passwords that are long enough, in lower case, the list of zxcvbn. Read when
 * the first password is chosen: 30 ms and 5 MB, which a server that makes no accounts does without.
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
}

/**
 * Refuses a new password that is guessed first: one of the most common, the e-mail address or the part
 * of it before the @, in upper or lower case. There are no rules on what it is made of.
 * @param field Name of the field that it was given in.
 * @throws ApiError 400 that says what to choose instead.
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
