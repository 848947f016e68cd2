import { isVisible } from '@overworld/contract/names';

const MAX_CODES = 4;

/** Joiners and selectors: after most characters beyond ASCII, they are part of what one sees. */
const JOINER = String.raw`[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
/** A symbol, or a letter of a script that has joiners, as in emoji and in Persian words. */
const JOINED = String.raw`(?!\p{ASCII}|\p{Default_Ignorable_Code_Point}|\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}).`;

/** A flag such as that of Wales, which is written by characters that show nothing alone. */
const FLAG = String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}`;

const HIDDEN = [
  String.raw`(?<!${JOINED}\ufe0f?)${JOINER}(?!\u20e3)`,
  String.raw`(?!${JOINER}|[\u202a-\u202e\u2066-\u2069])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]`,
  String.raw`(?![ \u3000])\p{White_Space}`,
  String.raw`^ +| +$|(?<= ) +`,
];
const HIDDEN_OR_FLAG = new RegExp(`(${FLAG})|${HIDDEN.join('|')}`, 'gu');

const codeOf = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const codesOf = (text: string) => Array.from(text, codeOf);

/**
 * Writes a name so that people see all of it: characters that show nothing are written
 * by their codes, such as `⟨U+200B⟩`. Those that turn the text around stay, and each name is isolated in CSS. A name that shows
 * nothing at all gets words in its place. Names that are absent stay empty.
 */
export function showName(name: string | null | undefined): string {
  if (!name) return '';
  if (!isVisible(name)) {
    const codes = codesOf(name);
    const more = codes.length > MAX_CODES ? ' …' : '';
    return `(no visible name: ${codes.slice(0, MAX_CODES).join(' ')}${more})`;
  }
  return name.replaceAll(HIDDEN_OR_FLAG, (found, flag: string | undefined) =>
    flag === undefined
      ? codesOf(found)
          .map((code) => `⟨${code}⟩`)
          .join('')
      : flag,
  );
}
