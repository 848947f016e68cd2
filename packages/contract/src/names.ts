/**
 * Characters that show nothing where they stand alone: white space, controls and formats, characters that
 * Unicode ignores by default such as the Hangul fillers, combining marks, and the blanks of Braille, of
 * hieroglyphs and of musical notes.
 */
const INVISIBLE = String.raw`\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Noncharacter_Code_Point}\uFFFC\u2800\u{13441}\u{13442}\u{1D159}`;
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');

/** Tells whether a text shows anything. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** The rule for new names, in words that follow the name of a field. */
export const NAME_RULE = 'must have at least one visible character, and not be . or ..';

/**
 * Finds the reason why a text cannot be a name: people must see a name, and an address must be able to hold
 * it. Clients take `.` and `..` out of the path of an address, even if they are percent-encoded.
 * @returns words that follow the name of a field; null if the text can be a name.
 */
export function findNameProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  return isVisible(text) && text !== '.' && text !== '..' ? null : NAME_RULE;
}
