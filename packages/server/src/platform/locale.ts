import type { IncomingHttpHeaders } from 'node:http';
import { canonicalLocale } from '@overworld/contract/locales';

/** The largest number of languages that are read from a header; the others are the least wanted ones. */
const MAX_WISHES = 20;
/** The longest header that is read. Browsers send less than 200 characters. */
const MAX_HEADER_LENGTH = 1_000;

/** The languages that a request asks for: one by name, or several by the header. */
export interface LocaleWish {
  /** A language by its BCP 47 tag, such as `pt-BR`. It takes the place of the header. */
  locale?: string | undefined;
  /** The header `Accept-Language`. Its parts that are no languages are ignored. */
  accept_language?: string | undefined;
}

/** Reads the language that a call asks for. */
export const localeWishOf = ({
  query,
  headers,
}: {
  query: { locale?: string | undefined };
  headers: IncomingHttpHeaders;
}): LocaleWish => ({ locale: query.locale, accept_language: headers['accept-language'] });

/**
 * Makes the function that chooses the language for a request, by the first wish that can be met: by the language
 * itself, by a more general one (`pt` for `pt-BR`), or by a relative (`pt-BR` for `pt-PT`). Upper and lower case
 * are the same, and so are older names of a language (`iw` is `he`).
 * @param available The languages that there are. The result is one of them, exactly as it is written there.
 * @returns a function that returns null if a request has no wish that can be met, so that the default texts serve
 * it. Its time does not depend on the number of languages.
 */
export function localeChooser(available: Iterable<string>): (wish: LocaleWish) => string | null {
  const tags = new Map<string, string>();
  const relatives = new Map<string, string>();
  // Sorted, so that the choice does not depend on the order in which the texts were stored.
  for (const tag of [...available].toSorted()) {
    const lower = tag.toLowerCase();
    tags.set(lower, tag);
    const language = lower.split('-', 1)[0]!;
    if (!relatives.has(language)) relatives.set(language, tag);
  }
  const find = (wanted: string): string | undefined => {
    for (let range = wanted; range !== ''; range = shortenTag(range)) {
      const found = tags.get(range);
      if (found !== undefined) return found;
    }
    return relatives.get(wanted.split('-', 1)[0]!);
  };
  return ({ locale, accept_language }) => {
    if (tags.size === 0) return null;
    const wishes = locale === undefined ? readAcceptLanguage(accept_language) : [locale];
    for (const wanted of wishes) {
      const found = find((canonicalLocale(wanted) ?? wanted).toLowerCase());
      if (found !== undefined) return found;
    }
    return null;
  };
}

/** Takes the last part from a tag, and a single letter before it, which only introduces that part. */
const shortenTag = (tag: string): string =>
  tag
    .split('-')
    .slice(0, -1)
    .join('-')
    .replace(/-[^-]$/, '');

/** Reads the languages of the header `Accept-Language`, the most wanted ones first. */
function readAcceptLanguage(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return [];
  const wishes: { tag: string; quality: number }[] = [];
  for (const part of header.split(',', MAX_WISHES)) {
    const [tag, ...parameters] = part.split(';').map((text) => text.trim());
    if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag!)) continue;
    const given = parameters.find((each) => /^q\s*=/i.test(each));
    const quality = given === undefined ? 1 : Number(given.split('=')[1]);
    if (quality > 0) wishes.push({ tag: tag!, quality });
  }
  return wishes.toSorted((a, b) => b.quality - a.quality).map(({ tag }) => tag);
}
